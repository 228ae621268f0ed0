"""Questions of who has no account, or can't get into it: from an address, confirmed by a code.

Until the code has come back, nobody is asked, and nothing but the code is emailed there. No account
is made.
"""

from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from games.features.questions.asking import LONGEST, Written, add
from games.features.questions.models import Letter, Question
from games.features.questions.rights import moderators_for
from games.mailboxes import spelled
from games.services import outbox
from games.services.clean_text import fitting
from games.services.public_ids import number_of, public_id
from games.services.refused import Refused

LASTS: Final = timedelta(minutes=30)
"""For how long a code is valid."""

MOST_GUESSES: Final = 5
MOST_A_DAY: Final = 3
"""How many questions can be begun from one address in 24 hours."""

LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Those of codes: none looks like another."""

TO_CONFIRM: Final = "question to confirm"
BY_EMAIL: Final = "question by email"
"""Of what kind the ids in addresses are."""


class Unconfirmed(NamedTuple):
    """What somebody without an account has written; the same `token` is one question."""

    address: str
    language: str
    text: str
    token: UUID
    now: datetime


def ask(written: Unconfirmed, *, kind: str) -> Question:
    """Keep a question, and email the code to its address.

    `Refused` without a text, and for more than `MOST_A_DAY` from one address.
    """
    address = spelled(written.address)
    with transaction.atomic(durable=True):
        known = Question.objects.filter(token=written.token, address=address).first()
        if known is not None:
            return known
        text = fitting(written.text, LONGEST)
        of_today = Question.objects.filter(address=address, at__gt=written.now - timedelta(days=1))
        if of_today.count() >= MOST_A_DAY:
            message = _(
                "You can ask up to {most} questions in 24 hours from one email address. Please "
                "try again later."
            )
            raise Refused(message.format(most=MOST_A_DAY))
        question = Question.objects.create(
            token=written.token,
            address=address,
            language=written.language,
            kind=kind,
            state=Question.State.UNCONFIRMED,
            at=written.now,
            last_at=written.now,
        )
        if not moderators_for(question):
            raise Refused(_("There's no moderator who can read this at the moment."))
        add(question, Written(None, "", written.token, written.now), text, readers=[])
        outbox.enqueue("question_code", address=address, now=written.now, about=question.pk)
        return question


def code_of(question: Question) -> str:
    """The code that confirms the address of a question; it is never stored."""
    digest = salted_hmac("code of a question", str(question.token), algorithm="sha256").digest()
    code = "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:8])
    return f"{code[:4]}-{code[4:]}"


def confirm(question_id: int, guess: str, now: datetime) -> str:
    """Let a question wait for the moderators, if this is its code; else why not."""
    with transaction.atomic(durable=True):
        question = Question.objects.select_for_update().get(pk=question_id, person=None)
        if question.state != Question.State.UNCONFIRMED:
            return ""
        if question.guesses >= MOST_GUESSES or question.at < now - LASTS:
            return _("This code is no longer valid. Please ask again.")
        question.guesses += 1
        guess = "".join(guess.upper().replace("-", "").split())
        if not constant_time_compare(guess, code_of(question).replace("-", "")):
            question.save(update_fields=["guesses"])
            return _("This isn't the code that we emailed you.")
        question.state, question.last_at = Question.State.WAITING, now
        question.save(update_fields=["guesses", "state", "last_at"])
        letter = Letter.objects.get(question=question)
        for moderator in moderators_for(question):
            outbox.enqueue("question", person=moderator, now=now, about=letter.pk)
        return ""


def id_to_confirm(question: Question) -> str:
    """What names a question on the page where its code is typed."""
    return public_id(TO_CONFIRM, question.pk)


def id_by_email(question: Question) -> str:
    """What names a thread in email: whoever knows it reads the thread."""
    return public_id(BY_EMAIL, question.pk)


def to_confirm(text: str) -> Question | None:
    """The question with this id, whether it is confirmed or not."""
    return _found(TO_CONFIRM, text)


def by_email(text: str) -> Question | None:
    """The thread with this id, once it is confirmed."""
    question = _found(BY_EMAIL, text)
    is_confirmed = question is not None and question.state != Question.State.UNCONFIRMED
    return question if is_confirmed else None


def _found(kind: str, text: str) -> Question | None:
    number = number_of(kind, text, old=False)
    return None if number is None else Question.objects.filter(pk=number, person=None).first()
