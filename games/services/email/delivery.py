"""Delivers email: takes rows of the outbox and sends them, outside of any transaction.

Any number of senders may do so at once; others take over from one that dies (`senders.py`).

At least once, with a Message-ID that stays the same: a crash after sending repeats the same email.
"""

import logging
import time
import traceback
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db.models import QuerySet

from games.models import OutboxEmail, Tick
from games.services.email import (
    compose,
    mail_server,
    reachability,
    senders,
    subscriptions,
    timing,
)
from games.services.email.answers import Fate
from games.services.email.bundles import Bundle, Bundles
from games.services.email.claimed import Claimed
from games.services.email.game_emails import NoLonger
from games.services.email.kinds import kind_of
from games.services.email.message import TwoBodies
from games.services.email.senders import LivingSender
from games.services.email.sending import Post
from games.services.game.failures import NO_FAULT_OF_A_GAME
from games.services.sql import DATABASE_FAILS, execute, once_more, table

logger = logging.getLogger(__name__)


MOST_SECONDS: Final = 25
"""How long a drain takes up more email, also beside what is on its way to a slow recipient."""


SLOW_AFTER: Final = 0.25
"""When an email takes longer than this many seconds, the next one is sent beside it."""


TASK_SECONDS: Final = 80
"""How long a drain may last in all, with the last email it took up; its task is ended then."""


STORE_SECONDS: Final = 30.0
"""For how many seconds it tries to store what became of an email if the database is away."""


SOON: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, *(15 for _ in range(94))))
"""How long an email that its recipient can't take waits for each attempt; a day in all."""


SELDOM: Final = tuple(
    timedelta(minutes=minutes) for minutes in (1, 5, 15, 15, 15, 60, 180, 360, 720)
)
"""The same for an email that may have arrived, or that may be refused through our own fault."""


def drain(*, now: datetime, worker: str = "") -> int:
    """Send the email that is ready, unless another process of `worker` does; how many were sent.

    Takes up no more after `MOST_SECONDS`, or after a second while the clock is behind; the next
    call goes on. While the mail server is unavailable, one call a minute tries it, and no email
    counts as failed.
    """
    clock = senders.clock_from(now)
    senders.release_stuck(now=now)
    ready = OutboxEmail.objects.ready(now).next_ones()
    waits_since = ready.values_list("not_before", flat=True).first()
    sent = 0
    if waits_since is not None or not mail_server.is_available():
        with senders.begin(clock, worker) as sender:
            if sender is None:
                return 0
            sent = _use_server(sender, now, min(waits_since or now, now))
    Tick.objects.ticked(Tick.MAIL, now)
    return sent


def _use_server(sender: LivingSender, now: datetime, waits_since: datetime) -> int:
    if not mail_server.is_to_be_tried(now):
        return 0
    with Post() as post:
        trouble, sent = post.open(meanwhile=sender.lives_on), 0
        if not trouble:
            bundles = Bundles(sender)
            try:
                trouble, sent = _send_ready(post, sender, bundles, now)
            except DATABASE_FAILS:
                _leave_the_rest(post, sender, bundles, now)
                raise
    if not trouble or sent:
        mail_server.record_available(now, sent=sent > 0)
        return sent
    logger.warning("The mail server cannot be used: %s", trouble)
    # Where others send, it may only have too many connections. If it has gone, they find out.
    if not OutboxEmail.objects.filter(status=OutboxEmail.Status.SENDING).exists():
        mail_server.record_unavailable(trouble, now, since=waits_since)
    return 0


def _leave_the_rest(post: Post, sender: LivingSender, bundles: Bundles, now: datetime) -> None:
    """The database has failed: let others send what was claimed, as soon as it answers again.

    What is on its way arrives or doesn't, and is noted.
    """
    for bundle in bundles.give_up():
        once_more(partial(_unclaim, bundle), STORE_SECONDS)
    while post.is_busy:
        for done, outcome in post.ended(None):
            once_more(partial(_record_all, done, outcome.fate, outcome.error, now), STORE_SECONDS)
        once_more(sender.lives_on, STORE_SECONDS)


def _send_ready(
    post: Post, sender: LivingSender, bundles: Bundles, now: datetime
) -> tuple[str, int]:
    """Send what is ready, in parallel if one is slow: trouble with the server, how many."""
    began = time.monotonic()
    trouble, sent = "", 0
    while True:
        goes_on = sender.lives_on() and not trouble
        if not goes_on:
            for left in bundles.give_up():
                _unclaim(left)
        may_claim = goes_on and time.monotonic() < began + MOST_SECONDS and sender.may_claim()
        bundle = (
            bundles.next(may_claim=may_claim, may_retry=post.may_retry) if post.has_room else None
        )
        if bundle is None and not post.is_busy:
            return trouble, sent
        is_sent = bundle is not None and _start(post, bundle, sender)
        bundles.is_on_its_way()
        if bundle is not None and not is_sent:
            continue
        for done, outcome in post.ended(SLOW_AFTER if bundle is not None else None):
            fate = outcome.fate
            if fate is Fate.NO_SERVER and sent:
                # Others were accepted: it is about this one, or about so many connections at once.
                fate = Fate.LATER
            once_more(partial(_record_all, done, fate, outcome.error, now), STORE_SECONDS)
            sent += fate is Fate.SENT
            trouble = outcome.error if fate is Fate.NO_SERVER else trouble


def _unclaim(bundle: Bundle) -> None:
    """Let another drain send what this one didn't come to: it has not been tried."""
    for email, *_ in bundle:
        _try_again(email, email.not_before, attempts=email.attempts - 1)


