"""What a person sees of tables: one that waits, and those that are listed."""

from datetime import datetime
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game, Invitation, Seat, User
from games.presentation.text.tables import (
    bribing_text,
    computer_player_name,
    language_name,
    option_text,
    pace_text,
    time_text,
)
from games.presentation.text.words import edition_name, moment
from games.services.lobby.changed_settings import changes_for
from games.services.lobby.length import late_turns, pace_in_plain_words
from games.services.lobby.settings import CLOSES_AFTER, why_closed
from games.services.lobby.strangers import may_watch
from games.services.people.acquaintances import acquaintance_texts, acquaintances_among
from games.services.people.blocks import not_for
from games.services.people.companions import people_to_invite
from games.services.people.conditions import conditions_text, unmet, unmet_by
from games.services.people.display_names import (
    host_name,
    inviter_name,
    names_of_addresses,
    player_name,
    seat_crest,
    seat_person_id,
)
from games.services.people.reliability import in_time_text, reliability_of
from games.services.public_ids import public_id

MOST_LISTED = 50


class Invitee(NamedTuple):
    """Somebody who was invited: their address or name, and the state of the invitation."""

    name: str
    status: str


class LobbySeat(NamedTuple):
    """A taken seat at a table that has not started.

    `in_time` is how reliable its player is, and `agreed` whether they have agreed to the settings.
    """

    id: str
    name: str
    person_id: int | None
    crest: str
    own: bool
    in_time: str
    agreed: bool


class LobbyPage(NamedTuple):
    """A table that has not started, as one person may see it.

    `settings` and `pace` are sentences, and so is `known`: which of the players know each other.
    `invitees` are those the reader may know, `invited_more` the number of the others without an
    answer. `companions` are those whom the reader may want to invite. `unmet` is why the reader may
    not take a seat at a table that asks for more moves made in time. `changes` is what they have to
    agree to, in sentences, since the host has changed the settings.
    """

    host_name: str
    seats: list[LobbySeat]
    free: int
    seated: bool
    is_host: bool
    settings: list[str]
    closes: str
    invitees: list[Invitee]
    invited_more: int
    companions: list[User]
    known: list[str]
    unmet: str
    pace: list[str]
    changes: list[str]

    @property
    def all_agreed(self) -> bool:
        """Whether everybody has agreed to the settings."""
        return all(seat.agreed for seat in self.seats)

    @property
    def has_seat_for_reader(self) -> bool:
        """Whether there is a free seat, and the reader has none yet."""
        return self.free > 0 and not self.seated


class InvitationPage(NamedTuple):
    """The table of an invitation, as anybody with the link may see it.

    `pace` and `settings` are sentences. `closed` says why nobody can sit down there any more, empty
    while one can; `unmet` is why the reader may not take a seat at a table that asks for more moves
    made in time.
    """

    inviter: str
    names: list[str]
    free: int
    pace: list[str]
    settings: list[str]
    closed: str
    unmet: str


def read_table(game: Game, user: User, now: datetime) -> LobbyPage:
    """A table that waits for players, or was closed, as `user` may see it."""
    seats = list(game.seats.select_related("user").order_by("pk"))
    invitees, invited_more = _read_invitations(game, user)
    own = next((seat for seat in seats if seat.user == user), None)
    known = reliability_of({user.pk, *(seat.user_id for seat in seats if seat.user_id)}, now)
    return LobbyPage(
        host_name=host_name(game),
        seats=[
            LobbySeat(
                public_id("seat", seat.pk),
                player_name(seat),
                seat_person_id(seat),
                seat_crest(seat),
                own=seat is own,
                in_time=in_time_text(seat.user, known),
                agreed=seat.agreed_settings is None,
            )
            for seat in seats
        ],
        free=game.size - len(seats),
        seated=own is not None,
        is_host=game.host == user,
        settings=settings_text(game),
        closes=moment(game.created_at + CLOSES_AFTER, user.time_zone),
        invitees=invitees,
        invited_more=invited_more,
        companions=people_to_invite(user, besides=game),
        known=acquaintance_texts(seats, acquaintances_among(seats)),
        unmet=unmet_by(game, user, known[user.pk]) if own is None else "",
        pace=[*pace_in_plain_words(game), *late_turns(game)],
        changes=changes_for(own, game) if own is not None else [],
    )


def seat_taken_text(game: Game) -> str:
    """The message to a player who has just sat down at the table."""
    free = game.size - game.seats.count()
    if game.status != Game.Status.WAITING:
        text = _("You have a seat at “{table}”, and the game has started.")
    elif not free:
        text = _(
            "You have a seat at “{table}”. The game starts once everyone has agreed to the new "
            "settings."
        )
    else:
        text = ngettext(
            "You have a seat at “{table}”. The game starts once one more player has taken a seat.",
            "You have a seat at “{table}”. The game starts once {count} more players have taken a "
            "seat.",
            free,
        )
    return text.format(table=game.name, count=free)


def read_invitation(invitation: Invitation, user: User, now: datetime) -> InvitationPage:
    """The players and the settings of the table; `closed` says why nobody can sit down."""
    game = invitation.game
    seats = list(game.seats.select_related("user").order_by("pk"))
    return InvitationPage(
        inviter=inviter_name(invitation),
        names=[player_name(seat) for seat in seats],
        free=game.size - len(seats),
        pace=pace_in_plain_words(game),
        settings=settings_text(game),
        closed=why_closed(game, len(seats), invitation),
        unmet=unmet(game, user, now),
    )


