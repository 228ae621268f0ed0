"""Threads by email: what people reply to an answer is one more message, as from the page."""

from collections.abc import Collection
from datetime import datetime
from typing import Final
from uuid import UUID, uuid4

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.correspondence import Topic
from games.features.questions import asking, queries
from games.features.questions.asking import Written
from games.features.questions.emails import page_of
from games.features.questions.models import Letter, Question
from games.models import OutboxEmail
from games.services.accounts.gate import Hindrance

OPEN_TO: Final = (Hindrance.SUSPENDED, Hindrance.TERMS_OWED, Hindrance.NAME_OWED)
"""The hindrances with which people may write to the moderators all the same."""


class Threads:
    """The threads with the moderators, for the feature that reads replies."""

    key = "question"
    open_to: Collection[str] = OPEN_TO

    def topic_of(self, email: OutboxEmail) -> Topic | None:
        """The thread of an email in which the moderators have written."""
        if email.kind != "moderators_wrote":
            return None
        letters = Letter.objects.filter(pk=email.about)
        number = letters.values_list("question", flat=True).first()
        return None if number is None else self.topic(number)

    def topic(self, number: int) -> Topic | None:
        """A thread, once whoever asks has an account or has confirmed the address."""
        rows = Question.objects.exclude(state=Question.State.UNCONFIRMED)
        question = rows.select_related("person").filter(pk=number).first()
        if question is None:
            return None
        person = question.person
        return Topic(
            number=question.pk,
            seal=question.token.hex,
            person=person,
            address=question.address if person is None else person.email,
            language=queries.language_of(question),
            name=gettext_lazy("Question to the moderators"),
            page=page_of(question),
        )

    def described(self, topic: Topic, text: str, now: datetime) -> list[str]:
        """What the moderators would read; `Refused` as if it were sent."""
        written = Written(topic.person, text, uuid4(), now)
        fit = asking.checked_more(written, question_id=topic.number)
        return [_("Your message to the moderators:"), fit]

    def done(self, topic: Topic, text: str, token: UUID, now: datetime) -> list[str]:
        """Add the message to the thread."""
        asking.write_more(Written(topic.person, text, token, now), question_id=topic.number)
        return [_("Your message is with the moderators.")]


THREADS: Final = Threads()
