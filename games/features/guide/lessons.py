"""The lessons of a first game: two short sentences a step, and each of them once.

What they displace, and all else that explains a step, stands behind "Why?" (`text`).
"""

from collections.abc import Callable, Collection, Iterable
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine import Stage, View
from games.engine.ledger import Entry, Ledger, Status
from games.engine.promises import Verdict
from games.features.guide.worth import area_at_stake, payments_to_come
from games.presentation.text.words import People, money
from games.services.game.reply_time import is_request

AT_ONCE: Final = 2
"""How many lessons a step has."""


class Said(NamedTuple):
    """What a step says, and the lessons for which that leaves no room."""

    lead: list[str]
    displaced: list[str]


def said(
    people: People,
    view: View,
    ledger: Ledger,
    past: Iterable[str],
    news: Collection[int],
) -> Said:
    """What the player of this view, who has a decision to make, reads first.

    `past` are the stages of their earlier decisions in order, and `news` the offers of the ledger
    of which something has happened since their last move.
    """
    seat = view.seat or 0
    lessons = [lesson(view) for lesson in lessons_of(view.stage, past)]
    groups = [
        sentences
        for sentences in (_broken(people, seat, ledger, news), _offered(people, seat, ledger, news))
        if sentences
    ]
    if not groups:
        return Said(lessons, [])
    return Said(groups[0] if len(groups) == 1 else [one[0] for one in groups], lessons)


def when_requested(people: People, seat: int, ledger: Ledger) -> list[str]:
    """What a player reads who is asked for a promise, by how often they have been asked before."""
    requests = [one for one in ledger if one.other == seat and is_request(one.promise, one.by)]
    match len(requests):
        case 1:
            return [
                _("{name} asks what a bribe would get them.").format(
                    name=people.name(requests[0].by)
                ),
                _("Say yes, and you're paid more; keeping your word is up to you."),
            ]
        case 2:
            return [_("The more your word is worth, the more you're paid for it.")]
        case _:
            return []


def _broken(people: People, seat: int, ledger: Ledger, news: Collection[int]) -> list[str]:
    """Who has broken a promise to the player since they moved last."""
    broken = [one for one in ledger if one.verdict is Verdict.BROKEN and one.promise.to == seat]
    lately = [one.promise.seat for one in broken if one.id in news]
    if not lately:
        return []
    before = {one.promise.seat for one in broken if one.id not in news}
    name = people.name(lately[0])
    if not before:
        return [
            _("{name} has broken a promise to you!").format(name=name),
            _("The rules allow it: now you know how much their word is worth."),
        ]
    again = lately[0] in before
    text = _("{name} has let you down again.") if again else _("{name} has let you down, too.")
    return [text.format(name=name)]


def _offered(people: People, seat: int, ledger: Ledger, news: Collection[int]) -> list[str]:
    """The first offer to the player, as long as it is new and open."""

    def is_offered(entry: Entry) -> bool:
        return entry.other == seat and not is_request(entry.promise, entry.by)

    first = next((entry for entry in ledger if is_offered(entry)), None)
    if first is None or first.status is not Status.OPEN or first.id not in news:
        return []
    return [
        _("{name} has made you an offer: accept or decline it first.").format(
            name=people.name(first.by)
        ),
        _("Nobody has to keep a promise, but everyone sees who does."),
    ]


# The lessons of each stage.

type Lesson = Callable[[View], str]


def lessons_of(stage: Stage, past: Iterable[str]) -> list[Lesson]:
    """The lessons of a decision, of which the player has read none at their `past` ones."""
    read: set[Lesson] = set()
    for earlier in past:
        read.update(_next(Stage(earlier), read))
    return _next(stage, read)


def _next(stage: Stage, read: Collection[Lesson]) -> list[Lesson]:
    return [lesson for lesson in _LESSONS[stage] if lesson not in read][:AT_ONCE]


def _send(_view: View) -> str:
    return _("Send two scholars to other palaces: each job there pays you money every round.")


def _goal(view: View) -> str:
    text = _("The richest player after round {rounds} wins.")
    return text.format(rounds=view.table.edition.rounds)


def _early(_view: View) -> str:
    return _("The earlier a scholar gets a job, the more often it pays.")


def _safe(_view: View) -> str:
    return _("Where nobody else has the same occupation, the job is safe.")


def _no_rival(_view: View) -> str:
    return _("Without a rival, the job is safe: pay more only for better areas.")


def _rivals(_view: View) -> str:
    return _("Only one gets the job; the others go to the island for good.")


def _attack(_view: View) -> str:
    return _("This area is taken: the loser of the fight goes to the island.")


def _gone(_view: View) -> str:
    return _("Your bribe is gone, win or lose: the owner chooses freely.")


def _worth(view: View) -> str:
    area, times = area_at_stake(view), payments_to_come(view)
    return ngettext(
        "An area worth {area} pays only once more: bribe well below that.",
        "An area worth {area} pays {times} more times: bribe well below {total}.",
        times,
    ).format(area=money(area), times=times, total=money(area * times))


def _open(_view: View) -> str:
    return _("Players who bribe after you see what you've paid.")


def _promise(_view: View) -> str:
    return _("A promise costs nothing today: make the owner an offer.")


def _all_hired(_view: View) -> str:
    return _("Everyone at your door gets a job; you choose which.")


def _one_hired(_view: View) -> str:
    return _("Hire one of each occupation; the others go to the island.")


def _winner(_view: View) -> str:
    return _("Choose who gets this area; everyone else goes to the island.")


def _yours(_view: View) -> str:
    return _("The bribes are yours already, and nothing binds you: not even a promise.")


def _favours(_view: View) -> str:
    return _("Be good to the players who decide about your own scholars.")


def _leader(_view: View) -> str:
    return _("Good areas make rivals rich: save the worst one for the leader.")


_BRIBES: Final[tuple[Lesson, ...]] = (_gone, _worth, _open, _promise)
_DECISIONS: Final[tuple[Lesson, ...]] = (_yours, _favours, _leader)
_LESSONS: Final[dict[Stage, tuple[Lesson, ...]]] = {
    Stage.SENDING: (_send, _goal, _early, _safe),
    Stage.UNCONTESTED_BRIBES: (_no_rival, *_BRIBES),
    Stage.EXTERNAL_BRIBES: (_rivals, *_BRIBES),
    Stage.INTERNAL_BRIBES: (_attack, *_BRIBES),
    Stage.PLACEMENT: (_all_hired, *_DECISIONS),
    Stage.HIRING: (_one_hired, *_DECISIONS),
    Stage.JUDGEMENT: (_winner, *_DECISIONS),
}
