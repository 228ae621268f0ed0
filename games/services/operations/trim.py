"""Deletes what only grows: old email, ended sessions and their notifications, drafts, sign-ins,
sign-ups not confirmed, counters of limits.

And texts that the referee has removed, and private conversations of games long over. Never
events, moves, games or messages to all: those are the games themselves.
"""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db.models import Model, QuerySet

from games import extensions
from games.models import (
    DoneRequest,
    Draft,
    Game,
    HeldSanction,
    Message,
    OutboxEmail,
    PrivateMessage,
    Redaction,
    Report,
    SharedBrowser,
    SignIn,
    User,
)
from games.services.accounts import factor_resets, guests
from games.services.accounts.sign_ins import KEPT as SIGN_INS_ARE_KEPT
from games.services.accounts.unconfirmed import never_confirmed
from games.services.chat import retention

MAIL_IS_KEPT: Final = timedelta(days=90)
DONE_WITH: Final = (
    OutboxEmail.Status.SENT,
    OutboxEmail.Status.DROPPED,
    OutboxEmail.Status.FAILED,
    OutboxEmail.Status.SUSPENDED,
)
DRAFTS_ARE_KEPT: Final = timedelta(days=7)
"""How long after the end of a game drafts of chat messages are kept."""

SIGN_UP_IS_KEPT: Final = timedelta(days=7)
"""How long a sign-up waits for somebody to confirm their address."""

REQUESTS_ARE_KEPT: Final = timedelta(days=30)
"""How long a request that was carried out is known again when it comes once more."""

REMOVED_TEXT_IS_KEPT: Final = timedelta(days=90)
"""How long moderators can read, and give back, what was removed."""

BATCH: Final = 1000
"""How many rows one statement deletes, so that none holds locks for long."""

MOST_BATCHES: Final = 50
"""How many of each kind one call deletes; the next call goes on."""


class Trimmed(NamedTuple):
    """How many rows were deleted."""

    emails: int
    sessions: int
    listed_sessions: int
    drafts: int
    sign_ins: int
    accounts: int
    removed_texts: int
    limits: int
    held_sanctions: int
    guests: int
    features: int
    conversations: int
    requests: int


def trim(*, now: datetime, most_batches: int = MOST_BATCHES) -> Trimmed:
    """Delete email done with 90 days ago, ended sessions, drafts, sign-ins, and abandoned sign-ups.

    And the texts of messages that were removed 90 days ago, unless an appeal waits, as what
    moderators got with reports of private messages; counters of limits, and what outlived an
    account, once they have run out. Guests with their games, two days after their last visit.
    What features no longer need. Private conversations of tables
    whose game ended a year ago, once that was announced, which is done here too.
    Second factors that administrators were asked to reset a day ago.
    Requests that were carried out a month ago. In batches, each a transaction of its own; safe to
    run twice or side by side.
    """
    retention.announce(now)
    factor_resets.do_due(now)
    emails = OutboxEmail.objects.filter(status__in=DONE_WITH, created_at__lt=now - MAIL_IS_KEPT)
    sessions = Session.objects.filter(expire_date__lt=now)
    listed = UserSession.objects.exclude(session_key__in=Session.objects.values("session_key"))
    drafts = Draft.objects.filter(game__status__in=Game.OVER, at__lt=now - DRAFTS_ARE_KEPT)
    long_ago = now - SIGN_INS_ARE_KEPT
    sign_ins = SignIn.objects.filter(last_at__lt=long_ago)
    shared = SharedBrowser.objects.filter(last_at__lt=long_ago)
    requests = DoneRequest.objects.filter(at__lt=now - REQUESTS_ARE_KEPT)
    return Trimmed(
        emails=_delete(emails, most_batches),
        sessions=_delete(sessions, most_batches),
        listed_sessions=_delete(listed, most_batches),
        drafts=_delete(drafts, most_batches),
        sign_ins=_delete(sign_ins, most_batches) + _delete(shared, most_batches),
        accounts=_delete(_abandoned_sign_ups(now), most_batches),
        removed_texts=_forget_removed_texts(now) + _forget_frozen(now),
        limits=cache.forget_expired(now),  # type: ignore[attr-defined] # intrigue_site.limits
        guests=guests.remove_long_gone(now, BATCH * most_batches),
        features=sum(_delete(rows, most_batches) for rows in extensions.outdated(now)),
        conversations=retention.remove(now, BATCH),
        held_sanctions=_delete(HeldSanction.objects.filter(until__lt=now), most_batches),
        requests=_delete(requests, most_batches),
    )


def _forget_removed_texts(now: datetime) -> int:
    old = Redaction.objects.filter(at__lt=now - REMOVED_TEXT_IS_KEPT).exclude(text="")
    waiting = Report.objects.filter(state=Report.State.APPEALED)
    old = old.exclude(report__in=waiting).order_by("pk")
    rows = list(old.values_list("pk", "message", "private_message")[:BATCH])
    for model, place in ((Message, 1), (PrivateMessage, 2)):
        model.objects.filter(pk__in=[row[place] for row in rows]).update(earlier=[])
    return Redaction.objects.filter(pk__in=[row[0] for row in rows]).update(text="")


def _forget_frozen(now: datetime) -> int:
    """Delete what moderators got with reports of private messages that were decided long ago.

    And, not counted, the names and crests of the people in decided reports.
    """
    old = Report.objects.filter(decided_at__lt=now - REMOVED_TEXT_IS_KEPT)
    old = old.exclude(state__in=Report.WAITING).order_by("pk")
    named = list(old.exclude(person_name="").values_list("pk", flat=True)[:BATCH])
    Report.objects.filter(pk__in=named).update(person_name="", person_crest="")
    keys = list(old.exclude(frozen=[]).values_list("pk", flat=True)[:BATCH])
    return Report.objects.filter(pk__in=keys).update(frozen=[])


def _abandoned_sign_ups(now: datetime) -> QuerySet[User]:
    """Accounts of a week ago whose address was never confirmed: nobody has signed in to them."""
    return never_confirmed(User.objects.filter(date_joined__lt=now - SIGN_UP_IS_KEPT))


def _delete(rows: QuerySet[Model], most_batches: int) -> int:
    deleted = 0
    for _ in range(most_batches):
        keys = list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH])
        _all, by_model = rows.filter(pk__in=keys).delete()
        deleted += by_model.get(rows.model._meta.label, 0)  # noqa: SLF001 - documented by Django
        if len(keys) < BATCH:
            break
    return deleted
