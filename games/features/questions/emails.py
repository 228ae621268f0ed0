"""The email about questions: to moderators that one waits, to people that they were written to."""

from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.features.questions import from_addresses
from games.features.questions.models import Letter, Question
from games.features.questions.queries import asker, language_of, what_text
from games.features.questions.rights import may_handle, questions_for
from games.models import OutboxEmail, Seat, User
from games.presentation.text.tables import time_text
from games.services.email.kind import EmailKind
from games.services.public_ids import public_id


def _letter_of(email: OutboxEmail) -> Letter | None:
    rows = Letter.objects.select_related(
        "question__person", "question__game", "question__report__game", "question__report__person"
    )
    return rows.filter(pk=email.about).first()


def _known(email: OutboxEmail) -> Letter:
    letter = _letter_of(email)
    if letter is None:
        raise Letter.DoesNotExist
    return letter


def question(email: OutboxEmail, _seat: Seat | None) -> dict[str, Any]:
    """What somebody has written to the moderators, for one of them."""
    letter = _known(email)
    page = reverse("admin:question_page", args=[letter.question_id])
    return {
        "name": asker(letter.question),
        "what": what_text(letter.question),
        "text": letter.text,
        "preheader": letter.text,
        "link": settings.SITE_URL + page,
    }


def question_waits(email: OutboxEmail, _seat: Seat | None) -> bool:
    """It still waits, and its reader may read it."""
    letter = _letter_of(email)
    return (
        letter is not None
        and email.person is not None
        and letter.question.state == Question.State.WAITING
        and may_handle(email.person, letter.question)
    )


def moderators_wrote(email: OutboxEmail, _seat: Seat | None) -> dict[str, Any]:
    """What the moderators have written; with a report, they are the ones who ask."""
    letter = _known(email)
    earlier = letter.question.letters.filter(by=Letter.By.PERSON, pk__lt=letter.pk)
    before = earlier.order_by("-pk").values_list("text", flat=True).first()
    return {
        "asks": letter.question.report is not None,
        "writes": letter.question.kind == Question.Kind.PERSON,
        "what": what_text(letter.question),
        "text": letter.text,
        "asked": before or "",
        "preheader": letter.text,
        "link": settings.SITE_URL + page_of(letter.question),
        "link_text": _("Reply"),
    }


def page_of(question: Question) -> str:
    """The address of the page on which who asked reads and continues a thread."""
    if question.person_id is None:
        return reverse("question_by_email", args=[from_addresses.id_by_email(question)])
    return reverse("question", args=[public_id("question", question.pk)])


def question_code(email: OutboxEmail, _seat: Seat | None) -> dict[str, Any]:
    """The code that confirms an address."""
    question = Question.objects.get(pk=email.about)
    page = reverse("confirm_question", args=[from_addresses.id_to_confirm(question)])
    return {
        "code": from_addresses.code_of(question),
        "lasts": time_text(from_addresses.LASTS),
        "preheader": _("Enter this code to send your question to the moderators."),
        "link": settings.SITE_URL + page,
    }


def is_unconfirmed(email: OutboxEmail, _seat: Seat | None) -> bool:
    waits = Question.objects.filter(pk=email.about, state=Question.State.UNCONFIRMED)
    return waits.exists()


def language_of_letter(email: OutboxEmail) -> str:
    letter = _letter_of(email)
    return "" if letter is None else language_of(letter.question)


def language_of_code(email: OutboxEmail) -> str:
    question = Question.objects.filter(pk=email.about).first()
    return "" if question is None else language_of(question)


def is_stored(email: OutboxEmail, _seat: Seat | None) -> bool:
    return _letter_of(email) is not None


def letters_for(moderator: User) -> QuerySet[Any, Any]:
    """The numbers of the messages that a moderator may read."""
    return Letter.objects.filter(question__in=questions_for(moderator)).values("pk")


KINDS: Final = (
    EmailKind(
        key="question",
        label=gettext_lazy("a question to the moderators"),
        tells_who_talks=True,
        link_text=gettext_lazy("Open the question"),
        context=question,
        is_relevant=question_waits,
        sample="games.features.questions.samples.question",
    ),
    EmailKind(
        key="moderators_wrote",
        to_banned_people=True,
        label=gettext_lazy("an answer from the moderators"),
        tells_who_talks=True,
        about_for=letters_for,
        link_text=gettext_lazy("Reply"),
        context=moderators_wrote,
        is_relevant=is_stored,
        language=language_of_letter,
        sample="games.features.questions.samples.moderators_wrote",
    ),
    EmailKind(
        key="question_code",
        to_banned_people=True,
        by_email_only=True,
        label=gettext_lazy("a code that confirms the address given with a question"),
        tells_who_talks=True,
        link_text=gettext_lazy("Enter the code"),
        context=question_code,
        is_relevant=is_unconfirmed,
        language=language_of_code,
        sample="games.features.questions.samples.question_code",
    ),
)
