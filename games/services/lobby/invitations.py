"""Inviting people to a table by name or email address; accepting and declining."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games.models import Game, Invitation, User
from games.names import key_of, tidy_name
from games.services import live, outbox, site_state
from games.services.lobby import against_computers, email_invitees, tables
from games.services.lobby.settings import settings_of, takes_no_more, withdrawn
from games.services.people import joining, sanctions
from games.services.refused import Refused

MOST_FOR_A_TABLE: Final = 20
MOST_IN_A_DAY: Final = 50
"""How many addresses a person may invite within 24 hours: the site must not serve for spam."""

REMIND_AFTER: Final = timedelta(days=3)
"""When an invitation without an answer is repeated, once."""


class Invited(NamedTuple):
    """How many were invited who had not been yet, and the names that no player has."""

    fresh: int
    unknown: list[str]


def invite(
    *,
    game_id: int,
    user: User,
    addresses: Iterable[str],
    names: Iterable[str] = (),
    now: datetime,
) -> Invited:
    """Invite these addresses and players to a waiting table at which `user` sits.

    Names that nobody has don't keep the others from being invited. Addresses are in small letters,
    names are public. Nobody gets a second email about this table; the result is the same whether
    somebody else has invited them or nobody.
    """
    site_state.refuse_invitations(now, user.time_zone)
    people, unknown = _called(names)
    with transaction.atomic(durable=True):
        sanctions.refuse_who_may_not_write(joining.lock_person(user, now), now)
        game = Game.objects.lock(game_id)
        if game.status != Game.Status.WAITING:
            raise Refused(takes_no_more(game))
        if not game.seats.filter(user=user).exists():
            raise Refused(_("Only players at this table can invite others."))
        own = game.invitations.filter(invited_by=user)
        invited = set(own.values_list("email", "by_name"))
        fresh = sorted({one for one in addresses if (one, False) not in invited})
        seated = set(game.seats.values_list("user__email", flat=True))
        named = sorted({one for one in people if (one, True) not in invited} - seated)
        _refuse_too_many(user, game.invitations.count(), len(fresh) + len(named), now)
        _write_invitations(game, fresh, user, now)
        _write_invitations(game, named, user, now, by_name=True)
    return Invited(len(fresh) + len(named), unknown)


def _called(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """The addresses of the players with these public names, and the names of nobody."""
    keys = {key_of(tidy_name(name)): name for name in names}
    found = User.objects.filter(name_key__in=keys, is_guest=False)
    addresses = dict(found.values_list("name_key", "email"))
    unknown = [name for key, name in keys.items() if key not in addresses]
    return list(addresses.values()), unknown


def _refuse_too_many(user: User, invited: int, fresh: int, now: datetime) -> None:
    if invited + fresh > MOST_FOR_A_TABLE:
        text = _("No more than {most} people can be invited to a table.")
        raise Refused(text.format(most=MOST_FOR_A_TABLE))
    since = now - timedelta(days=1)
    today = Invitation.objects.filter(invited_by=user, created_at__gt=since).count()
    if today + fresh > MOST_IN_A_DAY:
        text = _(
            "You can't invite more than {most} people in 24 hours. Share the table's link instead."
        )
        raise Refused(text.format(most=MOST_IN_A_DAY))


def _write_invitations(
    game: Game, addresses: Sequence[str], user: User, now: datetime, *, by_name: bool = False
) -> None:
    """Write the invitations and their emails; the game is locked.

    People who may not play get no email, nor those invited to this table before, nor somebody
    without an account who has had enough; and nobody learns that.
    """
    not_emailed = email_invitees.not_to_be_emailed(addresses, user, now)
    not_emailed |= set(game.invitations.values_list("email", flat=True))
    not_emailed |= set(
        User.objects.filter(email__in=addresses)
        .filter(Q(is_active=False) | Q(suspended_until__gt=now))
        .values_list("email", flat=True)
    )
    members = {one.email: one for one in User.objects.filter(email__in=addresses)}
    if addresses:
        _refresh_open_pages(game, addresses)
    for address in addresses:
        invitation = Invitation.objects.create(
            game=game, email=address, invited_by=user, by_name=by_name, created_at=now
        )
        if address in not_emailed:
            continue
        member = members.get(address)
        about: dict[str, Any] = {"game": game, "person": member, "about": invitation.pk}
        if member is None:
            about["address"] = address
        outbox.enqueue("invitation", **about, now=now)
        later = now + REMIND_AFTER
        outbox.enqueue("invitation_reminder", **about, now=now, not_before=later)


def _refresh_open_pages(game: Game, addresses: Sequence[str]) -> None:
    """Refresh the pages of those who are invited, and those that show how many are."""
    live.table_changed(game.pk)
    live.people_concerned(User.objects.filter(email__in=addresses).values_list("pk", flat=True))


def accept(*, invitation_id: int, user: User, now: datetime, seen: int | None = None) -> Game:
    """Sit down at the table of an invitation, also after having declined it; the table.

    `seen` is the version of its settings that the person has seen.
    """
    with transaction.atomic(durable=True):
        joining.lock_person(user, now)
        invitation = Invitation.objects.get(pk=invitation_id)
        game = Game.objects.lock(invitation.game_id)
        invitation.refresh_from_db()
        if invitation.status == Invitation.Status.WITHDRAWN:
            raise Refused(withdrawn())
        tables.sit_down(game, user, now, seen)
        _settle(invitation, Invitation.Status.ACCEPTED)
    return game


def decline(*, invitation_id: int) -> None:
    """Decline an invitation. A player who has accepted can leave the table instead."""
    with transaction.atomic(durable=True):
        invitation = Invitation.objects.select_for_update().get(pk=invitation_id)
        if invitation.status == Invitation.Status.ACCEPTED:
            raise Refused(
                _("This invitation has already been accepted. To leave the table, go to its page.")
            )
        _settle(invitation, Invitation.Status.DECLINED)
        _refresh_open_pages(invitation.game, [invitation.email])


def open_ones_of(person: User) -> QuerySet[Invitation]:
    """The invitations of somebody to tables that wait, which nobody has answered."""
    return Invitation.objects.filter(
        invited_by=person, status=Invitation.Status.OPEN, game__status=Game.Status.WAITING
    )


def withdraw_all(invitations: QuerySet[Invitation]) -> int:
    """Withdraw all of these that are open, in a transaction; how many.

    Their emails and reminders that haven't been sent aren't sent any more.
    """
    games = sorted(set(invitations.values_list("game", flat=True)))
    count = 0
    for game in [Game.objects.lock(game_id) for game_id in games]:
        rows = list(invitations.filter(game=game))
        ids = [one.pk for one in rows]
        Invitation.objects.filter(pk__in=ids).update(status=Invitation.Status.WITHDRAWN)
        _refresh_open_pages(game, [one.email for one in rows])
        count += len(rows)
    return count


def _settle(invitation: Invitation, status: Invitation.Status) -> None:
    """Give all who invited them in the same way, by name or by address, the same answer.

    Those who did in the other way get none: it would show whose address it is. A person who
    accepts and was invited by name too, accepts that.
    """
    invited = Invitation.objects.filter(game=invitation.game_id, email=invitation.email)
    named = invited.filter(by_name=True)
    accepts_name = status is Invitation.Status.ACCEPTED and named.exists()
    by_name = invitation.by_name or accepts_name
    invited.filter(by_name=by_name).update(status=status)
    otherwise = invited.filter(by_name=not by_name, status=Invitation.Status.OPEN)
    otherwise.update(status=Invitation.Status.ELSEWHERE)


def again(*, game_id: int, user: User, now: datetime) -> Game:
    """A table with the settings of a finished game, to which all who played are invited.

    There is one such table for a game: whoever asks for it later sits down there, unless its
    settings have been changed, which they haven't seen. After a game
    against computer players without deadlines, another one begins at once.
    """
    with transaction.atomic(durable=True):
        person = joining.lock_person(user, now)
        old = Game.objects.lock(game_id)
        if old.status != Game.Status.FINISHED:
            raise Refused(_("You can offer a rematch once the game is over."))
        if not old.seats.filter(user=user).exists():
            raise Refused(_("Only players in this game can offer a rematch."))
        opened = Game.objects.filter(rematch_of=old).exclude(status=Game.Status.CANCELLED)
        game = opened.select_for_update(no_key=True).order_by("pk").first()
        if game is None:
            if not old.has_deadlines:  # nobody else has played
                return against_computers.begin(
                    settings_of(old), host=person, now=now, rematch_of=old
                )
            sanctions.refuse_who_may_not_write(person, now)
            # For those who played: the host may list it, where one of them does not come.
            settings = replace(settings_of(old), listed=False)
            tables.refuse_one_more(person, now)
            game = tables.make(settings, host=user, now=now, rematch_of=old)
            others = User.objects.filter(seats__game=old, is_active=True).exclude(pk=user.pk)
            addresses = list(others.values_list("email", flat=True))
            _write_invitations(game, addresses, user, now, by_name=True)
        elif game.status == Game.Status.WAITING and not game.settings_version:
            tables.sit_down(game, user, now)
    return game
