"""What is read of questions: by who asked, by moderators, and in the file with one's data."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db.models import Case, IntegerField, QuerySet, Value, When
from django.utils.functional import Promise
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.features.questions.models import Letter, Question
from games.features.questions.rights import questions_for
from games.models import Game, Report, User
from games.presentation.text.words import moment
from games.services.public_ids import public_id
from games.services.reports.queries import about_text

MOST: Final = 50
"""How many threads a page shows."""

SHORT: Final = 120
"""How many characters of a message stand in a list."""

MOST_GAMES: Final = 20

STATES_FOR_PERSON: Final[dict[str, Promise]] = {
    Question.State.WAITING: gettext_lazy("Waiting for the moderators."),
    Question.State.ANSWERED: gettext_lazy("The moderators have written to you."),
    Question.State.CLOSED: gettext_lazy("The moderators have closed this. You can still reply."),
}


class ThreadLine(NamedTuple):
    """A thread in the list of who asked: what it is about, how it stands, and its page."""

    id: str
    what: str
    at: str
    state: str
    names: list[str]


class LetterLine(NamedTuple):
    """A message of a thread; `who` is "" for the moderators, of whom people learn no names."""

    who: str
    by: str
    at: str
    text: str


def asker(question: Question) -> str:
    """Who asks, as moderators read it: a name, or an address without an account."""
    return question.address if question.person is None else question.person.name


def language_of(question: Question) -> str:
    """The language in which who asked is written to."""
    person = question.person
    return (question.language if person is None else person.language) or settings.LANGUAGE_CODE


def threads_of(person: User) -> list[ThreadLine]:
    """A person's threads, the one with the latest message first."""
    rows = person.questions.select_related("game", "report__game", "report__person")
    return [thread_line(one, person.time_zone) for one in rows.order_by("-last_at", "-pk")[:MOST]]


def thread_line(question: Question, zone: str) -> ThreadLine:
    """A thread as who asked sees it."""
    return ThreadLine(
        id=public_id("question", question.pk),
        what=what_text(question),
        at=moment(question.last_at, zone),
        state=str(STATES_FOR_PERSON[question.state]),
        names=names_in(question),
    )


def what_text(question: Question) -> str:
    """What a thread is about, in words: its kind, and the table or the report."""
    about = ""
    if question.report is not None:
        about = about_text(question.report)
    elif question.game is not None:
        about = f"“{question.game.name}”"
    kind = str(question.get_kind_display())
    return f"{kind} · {about}" if about else kind


def names_in(question: Question) -> list[str]:
    """The names in those words."""
    game = question.game if question.report is None else question.report.game
    return [game.name] if game is not None else []


def letters_for_person(question: Question, zone: str) -> list[LetterLine]:
    """What was written in a thread, without the notes of moderators."""
    letters = question.letters.exclude(by=Letter.By.NOTE).order_by("pk")
    return [
        LetterLine(
            who=_("You") if one.by == Letter.By.PERSON else _("The moderators"),
            by=one.by,
            at=moment(one.at, zone),
            text=one.text,
        )
        for one in letters
    ]


def tables_of(person: User) -> list[Game]:
    """The tables that a question may be about: those where the person sits, the latest first."""
    rows = Game.objects.filter(seats__user=person).only("pk", "token", "name")
    return list(rows.order_by("-pk")[:MOST_GAMES])


# For moderators


class QuestionRow(NamedTuple):
    """A thread in the list of moderators."""

    number: int
    kind: str
    person: str
    table: str
    text: str
    at: str
    state: str
    owner: str


def listed(moderator: User, state: str, *, mine: bool = False) -> QuerySet[Question]:
    """The threads in this state, or in any, that a moderator may read; the oldest of those that
    wait first, of all others the latest."""
    rows = questions_for(moderator)
    if mine:
        rows = rows.filter(owner=moderator)
    if state == Question.State.WAITING:
        return rows.filter(state=state).order_by("last_at", "pk")
    return (rows.filter(state=state) if state else rows).order_by("-last_at", "-pk")


def rows_of(questions: QuerySet[Question], most: int, zone: str) -> list[QuestionRow]:
    """These threads in words, each with what was written last in it."""
    found = list(questions.select_related("person", "game", "owner").defer("game__state")[:most])
    texts = _last_texts(found)
    return [
        QuestionRow(
            number=one.pk,
            kind=str(one.get_kind_display()),
            person=asker(one),
            table=one.game.name if one.game is not None else "",
            text=texts.get(one.pk, ""),
            at=moment(one.last_at, zone),
            state=str(one.get_state_display()),
            owner=one.owner.name if one.owner is not None else "",
        )
        for one in found
    ]


def _last_texts(questions: list[Question]) -> dict[int, str]:
    """The beginning of what each person wrote last, by the number of the thread."""
    letters = Letter.objects.filter(question__in=questions, by=Letter.By.PERSON)
    last = letters.order_by("question", "-pk").distinct("question")
    pairs = last.values_list("question", "text")
    return {number: Truncator(text).chars(SHORT) for number, text in pairs}


def waiting(moderator: User) -> QuerySet[Question]:
    """What waits for an answer: first what nobody has, then one's own, then that of others."""
    order = Case(
        When(owner=None, then=Value(0)),
        When(owner=moderator, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    return listed(moderator, Question.State.WAITING).order_by(order, "last_at", "pk")


def letters_for_moderators(question: Question, zone: str) -> list[LetterLine]:
    """All of a thread, with the notes, and who wrote what."""
    gone = question.address or _("Someone who has left")
    return [
        LetterLine(
            who=one.author.name if one.author is not None else gone,
            by=one.by,
            at=moment(one.at, zone),
            text=one.text,
        )
        for one in question.letters.select_related("author").order_by("pk")
    ]


def last_letter(question: Question) -> int:
    """The number of what was written last."""
    return question.letters.order_by("-pk").values_list("pk", flat=True).first() or 0


def thread_about(report: Report) -> Question | None:
    """The thread with who made a report, if a moderator has asked them something."""
    return report.questions.first()


# For the file with all of a person's data


def exported(person: User) -> dict[str, Any]:
    """What the person has asked the moderators, and what they answered."""
    return {"questions": list(_exported(person))}


def _exported(person: User) -> Iterator[dict[str, Any]]:
    rows = person.questions.select_related("game", "report__game", "report__person")
    for question in rows.order_by("pk"):
        yield {
            "about": what_text(question),
            "state": question.state,
            "at": _instant(question),
            "messages": [
                {"from_me": one.by == Letter.By.PERSON, "at": _instant(one), "text": one.text}
                for one in question.letters.exclude(by=Letter.By.NOTE).order_by("pk")
            ],
        }


def _instant(row: Question | Letter) -> str:
    """When something was written, as the file spells instants."""
    return row.at.strftime("%Y-%m-%dT%H:%MZ")
