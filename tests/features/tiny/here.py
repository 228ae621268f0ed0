"""A feature that notes what the core lets it know."""

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
