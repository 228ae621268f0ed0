"""Tables with something of everything that the admin shows, for tests."""

from uuid import uuid4

from games.models import Vote
from games.services.chat import messages
from games.services.game import seats, votes
from games.services.lobby import invitations
from games.services.moderation.actions import people, redaction, timing
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.person_action import latest_action
from games.services.moderation.actions.requests import ActionRequest, GameRequest, PersonRequest
from games.services.reports import filing
from games.services.reports.filing import Complaint
from tests.support.moderators import moderator
from tests.support.tables import MONDAY, open_table, seat_of


def fill_tables() -> None:
    """Tables with something of everything; each kind of row more than ten times."""
    keeper = moderator("Nora")
    for number in range(1, 12):
        names = [f"{name} {number}" for name in ("Anna", "Boris", "Clara")]
        game = open_table(*names)
        anna, boris = (seat_of(game, name).user for name in names[:2])
        seats.announce_days_off(
            game_id=game.pk,
            user=boris,
            first_day=MONDAY.date(),
            last_day=MONDAY.date(),
            now=MONDAY,
        )
        votes.call_vote(
            game_id=game.pk, user=anna, proposal=votes.Proposal(Vote.Kind.END), now=MONDAY
        )
        timing.pause(GameRequest(game.pk, keeper, "A feast.", seen_now(game), MONDAY))
        said = messages.say(game_id=game.pk, user=anna, text="Be kind.", token=uuid4(), now=MONDAY)
        redaction.redact(ActionRequest(keeper, "Be kinder.", MONDAY), message_id=said.pk)
        filing.report_person(Complaint(anna, "He cheats.", uuid4(), MONDAY), person=boris)
        people.warn(PersonRequest(anna.pk, keeper, "Be kind.", latest_action(anna, keeper), MONDAY))
        waiting = open_table(f"Dora {number}", size=3)
        addresses = [f"emil{number}@example.org"]
        invitations.invite(game_id=waiting.pk, user=waiting.host, addresses=addresses, now=MONDAY)
