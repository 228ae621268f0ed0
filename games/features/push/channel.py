"""Notifications as a channel of the core: which of them are written, and who is reached."""

from collections.abc import Collection
from datetime import datetime
from typing import Final

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from games.features.push.keys import is_configured
from games.models import OutboxPush, PushSubscription, User
from games.services.sql import table


class Push:
    """A `games.extensions.Channel`."""

    key: str = "push"
    label: Promise = gettext_lazy("Notification")
    in_story: Promise = gettext_lazy(
        "Browser notifications are on. There's no record of when they were sent."
    )
    write: str = f"""
INSERT INTO {table(OutboxPush)} (email_id, subscription_id, not_before, attempts)
SELECT written.id, subscription.id, written.not_before, 0
FROM written JOIN {table(PushSubscription)} subscription
    ON subscription.user_id = written.person_id
"""  # noqa: S608 - only names of our own tables

    def is_on(self) -> bool:
        return is_configured()

    def reaches(self, person: User) -> bool:
        return person.push_subscriptions.exists()

    def unwanted(self, person: User) -> Collection[str]:
        return set(person.unwanted_pushes)

    def choose(self, person: User, unwanted: list[str]) -> None:
        person.unwanted_pushes = unwanted
        person.save(update_fields=["unwanted_pushes"])

    def alarm(self, people: QuerySet[User], alarm: str, now: datetime) -> bool:
        browsers = PushSubscription.objects.filter(user__in=people)
        rows = [OutboxPush(alarm=alarm, subscription=one, not_before=now) for one in browsers]
        return bool(OutboxPush.objects.bulk_create(rows))


PUSH: Final = Push()
