"""Everything of a person that a moderator may clear up at once, and what that would do."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from django.db.models import Count, Max, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game, Invitation, Message, Move, Report, Seat, User
from games.presentation.text.tables import computer_player_name
from games.presentation.text.words import colour_text, listed, moment
from games.services.game.dormancy import nobody_would_be_left
from games.services.lobby.invitations import open_ones_of
from games.services.reports.queries import about_text
from games.services.reports.rights import reports_for
from games.services.roles import own_tables

MOST_TABLES: Final = 10
"""At how many tables messages are counted by the table, those with the latest first."""


def seats_of(person: User, *, only_absent: bool) -> QuerySet[Seat]:
    """Their seats in games that run, the oldest game first."""
    seats = Seat.objects.filter(user=person, game__status=Game.Status.RUNNING)
    if only_absent:
        seats = seats.filter(absent_since__isnull=False)
    rows = seats.select_related("game").defer("game__state").prefetch_related("game__seats")
    return rows.order_by("game")


def open_reports(person: User, moderator: User) -> QuerySet[Report]:
    """The reports about somebody that a moderator may decide now, the oldest first."""
    own = Q(state=Report.State.TAKEN, owner=moderator)
    rows = reports_for(moderator).filter(Q(state=Report.State.OPEN) | own, person=person)
    return rows.select_related("person", "game").order_by("at", "pk")


def public_messages(person: User, moderator: User) -> QuerySet[Message]:
    """What somebody has written to whole tables and a moderator may remove, the latest first."""
    written = Message.objects.filter(author=person, by_referee=False, redaction=None)
    return written.exclude(game__in=own_tables(moderator)).order_by("-pk")


def of_seats(person: User, computer_player: str, zone: str, *, only_absent: bool) -> Iterator[str]:
    """What leaving their seats would do, game by game; `computer_player` gets them, or nobody."""
    moves = Move.objects.filter(seat=OuterRef("pk"), user=person).order_by("-at")
    last = Subquery(moves.values("at")[:1])
    seats = seats_of(person, only_absent=only_absent).annotate(last=last)
    if not seats:
        yield _("{name} has no seat that this applies to.").format(name=person.name)
        return
    for seat in seats:
        yield _of_seat(seat, person, seat.last, zone)
        if nobody_would_be_left(seat.game.seats.all(), seat.number):
            text = _("Nobody else is left at the table {game}, so the game will go dormant.")
            yield text.format(game=seat.game)
    if computer_player:
        text = _("The computer player “{name}” gets these seats.")
        yield text.format(name=computer_player_name(computer_player))
    else:
        yield _(
            "These seats are freed, and the site looks for substitutes, except at tables closed "
            "to new players."
        )
    yield _(
        "Standing orders, drafts and notes in these games are deleted for good. Each seat can be "
        "given back on the game's page until someone else takes it."
    )


def _of_seat(seat: Seat, person: User, last: datetime | None, zone: str) -> str:
    """Which seat is lost, and whether somebody plays there now."""
    about = {"game": seat.game, "name": person.name, "colour": colour_text(seat.colour)}
    if seat.absent_since is not None:
        text = _("{game}: {name} ({colour}) loses their seat. Absent since {moment}.")
        return text.format(**about, moment=moment(seat.absent_since, zone))
    if last is None:
        text = _("{game}: {name} ({colour}) loses their seat. Playing, but hasn't moved yet.")
        return text.format(**about)
    text = _("{game}: {name} ({colour}) loses their seat. Playing; last move on {moment}.")
    return text.format(**about, moment=moment(last, zone))


def of_messages(person: User, moderator: User) -> list[str]:
    """What removing all their public messages would do."""
    text = _(
        "{name} gets one email and may appeal once; if the appeal is granted, all the messages "
        "are visible again."
    )
    which = which_messages(person, moderator)
    return [*which, text.format(name=person.name)] if len(which) > 1 else which


def which_messages(person: User, moderator: User) -> list[str]:
    """How many messages would be removed where, and what is read in their place."""
    found = public_messages(person, moderator).order_by().values("game__name")
    written = list(found.annotate(latest=Max("pk"), count=Count("pk")).order_by("-latest"))
    if not written:
        return [_("There are no public messages to remove.")]
    tables = [row["game__name"] for row in written]
    count = sum(row["count"] for row in written)
    text = ngettext(
        "{count} public message from {name} at {tables} is removed.",
        "{count} public messages from {name} at {tables} are removed.",
        count,
    )
    names = tables[:MOST_TABLES]
    named = listed([*names, _("other tables")] if len(tables) > MOST_TABLES else names)
    return [
        text.format(count=count, name=person.name, tables=named),
        _("The reason is shown in place of each message. Messages at your own tables stay."),
    ]


def of_reports(person: User, moderator: User, *, uphold: bool) -> Iterator[str]:
    """What deciding the open reports about them would do."""
    found = list(open_reports(person, moderator))
    if not found:
        yield _("There's no open report about {name} that you may decide on.").format(
            name=person.name
        )
    text = _("Upheld: {report}.") if uphold else _("Dismissed: {report}.")
    for report in found:
        yield text.format(report=about_text(report))


def hosted_tables(person: User, moderator: User) -> list[Game]:
    """The tables that wait of which they are the host, but those of the moderator."""
    waiting = Game.objects.filter(status=Game.Status.WAITING, host=person)
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("pk"))
    rows = waiting.exclude(pk__in=own_tables(moderator)).prefetch_related(seats)
    return list(rows.order_by("pk"))


def open_invitations(person: User, moderator: User) -> QuerySet[Invitation]:
    """The open invitations that somebody has sent, but those to tables of the moderator."""
    return open_ones_of(person).exclude(game__in=own_tables(moderator))


def of_invitations(person: User, moderator: User) -> list[str]:
    """What withdrawing all invitations they sent would do."""
    found = list(open_invitations(person, moderator).select_related("game"))
    if not found:
        return [_("There are no open invitations to withdraw.")]
    text = ngettext(
        "{count} open invitation to {tables} is withdrawn.",
        "{count} open invitations to {tables} are withdrawn.",
        len(found),
    )
    tables = listed(dict.fromkeys(str(one.game) for one in found))
    return [text.format(count=len(found), tables=tables)]


def of_tables(person: User, moderator: User, what: str) -> Iterator[str]:
    """What settling the waiting tables of a host would do, table by table."""
    found = hosted_tables(person, moderator)
    if not found:
        yield _("{name} isn't hosting any tables that are waiting for players.").format(
            name=person.name
        )
    for game in found:
        seated = (seat.user for seat in game.seats.all())
        others = [one.name for one in seated if one is not None and one != person]
        yield _of_table(game, others, what)


def _of_table(game: Game, others: list[str], what: str) -> str:
    if what == "close":
        text = _("{game} is closed. Everyone there gets an email.")
    elif not others:
        text = _("{game} stays as it is: nobody else has a seat there.")
    elif what == "hand-over":
        text = _("{game}: {name} becomes the host, and the former host loses their seat.")
    else:
        text = _("{game} starts at once with {names} and computer players.")
    return text.format(game=game, name=others[0] if others else "", names=listed(others or [""]))
