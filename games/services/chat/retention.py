"""Private conversations of games long over: their end is announced, then they are deleted.

Offers and replies stay, without the words that went with them: the record holds them. What
moderators got with a report is a copy, and has an end of its own (`operations.trim`).
"""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F, QuerySet

from games.models import (
    Game,
    PrivateMessage,
    Report,
    Thread,
    ThreadMember,
    Tick,
    User,
)
from games.services import live, outbox

NOTICE: Final = timedelta(days=30)
"""How long before the end of a conversation it is announced, at least."""

EVERY: Final = timedelta(days=30)
"""How often an end is announced: of all that ends in the time until the next announcement."""


def announce(now: datetime) -> int:
    """Set the end of conversations that were kept long enough, and email all who were in them.

    Once in `EVERY`, so that everybody gets one email for all their tables. How many people get one.
    """
    with transaction.atomic():
        if not Tick.objects.begin(Tick.ENDS_ANNOUNCED, now=now, within=EVERY):
            return 0
        old = now + NOTICE + EVERY - Thread.KEPT
        ending = Thread.objects.filter(kept_until=None, length__gt=0, game__status__in=Game.OVER)
        ending = ending.filter(game__finished_at__lte=old)
        games = Game.objects.filter(pk__in=ending.values("game"), finished_at__isnull=False)
        people = User.objects.filter(
            threads__thread__in=list(ending), threads__since__lt=F("threads__thread__length")
        )
        people = people.order_by("pk").distinct()
        day = now.date().toordinal()
        outbox.write(
            outbox.email("talk_ends", person=person, now=now, about=day) for person in list(people)
        )
        for game in list(games.only("finished_at")):
            until = max((game.finished_at or now) + Thread.KEPT, now + NOTICE)
            game.threads.filter(kept_until=None).update(kept_until=until)
        return len(people)


def ending(person: User) -> QuerySet[Thread]:
    """The threads of a person whose end was announced, the next one first."""
    known = Thread.objects.filter(members__user=person, length__gt=F("members__since"))
    rows = known.filter(kept_until__isnull=False, emptied_at=None)
    return rows.select_related("game").order_by("kept_until", "pk")


def remove(now: datetime, most: int) -> int:
    """Delete the messages of threads whose end has come; in how many, at most so many.

    Not while a moderator has to decide on a report of it. Each in a transaction of its own.
    """
    over = Thread.objects.filter(kept_until__lte=now, emptied_at=None, game__status__in=Game.OVER)
    waiting = Report.objects.filter(state__in=Report.WAITING, private_message__isnull=False)
    over = over.exclude(pk__in=waiting.values("private_message__thread"))
    keys = list(over.order_by("pk").values_list("pk", flat=True)[:most])
    return sum(_empty(key, now) for key in keys)


def _empty(key: int, now: datetime) -> bool:
    """Delete the plain words of a thread; of what others refer to, only the text."""
    with transaction.atomic():
        thread = Thread.objects.select_for_update(no_key=True).filter(pk=key, emptied_at=None)
        if not thread.exists():
            return False
        messages = PrivateMessage.objects.filter(thread=key)
        messages.filter(deal__isnull=True, reports=None, redaction=None).delete()
        messages.update(text="", earlier=[])
        thread.update(emptied_at=now)
        members = ThreadMember.objects.filter(thread=key)
        live.people_concerned(members.values_list("user_id", flat=True))
    return True
