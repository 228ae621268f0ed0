"""What members may read of a person, of what they played, and of those whom they know or block."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Count, Exists, Q, Sum
from django.utils.translation import gettext as _

from games.models import Acquaintance, Block, Game, Seat, Sitting, User
from games.models.people import ProfilePart
from games.presentation.text.words import day, edition_name
from games.services.game.unreadable import view_of
from games.services.lobby.lists import ShownGame, shown_games
from games.services.people import acquaintances
from games.services.people.companions import Companion, companions_of
from games.services.people.reliability import COUNTED_MONTHS, reliability_of

MOST_TABLES: Final = 20
MOST_SHOWN: Final = 100
MOST_COUNTED: Final = 100
MOST_GAMES: Final = 5


class Results(NamedTuple):
    """Games of one edition that somebody has finished, and how many of them they won or shared."""

    edition: str
    played: int
    won: int


class Known(NamedTuple):
    """What two people have declared about knowing each other, as one of them reads it.

    The reader has `declared` it, or the other one has (`to_answer`), or both have (`confirmed`);
    none of it where nobody has. `note` is what was written with it.
    """

    declared: bool = False
    to_answer: bool = False
    confirmed: bool = False
    note: str = ""


class PersonPage(NamedTuple):
    """A person's page. `own` says that it is the reader's; `tables` are those of both.

    What the person hides is empty.
    """

    person: User
    own: bool
    facts: list[str]
    results: list[Results]
    companions: list[Companion]
    games: list[ShownGame]
    tables: list[Game]
    blocked: bool
    ignored: bool
    known: Known


class PeoplePage(NamedTuple):
    """A person's acquaintances, open requests, and the people they block or ignore."""

    requests: list[Acquaintance]
    known: list[User]
    declared: list[User]
    blocked: list[User]
    ignored: list[User]


def read_person(person: User, reader: User, now: datetime) -> PersonPage:
    """The page of `person` as a member may see it: public facts, and what is between the two."""
    own = person == reader
    shows = {part for part in ProfilePart if part not in person.hidden_parts}
    between = User.objects.filter(pk=reader.pk).values_list(
        Exists(reader.blocks.filter(blocked=person)), Exists(reader.ignores.filter(ignored=person))
    )
    blocked, ignored = between.get()
    shared = Game.objects.filter(_tables_of(person)).filter(_tables_of(reader)).order_by("-pk")
    return PersonPage(
        person=person,
        own=own,
        facts=_facts(person, reader, now, shows),
        results=results_of(person) if ProfilePart.RESULTS in shows else [],
        companions=companions_of(person) if ProfilePart.COMPANIONS in shows else [],
        games=games_of(person) if ProfilePart.GAMES in shows else [],
        tables=[] if own else list(shared[:MOST_TABLES]),
        blocked=blocked,
        ignored=ignored,
        known=Known() if own else _known(person, reader),
    )


def _facts(person: User, reader: User, now: datetime, shows: set[ProfilePart]) -> list[str]:
    over = _counts(person)
    joined = day(person.date_joined, reader.time_zone)
    return [
        _("Member since {date}.").format(date=joined),
        _("Games finished: {count}.").format(count=over["games"]),
        *([_reliability_text(person, now)] if ProfilePart.RELIABILITY in shows else []),
        *(_promises_text(over) if ProfilePart.PROMISES in shows else []),
    ]


def _counts(person: User) -> dict[str, int | None]:
    """In games that are over: how many they finished, and what became of their promises."""
    over = person.sittings.filter(seat__game__status=Game.Status.FINISHED, seat__game__guided=False)
    return over.aggregate(
        games=Count("seat__game", filter=Q(seat__user=person), distinct=True),
        kept=Sum("promises_kept"),
        broken=Sum("promises_broken"),
        let_pass=Sum("promises_let_pass"),
    )


def _promises_text(counts: dict[str, int | None]) -> list[str]:
    """What they kept, broke and let pass; nothing if they never promised anything."""
    if not (counts["kept"] or counts["broken"] or counts["let_pass"]):
        return []
    text = _("Promises kept: {kept}. Promises broken: {broken}.")
    if counts["let_pass"]:
        text = _(
            "Promises kept: {kept}. Promises broken: {broken}. Promises not kept because of a "
            "missed deadline: {let_pass}."
        )
    return [text.format(**counts)]


def _reliability_text(person: User, now: datetime) -> str:
    """How many of their moves they made in time."""
    one = reliability_of([person.pk], now)[person.pk]
    if one.percent is None:
        return _("On time: not enough moves yet.")
    text = _("On time: {percent}% of {count} moves in the last {months} months.")
    return text.format(percent=one.percent, count=one.counted, months=COUNTED_MONTHS)


def _tables_of(person: User) -> Q:
    return Q(pk__in=Seat.objects.filter(user=person).values("game")) | Q(
        pk__in=Sitting.objects.filter(user=person).values("seat__game")
    )


def results_of(person: User) -> list[Results]:
    """The results of their last `MOST_COUNTED` games, the edition they play most first."""
    seats = Seat.objects.filter(
        user=person, game__status=Game.Status.FINISHED, game__guided=False
    ).select_related("game")
    played: dict[str, list[bool]] = {}
    for seat in seats.order_by("-game__finished_at", "-pk")[:MOST_COUNTED]:
        seen = view_of(seat.game, seat.number)
        if seen is not None:
            played.setdefault(seat.game.edition, []).append(seat.number in seen.winners)
    by_games = sorted(played.items(), key=lambda item: (-len(item[1]), item[0]))
    return [Results(edition_name(edition), len(won), sum(won)) for edition, won in by_games]


def games_of(person: User) -> list[ShownGame]:
    """Listed games of theirs, running ones first: anybody may watch them or look at them."""
    listed = Game.objects.filter(
        listed=True,
        guided=False,
        parked_at=None,
        status__in=(Game.Status.RUNNING, Game.Status.FINISHED),
        seats__user=person,
    )
    return shown_games(listed.order_by("-status", "-started_at", "-pk")[:MOST_GAMES])


def _known(person: User, reader: User) -> Known:
    row = acquaintances.between(reader, person.pk)
    if row is None:
        return Known()
    confirmed = row.confirmed_at is not None
    own = row.person_id == reader.pk
    if not own and reader.blocks.filter(blocked=person).exists():
        return Known(confirmed=confirmed)
    return Known(
        declared=own and not confirmed,
        to_answer=not own and not confirmed,
        confirmed=confirmed,
        note=row.note,
    )


def read_people(reader: User) -> PeoplePage:
    """Everybody with whom something is between them and the reader, by name."""
    own = Acquaintance.objects.filter(Q(person=reader) | Q(other=reader))
    rows = list(own.select_related("person", "other")[:MOST_SHOWN])
    blocks = Block.objects.filter(blocker=reader).select_related("blocked")
    ignores = reader.ignores.select_related("ignored")
    return PeoplePage(
        requests=list(acquaintances.requests_to(reader)[:MOST_SHOWN]),
        known=_by_name(
            row.other if row.person == reader else row.person for row in rows if row.confirmed_at
        ),
        declared=_by_name(
            row.other for row in rows if row.person == reader and row.confirmed_at is None
        ),
        blocked=_by_name(row.blocked for row in blocks[:MOST_SHOWN]),
        ignored=_by_name(row.ignored for row in ignores[:MOST_SHOWN]),
    )


def _by_name(people: Iterable[User]) -> list[User]:
    return sorted(people, key=lambda person: person.name.casefold())
