"""Replies by email to what the moderators have written, for tests."""

from email.message import EmailMessage
from email.policy import SMTP
from uuid import uuid4

from django.utils import timezone

from games.features.inbound.inbox import Outcome
from games.features.questions import from_addresses
from games.features.questions.models import Letter, Question
from games.models import InboundEmail, OutboxEmail, User
from games.services.email import delivery
from tests.features.inbound.replying import send, written
from tests.features.questions.asking import answer, asked
from tests.support.servers import Inbox

VERA = "vera@example.org"


def answered(smtp: Inbox, marta: User, question: Question) -> EmailMessage:
    """A moderator answers; the email, as it arrives."""
    OutboxEmail.objects.all().delete()
    answer(marta, question)
    [email] = fetch(smtp)
    return email


def answer_to(smtp: Inbox, marta: User, person: User) -> EmailMessage:
    """Somebody has asked, and this is the answer."""
    return answered(smtp, marta, asked(person))


def from_vera(language: str = "en") -> Question:
    """Vera, who has no account, has asked, and confirmed her address."""
    now = timezone.now()
    written = from_addresses.Unconfirmed(VERA, language, "I can't sign in.", uuid4(), now)
    question = from_addresses.ask(written, kind="access")
    assert from_addresses.confirm(question.pk, from_addresses.code_of(question), now) == ""
    question.refresh_from_db()
    return question


def fetch(smtp: Inbox) -> list[EmailMessage]:
    """What leaves now."""
    before = len(smtp.messages)
    delivery.drain(now=timezone.now())
    return smtp.messages[before:]


def reply(to: EmailMessage, text: str, sender: str = "", **headers: str) -> Outcome:
    """Reply to an email, from where it was sent or from elsewhere; what becomes of it."""
    headers.setdefault("In_Reply_To", to["Message-ID"])
    return send(written(sender or to["To"], to["Reply-To"], text, **headers))


def quoted(email: EmailMessage) -> str:
    """An email as mail programs quote it."""
    text = email.get_body(("plain",)).get_content().replace("\r\n", "\n")
    quote = "\n".join(f"> {line}" for line in text.split("\n"))
    return f"\n\nOn Mon, 2 Mar 2026 at 10:00, Intrigue <i@example.org> wrote:\n{quote}\n"


def said() -> list[str]:
    """What people have written to the moderators beyond their questions, in order."""
    first = [one.letters.earliest("pk").pk for one in Question.objects.all()]
    letters = Letter.objects.filter(by=Letter.By.PERSON).exclude(pk__in=first)
    return list(letters.order_by("pk").values_list("text", flat=True))


def responded() -> tuple[str, str]:
    """The title of the latest response, and its lines."""
    response = InboundEmail.objects.latest("pk").response
    return response["title"], "\n".join(response["lines"])


def html_only(email: EmailMessage, html: str) -> EmailMessage:
    """The same with HTML alone."""
    email.set_content(html, subtype="html")
    return email


def raw(email: EmailMessage) -> bytes:
    return email.as_bytes(policy=SMTP)
