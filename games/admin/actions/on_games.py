"""The actions on a game; those on a seat are beside them (`on_seats`)."""

from typing import Final

from django.utils.translation import gettext_lazy

from games.admin.actions.on_seats import ON_SEATS
from games.admin.actions.row import Action, Group, unless
from games.admin.actions.when import (
    in_play_unless,
    unless_clock_has_played,
    unless_failed,
    unless_going_on,
    unless_in_play,
    unless_moved,
    unless_parked_with_others,
    unless_waiting,
)
from games.forms.moderation import game_actions as forms
from games.forms.moderation import seat_actions
from games.forms.moderation.secrets import RevealSecretsForm
from games.forms.moderation.waiting import NewHostForm, StartForm
from games.models import Game
from games.services.moderation import secrets
from games.services.moderation.actions import (
    messages,
    rewind,
    seats,
    timing,
    waiting,
    watching,
)

ON_GAMES: Final = (
    Action(
        "game.retry",
        gettext_lazy("Retry now"),
        gettext_lazy(
            "For a game that couldn't continue. Rebuilds the game from its log, tries again, and "
            "extends deadlines that have passed in the meantime. If the game still can't "
            "continue, nothing changes."
        ),
        gettext_lazy("The game works again. Players whose turn it is get an email."),
        forms.GameActionForm,
        timing.retry,
        unless_failed,
        group=Group.REPAIR,
    ),
    Action(
        "game.retry-all",
        gettext_lazy("Retry all"),
        gettext_lazy(
            "Retries this game and all others that were parked for the same reason, one by one. "
            "Games that still can't continue stay parked. Your own tables are left to another "
            "moderator."
        ),
        None,
        forms.GameActionForm,
        timing.retry_all,
        unless_parked_with_others,
        group=Group.REPAIR,
    ),
    Action(
        "game.pause",
        gettext_lazy("Pause"),
        gettext_lazy(
            "Nobody can move, and the clock stops. When the game resumes, players get back the "
            "time they had left. Everyone at the table is notified by email."
        ),
        gettext_lazy("The game is paused. Everyone at the table gets an email."),
        forms.PauseForm,
        timing.pause,
        unless_going_on,
        reads_state=True,
        group=Group.TIME,
    ),
    Action(
        "game.resume",
        gettext_lazy("Resume"),
        gettext_lazy(
            "The clock resumes with the time each player had left. Everyone at the table "
            "is notified by email."
        ),
        gettext_lazy("The game continues. Everyone at the table gets an email."),
        forms.GameActionForm,
        timing.resume,
        in_play_unless(lambda game: game.paused_at, gettext_lazy("The game isn't paused.")),
        reads_state=True,
        group=Group.TIME,
    ),
    Action(
        "game.extend",
        gettext_lazy("Give extra time"),
        gettext_lazy(
            "Extends the deadline by the number of hours you enter. The players affected are "
            "notified by email."
        ),
        gettext_lazy("Extra time has been added for {whom}. They get an email."),
        seat_actions.ExtendForm,
        timing.extend,
        unless_going_on,
        reads_state=True,
        group=Group.TIME,
    ),
    Action(
        "game.deadline",
        gettext_lazy("Set a deadline"),
        gettext_lazy(
            "Changes the deadline to the one you enter. The players affected are notified by email."
        ),
        gettext_lazy("{whom} now has a new deadline. They get an email."),
        seat_actions.DeadlineForm,
        timing.set_deadline,
        unless_going_on,
        reads_state=True,
        group=Group.TIME,
    ),
    *ON_SEATS,
    Action(
        "game.close",
        gettext_lazy("Close the table to new players"),
        gettext_lazy("Substitutes can no longer take a seat, and the table is unlisted."),
        gettext_lazy("The table is now closed to new players and unlisted. Nobody gets an email."),
        forms.GameActionForm,
        seats.close_to_newcomers,
        in_play_unless(
            lambda game: not game.closed_to_newcomers,
            gettext_lazy("The table is already closed to new players."),
        ),
        reads_state=True,
    ),
    Action(
        "game.open",
        gettext_lazy("Open the table to new players"),
        gettext_lazy(
            "Substitutes can take a seat again, and the site looks for one for every seat that "
            "needs one."
        ),
        gettext_lazy(
            "Substitutes can take a seat again. If any are needed, possible substitutes get "
            "an email."
        ),
        forms.GameActionForm,
        seats.open_to_newcomers,
        in_play_unless(
            lambda game: game.closed_to_newcomers,
            gettext_lazy("The table is already open to new players."),
        ),
        reads_state=True,
    ),
    Action(
        "game.rewind",
        gettext_lazy("Rewind"),
        gettext_lazy(
            "Rewinds the game to an earlier point between two moves. The game then continues "
            "from there. You'll see a preview first."
        ),
        "{done}",
        forms.RewindForm,
        rewind.rewind,
        unless_moved,
        danger=True,
        reads_state=True,
        group=Group.REPAIR,
    ),
    Action(
        "game.our-fault",
        gettext_lazy("It was our fault"),
        gettext_lazy(
            "For a move that the clock made because something went wrong on our side. Rewinds "
            "the game to just before that move, with the full time to make it, and the missed "
            "deadline doesn't count. You'll see a preview first."
        ),
        "{done}",
        forms.OurFaultForm,
        rewind.was_our_fault,
        unless_clock_has_played,
        danger=True,
        reads_state=True,
    ),
    Action(
        "game.pace",
        gettext_lazy("Change the pace"),
        gettext_lazy(
            "Changes the time per move, starting with the next decision. Everyone at the "
            "table is notified by email."
        ),
        gettext_lazy(
            "The pace changes from the next decision on. Everyone at the table gets an email."
        ),
        forms.PaceForm,
        timing.change_pace,
        unless_in_play,
        reads_state=True,
        group=Group.TIME,
    ),
    Action(
        "game.referee",
        gettext_lazy("Write as the referee"),
        gettext_lazy("Posts to the table chat as the referee, without your name."),
        gettext_lazy("Your message is in the chat. Everyone at the table gets an email."),
        forms.RefereeForm,
        messages.write_as_referee,
    ),
    Action(
        "game.rename",
        gettext_lazy("Rename the table"),
        gettext_lazy(
            "Renames the table everywhere, including in its chat and in future emails. Everyone "
            "at the table is notified by email."
        ),
        gettext_lazy("The table has been renamed. Everyone at the table gets an email."),
        forms.RenameForm,
        messages.rename_table,
    ),
    Action(
        "game.watch",
        gettext_lazy("Change who may watch"),
        gettext_lazy(
            "Lets people without an account watch the game, or stops them right away. Until it's "
            "over, they can watch only if the table is listed."
        ),
        gettext_lazy("You've changed who may watch. Nobody gets an email."),
        forms.WatchForm,
        watching.choose_who_watches,
    ),
    Action(
        "game.remove-note",
        gettext_lazy("Remove the description"),
        gettext_lazy(
            "Deletes the table's description. Everyone at the table is notified by email."
        ),
        gettext_lazy("The description has been removed. Everyone at the table gets an email."),
        forms.GameActionForm,
        messages.remove_description,
        unless(lambda game: game.description, gettext_lazy("This table has no description.")),
        danger=True,
    ),
    Action(
        "game.send-again",
        gettext_lazy("Resend an email"),
        gettext_lazy("Resends the email if it's still relevant."),
        gettext_lazy("The email will be sent again if it's still relevant."),
        forms.SendAgainForm,
        messages.send_again,
        group=Group.REPAIR,
    ),
    Action(
        "game.host",
        gettext_lazy("Choose a new host"),
        gettext_lazy(
            "For a table that is waiting for players. Everyone at the table and the former host "
            "are notified by email."
        ),
        gettext_lazy("{whom} is the host now. Everyone at the table gets an email."),
        NewHostForm,
        waiting.give_to_another_host,
        unless_waiting,
    ),
    Action(
        "game.start",
        gettext_lazy("Start with computer players"),
        gettext_lazy(
            "Computer players take the free seats at a table that is waiting for players, and "
            "the game starts at once. Everyone at the table is notified by email."
        ),
        gettext_lazy("The game has started. Everyone at the table gets an email."),
        StartForm,
        waiting.start_with_computer_players,
        unless_waiting,
        danger=True,
    ),
    Action(
        "game.cancel",
        gettext_lazy("Cancel the game"),
        gettext_lazy(
            "Ends the game permanently, without a winner. Everyone at the table is "
            "notified by email."
        ),
        gettext_lazy("The game is cancelled. Everyone at the table gets an email."),
        forms.GameActionForm,
        timing.cancel,
        unless(lambda game: not game.is_over, gettext_lazy("This game is already over.")),
        danger=True,
    ),
)

ON_SECRETS: Final = (
    Action(
        "secrets.reveal",
        gettext_lazy("Reveal secrets"),
        gettext_lazy(
            "Shows you this game's secrets once. This is recorded in the audit log, and from "
            "then on you can't play at this table. When the game is over, everyone at the table "
            "sees what was revealed and why."
        ),
        None,
        RevealSecretsForm,
        secrets.reveal_secrets,
        unless(
            lambda game: game.status == Game.Status.RUNNING,
            gettext_lazy("Only a running game has secrets."),
        ),
        danger=True,
    ),
)