def _start(post: Post, bundle: Bundle, sender: LivingSender) -> bool:
    """Start to send what of it is still relevant; whether that is anything."""
    relevant, message = _written(_still_relevant(bundle))
    if message is None or not sender.lives_on():
        return False
    post.send([email for email, *_ in relevant], message)
    return True


def _still_relevant(bundle: Bundle) -> Bundle:
    """What of it is to be sent; why anything else isn't is stored.

    Trouble of the database and the end of the task go up. They are no mistake in the email: it is
    released later (`senders.release_stuck`).
    """
    relevant = []
    for claim in bundle:
        email = claim.email
        try:
            unsent = why_not_sent(claim)
        except NO_FAULT_OF_A_GAME:
            raise
        except Exception as mistake:
            logger.exception("Email %s cannot be written", email.pk)
            _give_up_writing(email, mistake)
            continue
        if unsent is None:
            relevant.append(claim)
        else:
            email.status = unsent
            _store(email, "status")
    return relevant


def _written(bundle: Bundle) -> tuple[Bundle, TwoBodies | None]:
    """The message, and what it tells: without what can't be written, whose error is stored."""
    if not bundle:
        return [], None
    try:
        return bundle, compose.compose([(email, seat) for email, seat, _muted in bundle])
    except NO_FAULT_OF_A_GAME:
        raise
    except Exception as mistake:
        if len(bundle) > 1:
            alone = [claim for claim in bundle if _written([claim])[1] is not None]
            if len(alone) < len(bundle):
                return _written(alone)
        if not isinstance(mistake, NoLonger):
            logger.exception("Email %s cannot be written", bundle[0].email.pk)
        for email, *_ in bundle:
            _give_up_writing(email, mistake)
    return [], None


def _give_up_writing(email: OutboxEmail, mistake: Exception) -> None:
    if isinstance(mistake, NoLonger):
        email.status = OutboxEmail.Status.DROPPED
        _store(email, "status")
        return
    place = traceback.extract_tb(mistake.__traceback__)[-1]
    _give_up(email, f"{type(mistake).__name__} at {place.filename}:{place.lineno}")


def leaves(claim: Claimed, now: datetime) -> bool:
    """Whether an email that is ready would be sent now; not where that can't be said."""
    try:
        return why_not_sent(claim) is None and timing.held_until(claim, now) is None
    except NO_FAULT_OF_A_GAME:
        raise
    except Exception:
        logger.exception("Whether email %s leaves cannot be said", claim.email.pk)
        return False


def why_not_sent(claim: Claimed) -> OutboxEmail.Status | None:
    """The status of an email that can't arrive, isn't wanted or no longer applies."""
    email, seat, is_muted = claim
    person, kind = email.person, kind_of(email)
    if person is not None and person.is_unreachable:
        return OutboxEmail.Status.SUSPENDED
    if person is not None and not (person.is_active or kind.to_banned_people):
        return OutboxEmail.Status.DROPPED
    if person is not None and not subscriptions.wants(person, email.game, kind, is_muted=is_muted):
        return OutboxEmail.Status.DROPPED
    return None if kind.is_relevant(email, seat) else OutboxEmail.Status.DROPPED


def _record_all(emails: list[OutboxEmail], fate: Fate, error: str, now: datetime) -> None:
    """Store what became of emails that were given to the mail server as one message."""
    if fate is Fate.SENT:
        execute(_SENT, {"now": now, "ids": [email.pk for email in emails]})
        return
    for email in emails:
        _note(email, fate, error, now)


def _note(email: OutboxEmail, fate: Fate, error: str, now: datetime) -> None:
    """Store why an email was not accepted by the mail server, and when it is tried again."""
    logger.warning("Email %s cannot be sent: %s", email.pk, error)
    if fate is Fate.NO_SERVER:
        _try_again(email, now + mail_server.RETRY_EVERY, attempts=email.attempts - 1)
        return
    if fate is Fate.BOUNCED and email.person is not None:
        reachability.record_refused(email.person, error, now)
    elif fate is Fate.BOUNCED:
        reachability.record_bounce(email.address, error, now)
    waits = {Fate.LATER: SOON, Fate.SELDOM: SELDOM}.get(fate, ())
    if email.attempts > len(waits):
        _give_up(email, error)
    else:
        email.error = error
        _try_again(email, now + waits[email.attempts - 1], attempts=email.attempts)


_SENT: Final = f"""
UPDATE {table(OutboxEmail)} SET status = '{OutboxEmail.Status.SENT}', sent_at = %(now)s, error = ''
WHERE id = ANY(%(ids)s)
"""  # noqa: S608 - only names of our own


def _try_again(email: OutboxEmail, not_before: datetime, *, attempts: int) -> None:
    _claim_of(email).update(
        status=OutboxEmail.Status.READY, claimed_at=None, error=email.error,
        not_before=not_before, attempts=attempts,
    )  # fmt: skip


def _give_up(email: OutboxEmail, error: str) -> None:
    email.status, email.error = OutboxEmail.Status.FAILED, error[:1000]
    _store(email, "status", "error")


def _store(email: OutboxEmail, *fields: str) -> None:
    """Store these of its columns, unless it is gone: deleted accounts take their email along."""
    _claim_of(email).update(**{name: getattr(email, name) for name in fields})


def _claim_of(email: OutboxEmail) -> QuerySet[OutboxEmail]:
    """The row of this email, unless somebody else has taken it over."""
    claimed = OutboxEmail.objects.filter(status=OutboxEmail.Status.SENDING)
    return claimed.filter(pk=email.pk, claimed_by=email.claimed_by)
