"""What people do: they ask the moderators, and write more in a thread of their own."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.features.questions.models import Letter, Question
from games.features.questions.rights import may_handle, moderators_for
from games.models import Game, User
from games.services import outbox
from games.services.clean_text import fitting
from games.services.refused import Refused

LONGEST: Final = 2000
MOST_A_DAY: Final = 10
KEPT: Final = timedelta(days=90)
"""For how long a thread is stored after its last message, once it is answered or closed."""


class Written(NamedTuple):
    """What somebody has written, and when; without a `person` by who has no account.

    The `token` is made with the form: the same one is one message however often it comes.
    """

    person: User | None
    text: str
    token: UUID
    now: datetime


def ask(written: Written, *, kind: str, game: Game | None = None) -> Question:
    """Begin a thread; the moderators who may read it are emailed.

    `Refused` without a text, for more than `MOST_A_DAY` messages in 24 hours, and where no
    moderator may read it.
    """
    with transaction.atomic(durable=True):
        _lock(written)
        known = Question.objects.filter(token=written.token, person=written.person).first()
        if known is not None:
            return known
        text = _checked(written, Letter.objects.filter(author=written.person))
        question = Question.objects.create(
            token=written.token,
            person=written.person,
            kind=kind,
            game=game,
            at=written.now,
            last_at=written.now,
        )
        readers = moderators_for(question)
        if not readers:
            raise Refused(_why_nobody(game))
        add(question, written, text, readers)
        return question


def write_more(written: Written, *, question_id: int) -> None:
    """Add to a thread of one's own, which then waits for the moderators again.

    Without a person, to one that was begun from a confirmed address.
    """
    with transaction.atomic(durable=True):
        _lock(written)
        rows = _threads_of(written).select_for_update(of=("self",)).select_related("owner")
        question = rows.get(pk=question_id)
        if Letter.objects.filter(token=written.token, question=question).exists():
            return
        text = _checked(written, _of_same(question))
        question.state, question.last_at = Question.State.WAITING, written.now
        question.save(update_fields=["state", "last_at"])
        owner = question.owner
        has_owner = owner is not None and may_handle(owner, question)
        add(question, written, text, [owner] if owner and has_owner else moderators_for(question))


def checked_more(written: Written, *, question_id: int) -> str:
    """What `write_more` would add to a thread; `Refused` where it would refuse."""
    return _checked(written, _of_same(_threads_of(written).get(pk=question_id)))


def _threads_of(written: Written) -> QuerySet[Question]:
    """Those of a person; without one, all that were begun from an address."""
    confirmed = Question.objects.exclude(state=Question.State.UNCONFIRMED)
    return confirmed.filter(person=written.person)


def _lock(written: Written) -> None:
    """What one person writes comes one by one."""
    if written.person is not None:
        User.objects.select_for_update(no_key=True).get(pk=written.person.pk)


def _of_same(question: Question) -> QuerySet[Letter]:
    """What was written by the same person, or from the same address."""
    if question.person_id is None:
        return Letter.objects.filter(question__address=question.address)
    return Letter.objects.filter(author=question.person_id)


def _checked(written: Written, letters: QuerySet[Letter]) -> str:
    """The text, tidy; `Refused` where it is empty, too long, or one too many of these letters."""
    text = fitting(written.text, LONGEST)
    own = letters.filter(by=Letter.By.PERSON)
    if own.filter(at__gt=written.now - timedelta(days=1)).count() >= MOST_A_DAY:
        message = _(
            "You can write to the moderators {most} times in 24 hours. Please try again later."
        )
        raise Refused(message.format(most=MOST_A_DAY))
    return text


def add(question: Question, written: Written, text: str, readers: list[User]) -> None:
    """Add what somebody has written; it's emailed to these moderators."""
    letter = Letter.objects.create(
        token=written.token,
        question=question,
        author=written.person,
        by=Letter.By.PERSON,
        text=text,
        at=written.now,
    )
    for moderator in readers:
        outbox.enqueue("question", person=moderator, now=written.now, about=letter.pk)


def _why_nobody(game: Game | None) -> str:
    """Why a question would be read by nobody."""
    if game is None:
        return _("There's no moderator who can read this at the moment.")
    return _(
        "All moderators have or had a seat at this table, so none of them may read questions "
        "about it. You can ask without naming the table, but don't write anything that the other "
        "players mustn't know."
    )


def outdated(now: datetime) -> list[QuerySet[Question]]:
    """The threads that were answered or closed long ago, and those that nobody has confirmed."""
    settled = (Question.State.ANSWERED, Question.State.CLOSED)
    unconfirmed = Question.objects.filter(state=Question.State.UNCONFIRMED)
    return [
        Question.objects.filter(state__in=settled, last_at__lte=now - KEPT),
        unconfirmed.filter(at__lte=now - timedelta(days=1)),
    ]
