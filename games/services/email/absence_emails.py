"""Email about a seat whose player is absent, as in `game_emails`."""

from django.utils.translation import gettext as _

from games.models import Game, OutboxEmail, Seat
from games.presentation.board.small_board import small_board
from games.presentation.text.tables import computer_player_name
from games.presentation.text.words import colour_text, listed_names
from games.services.email.game_emails import Context, game_is_running
from games.services.game.position import read_position
from games.services.lobby.queries import rules_and_pace
from games.services.people import blocks
from games.services.people.display_names import seat_names


def marked_absent(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The computer player that plays for the seat now, and whether a substitute is needed."""
    player = email.the_game.absent_player
    return {
        "computer_player": "" if player == "default" else computer_player_name(player),
        "is_dormant": email.the_game.dormant_since is not None,
        "wanted": not email.the_game.closed_to_newcomers,
        "preheader": _("You can return with one click on the table page."),
    }


def is_absent(email: OutboxEmail, seat: Seat | None) -> bool:
    return game_is_running(email, seat) and seat is not None and seat.absent_since is not None


def substitute_wanted(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The seat and the game, as anyone may know them."""
    wanted = Seat.objects.select_related("user").get(pk=email.about)
    position = read_position(email.the_game, None)
    others = (seat for seat in position.seats if seat != wanted)
    names = listed_names(seat_names(others))
    return {
        "colour": colour_text(wanted.colour),
        "names": names,
        "board": small_board(position.people, position.view),
        "settings": rules_and_pace(email.the_game),
        "preheader": _("The other players are %(names)s.") % {"names": names},
    }


def seat_is_free(email: OutboxEmail, seat: Seat | None) -> bool:
    """The seat still wants a substitute, and the reader may be one.

    That is nobody who sits at the table, or who blocks or is blocked by someone there.
    """
    wanted = Seat.objects.filter(pk=email.about, game=email.the_game, absent_since__isnull=False)
    open_game = (
        email.the_game.status == Game.Status.RUNNING and not email.the_game.closed_to_newcomers
    )
    blocked = blocks.at_odds_with(blocks.people_at(email.the_game))
    return seat is None and open_game and wanted.exists() and email.person not in blocked
