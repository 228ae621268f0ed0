"""The actions on a seat of a game, and who plays there; the page of the game has them beside it."""

from typing import Final

from django.utils.translation import gettext_lazy

from games.admin.actions.row import Action, Group
from games.admin.actions.when import in_play_unless, unless_going_on, unless_in_play
from games.forms.moderation import seat_actions
from games.services.game.interventions import left_seats
from games.services.moderation.actions import seats, timing

ON_SEATS: Final = (
    Action(
        "game.default",
        gettext_lazy("Play the default move now"),
        gettext_lazy(
            "Plays this seat's standing order now, or the default move if there is none. This "
            "doesn't count as a missed deadline. The player is notified by email."
        ),
        gettext_lazy("The move was played for {whom}. They get an email."),
        seat_actions.DefaultForm,
        timing.play_default,
        unless_going_on,
        danger=True,
        reads_state=True,
        group=Group.SEAT,
    ),
    Action(
        "game.excuse",
        gettext_lazy("Forgive all missed deadlines"),
        gettext_lazy(
            "Clears all of this seat's missed deadlines. The player is notified by email."
        ),
        gettext_lazy("The missed deadlines of {whom} have been cleared. They get an email."),
        seat_actions.ExcuseForm,
        seats.excuse,
        in_play_unless(
            lambda game: any(seat.user_id and any(seat.missed) for seat in game.seats.all()),
            gettext_lazy("Nobody at this table has missed a deadline."),
        ),
        reads_state=True,
        group=Group.SEAT,
    ),
    Action(
        "game.absent",
        gettext_lazy("Mark absent"),
        gettext_lazy(
            "The game no longer waits for this seat. Its orders, drafts and notes are deleted, "
            "and the site looks for a substitute unless the table is closed to new players. The "
            "player is notified by email and may return at any time before a substitute takes "
            "over."
        ),
        gettext_lazy("The game no longer waits for {whom}. They get an email."),
        seat_actions.PresentSeatForm,
        seats.mark_absent,
        unless_in_play,
        danger=True,
        reads_state=True,
        group=Group.SEAT,
    ),
    Action(
        "game.present",
        gettext_lazy("Mark present"),
        gettext_lazy(
            "The game waits for this seat again, with a new deadline. The player is notified by "
            "email."
        ),
        gettext_lazy("The game waits for {whom} again. They get an email."),
        seat_actions.AbsentSeatForm,
        seats.mark_present,
        in_play_unless(
            lambda game: any(seat.user_id and seat.absent_since for seat in game.seats.all()),
            gettext_lazy("Nobody at this table is absent."),
        ),
        reads_state=True,
        group=Group.SEAT,
    ),
    Action(
        "game.house-player",
        gettext_lazy("Replace with a computer player"),
        gettext_lazy(
            "A computer player takes over this seat, and the player who had it leaves the game. "
            "The seat can be given back to them. Everyone at the table is notified by email."
        ),
        gettext_lazy(
            "A computer player now has the seat of {whom}. Everyone at the table gets an email."
        ),
        seat_actions.ComputerPlayerForm,
        seats.replace_by_computer_player,
        unless_in_play,
        danger=True,
        reads_state=True,
        group=Group.SEAT,
    ),
    Action(
        "game.reopen",
        gettext_lazy("Remove the player and look for a substitute"),
        gettext_lazy(
            "The player leaves the game, and the site looks for a substitute unless the table is "
            "closed to new players. Until there is one, the seat can be given back. Everyone at "
            "the table is notified by email."
        ),
        gettext_lazy(
            "The seat of {whom} is free for a substitute. Everyone at the table gets an email."
        ),
        seat_actions.FreeForm,
        seats.reopen_seat,
        unless_in_play,
        danger=True,
        reads_state=True,
        group=Group.SEAT,
    ),
    Action(
        "game.give-back",
        gettext_lazy("Give the seat back"),
        gettext_lazy(
            "The last player to have the seat gets it back, unless a substitute has taken it. "
            "This also works if a computer player has the seat. Everyone at the table is "
            "notified by email."
        ),
        gettext_lazy("{whom} has the seat again. Everyone at the table gets an email."),
        seat_actions.GiveBackForm,
        seats.give_seat_back,
        in_play_unless(
            lambda game: left_seats(game.pk),
            gettext_lazy("There's no seat at this table that can be given back."),
        ),
        reads_state=True,
        group=Group.SEAT,
    ),
)
