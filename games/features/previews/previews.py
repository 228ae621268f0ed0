"""Every kind of email with sample content, for moderators. Nothing of it stays."""

from datetime import datetime
from typing import NamedTuple
from uuid import uuid4

from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from games.features.previews import accounts as account_samples
from games.features.previews.samples import LABELS, MESSAGES, SAMPLES
from games.features.previews.tables import Cast, Sample, Words
from games.models import OutboxEmail, Seat, User
from games.presentation.text.words import capital
from games.services import outbox, roles
from games.services.chat.messages import EDITED_WITHIN
from games.services.email import compose
from games.services.email.answers import Outcome
from games.services.email.kinds import KIND_BY_KEY
from games.services.email.mail_server import Sender
from games.services.email.message import TwoBodies
from games.services.operations.sample_games import SEED
from games.services.operations.scratch import nothing_stays


class KindOfEmail(NamedTuple):
    key: str
    label: str


def kinds() -> list[KindOfEmail]:
    """All there are samples of: the kinds in the order of their table, then what else is sent."""
    known = [kind for kind in KIND_BY_KEY.values() if kind.key in SAMPLES]
    return [
        *(KindOfEmail(kind.key, capital(str(kind.label))) for kind in known),
        *(KindOfEmail(key, capital(str(label))) for key, label in LABELS.items()),
        *_account_emails(),
    ]


def _account_emails() -> list[KindOfEmail]:
    """Those about accounts, each by its subject."""
    language, now = get_language() or settings.LANGUAGE_CODE, timezone.now()
    return [
        KindOfEmail(key, str(account_samples.preview(key, language, "UTC", now).subject))
        for key in account_samples.TEMPLATES
    ]


def preview(kind: str, language: str, moderator: User, now: datetime) -> TwoBodies:
    """An email of this kind in this language, with times on the clock of the moderator."""
    zone = moderator.time_zone
    if kind in account_samples.TEMPLATES:
        return account_samples.preview(kind, language, zone, now)
    with nothing_stays():
        samples = MESSAGES.get(kind) or (lambda cast: [(kind, SAMPLES[kind](cast))])
        cast = _cast(language, zone, now)
        return compose.compose([_written(key, sample, now) for key, sample in samples(cast)])


def send(kind: str, language: str, moderator: User, now: datetime) -> Outcome:
    """Send such an email to the moderator, at once; what became of it."""
    sample = preview(kind, language, moderator, now)
    sample.to = [moderator.email]
    sender = Sender()
    outcome = sender.send(sample)
    sender.close()
    return outcome


def _cast(language: str, zone: str, now: datetime) -> Cast:
    """New people, without the keys of names, which no two people have in common."""
    found: dict[str, User] = {}

    def person(name: str) -> User:
        if name not in found:
            address = f"{name.lower()}.{uuid4().hex}@sample.invalid"
            found[name] = User.objects.create(
                email=address, name=name, language=language, time_zone=zone
            )
        return found[name]

    def moderator(name: str) -> User:
        keeper = person(name)
        roles.appoint(keeper, roles.MODERATOR)
        return keeper

    with override(language):
        words = Words(
            done=_("Your move had already been submitted, and it counts."),
            refused=_("It isn't your turn, so nothing was played."),
        )
    return Cast(person=person, moderator=moderator, now=now, seed=SEED, words=words)


def _written(kind: str, sample: Sample, now: datetime) -> tuple[OutboxEmail, Seat | None]:
    """The email as it would be claimed, and the reader's seat."""
    email = outbox.email(kind, game=sample.game, person=sample.reader, now=now, **sample.about)
    email.message_id, email.claimed_at = compose.message_id(email), now + EDITED_WITHIN
    if sample.reader is not None:
        sample.reader.refresh_from_db()
    return email, Seat.objects.filter(game=sample.game, user=sample.reader).first()