def settings_text(game: Game) -> list[str]:
    """Everything that is agreed with a table, in sentences."""
    if not game.has_deadlines:
        return rules_and_pace(game)
    return [
        *rules_and_pace(game),
        _days_off_text(game.days_off),
        _("Listed: anyone can find this table.")
        if game.listed
        else _("Unlisted: anyone with the link can join."),
        conditions_text(game),
        _("The host can fill free seats with computer players.")
        if game.computer_players_allowed
        else _("No computer players: the game starts when the table is full."),
        _absent_text(game.absent_player),
        *(
            []
            if game.promises_count
            else [_("Promises at this table aren't included in players' profiles.")]
        ),
        *_strangers_text(game),
        *language_text(game),
    ]


def rules_and_pace(game: Game) -> list[str]:
    """The rules of a table, its seats and its pace, in sentences."""
    options = [
        f"{option_text(name, value)}." for name, value in game.options.items() if name != "bribing"
    ]
    seats = ngettext("{edition}, {count} seat.", "{edition}, {count} seats.", game.size)
    return [
        seats.format(edition=edition_name(game.edition), count=game.size),
        bribing_text(game.edition, game.options),
        *options,
        f"{pace_of(game)}." if game.has_deadlines else _("No deadlines: the game waits for you."),
        *_negotiation_time_text(game.talk_seconds),
        *_press_text(game),
    ]


def _negotiation_time_text(seconds: int) -> list[str]:
    """The negotiation time of a table; nothing if it has none."""
    if not seconds:
        return []
    text = _("Negotiation time before the first bribes of a turn: {time}.")
    return [text.format(time=time_text(seconds))]


def _press_text(game: Game) -> list[str]:
    """What players can say to each other; nothing where nobody else plays."""
    if game.press == Game.Press.PUBLIC:
        return (
            [_("No private conversations: everyone can read everything.")]
            if game.has_deadlines
            else []
        )
    if game.has_threads:
        return [
            _("Players can also talk privately."),
            _("Everyone sees who talks privately with whom.")
            if game.threads_shown
            else _("Other players don't see who talks privately with whom."),
            _("After the game, everyone can read the private messages.")
            if game.threads_published
            else _("Private messages stay private after the game."),
        ]
    return [_("No messages while the game is running: players can only make offers.")]


def _strangers_text(game: Game) -> list[str]:
    """Whether people without an account may look; nothing if they may once the game is over."""
    if game.strangers == Game.Strangers.NOBODY:
        return [_("Only people with an account can look at the game, even when it's over.")]
    if game.strangers == Game.Strangers.EVERYONE and game.listed and may_watch():
        return [_("People without an account can watch the game.")]
    return []


def language_text(game: Game) -> list[str]:
    """What players write to each other in; nothing if it is any language."""
    name = language_name(game.language)
    return [_("Language of the chat: {language}.").format(language=name)] if name else []


def _days_off_text(days: int) -> str:
    if not days:
        return _("No days off.")
    text = ngettext("{count} day off for each player.", "{count} days off for each player.", days)
    return text.format(count=days)


def _absent_text(computer_player: str) -> str:
    if computer_player == "default":
        return _("The default move, such as the minimum bribe, is played for absent players.")
    text = _("The computer player “{computer_player}” plays for absent players.")
    return text.format(computer_player=computer_player_name(computer_player))


def pace_of(game: Game) -> str:
    """How long a move may take at this table, in words."""
    return pace_text(game.move_seconds, game.no_play_days, game.fixed_hour, game.time_zone)


def _read_invitations(game: Game, user: User) -> tuple[list[Invitee], int]:
    """The invitations `user` may know of, and how many of the others are open.

    An address or a name is shown to the player who gave it. Those who played the game before this
    one, and are invited because of that, are known to each other by name, never by address.
    """
    gone = (Invitation.Status.ACCEPTED, Invitation.Status.WITHDRAWN)
    invited = list(game.invitations.exclude(status__in=gone))
    names = names_of_addresses([one.email for one in invited if one.by_name])
    played = (
        set(game.rematch_of.seats.values_list("user__email", flat=True)) if game.rematch_of else ()
    )
    invitees, more = [], 0
    for invitation in invited:
        own = invitation.invited_by_id == user.pk
        is_known = own or invitation.email in played
        if invitation.by_name and is_known and invitation.email in names:
            invitees.append(Invitee(names[invitation.email], invitation.get_status_display()))
        elif own and not invitation.by_name:
            invitees.append(Invitee(invitation.email, invitation.get_status_display()))
        elif invitation.status in {Invitation.Status.OPEN, Invitation.Status.ELSEWHERE}:
            more += 1
    return invitees, more


def tables_wanting_substitutes(user: User) -> list[Game]:
    """Listed games with an absent seat, at which the person has never sat, the latest first.

    None of somebody with whom they do not play.
    """
    absent = Seat.objects.filter(computer_player="").filter(
        Q(user=None) | Q(absent_since__isnull=False)
    )
    games = Game.objects.filter(
        status=Game.Status.RUNNING, listed=True, pk__in=absent.values("game")
    ).exclude(seats__sittings__user=user)
    games = games.exclude(pk__in=not_for(user))
    return list(games.order_by("-started_at", "pk")[:MOST_LISTED])


def listed_games(user: User) -> QuerySet[Game]:
    """Those that wait for players, not only for somebody who is to agree to its settings.

    Without the tables of those with whom the person does not play.
    """
    waiting = Game.objects.filter(listed=True).with_free_seats()
    own = Seat.objects.filter(user=user).values("game")
    return waiting.exclude(pk__in=own).exclude(pk__in=not_for(user))
