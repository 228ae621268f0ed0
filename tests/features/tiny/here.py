"""A feature that notes what the core lets it know, and has pigeons fly where email goes."""

from html import escape

from games.models import Game

ended = []
"""The games that have ended: each with its state, as it is stored by then."""


def part(request, **given):
    """A greeting for whoever reads the page, and what it has given."""
    return f"<p>Tiny for {escape(request.user.name)}: {', '.join(sorted(given))}.</p>"


def game_over(game):
    stored = Game.objects.get(pk=game.pk)
    ended.append((stored.name, stored.status, stored.finished_at))


class Pigeon:
    """Flies to everybody with a roost. What each doesn't want is kept by name."""

    key = "pigeon"
    label = "Pigeon"
    in_story = "Pigeons fly to them."
    write = "INSERT INTO pigeons (kind, person_id) SELECT kind, person_id FROM written"

    def __init__(self):
        self.roosts = set()
        self.not_by_pigeon = {}
        self.alarms = []

    def is_on(self):
        return True

    def reaches(self, person):
        return person.name in self.roosts

    def unwanted(self, person):
        return self.not_by_pigeon.get(person.name, [])

    def choose(self, person, unwanted):
        self.not_by_pigeon[person.name] = unwanted

    def alarm(self, people, alarm, now):
        self.alarms.append((alarm, [one.name for one in people], now))
        return True


PIGEON = Pigeon()
