"""Email on the dashboard: that it is down, what failed, and whose address is rejected."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Final

from django.db.models import F, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import EmailOutage, OutboxEmail, User
from games.presentation.text.words import listed, moment
from games.services.email import mail_server
from games.services.email.kinds import name_of
from games.services.moderation.queries.failed_emails import by_cause
from games.services.moderation.queries.piles import MOST, DashboardLine
from games.services.public_ids import public_id

MOST_COUNTED: Final = 100
FEW: Final = 3
"""So many rejected addresses have a line each; more have one together."""


DOWN_SINCE: Final = Subquery(EmailOutage.objects.filter(until=None).values("since")[:1])
"""Since when email is down, beside the columns of a row; None while it isn't."""


def email_down(since: datetime | None, now: datetime, zone: str) -> Iterator[DashboardLine]:
    """Since when no email leaves, why, and what that delays; nothing while all is well."""
    if since is None:
        return
    server = mail_server.read()
    text = _("No email has been sent since {moment}.").format(moment=moment(since, zone))
    if server.error:
        text = f"{text} {_('The mail server says: {error}').format(error=server.error)}"
    waiting = OutboxEmail.objects.waiting().filter(not_before__lte=now)
    found = len(waiting.values_list("pk", flat=True)[: MOST_COUNTED + 1])
    count = f"{MOST_COUNTED}+" if found > MOST_COUNTED else str(found)
    delayed = ngettext("{count} email is waiting.", "{count} emails are waiting.", found)
    more = _("Deadlines are put off until email works again; players then get extra time.")
    text = f"{text} {delayed.format(count=count)} {more}"
    emails = reverse("admin:games_outboxemail_changelist")
    yield DashboardLine(text, reverse("status"), emails, _("Emails"), _("Is everything running?"))


def failed(emails: Sequence[OutboxEmail]) -> Iterator[DashboardLine]:
    """A line for all emails that failed for one reason: of the latest, and how many others."""
    for first, *others in islice(by_cause(emails), MOST + 1):
        error = " ".join(first.error.splitlines()[-1:])
        text = _("{mail}: {error}").format(mail=name_of(first), error=error)
        if first.game is not None:
            text = _("{mail}, about {game}: {error}").format(
                mail=name_of(first), game=first.game, error=error
            )
        slug = "send-again"
        if others:
            more = ngettext(
                "{count} more email failed for the same reason.",
                "{count} more emails failed for the same reason.",
                len(others),
            )
            text = f"{text.rstrip('.')}. {more.format(count=len(others))}"
            slug = "send-all"
        key = public_id("outboxemail", first.pk)
        step = reverse("admin:email_action", args=[key, slug])
        page = reverse("admin:games_outboxemail_change", args=[key])
        yield DashboardLine(text, step, page, name_of(first), action=f"email.{slug}")


def rejected(zone: str) -> Iterator[DashboardLine]:
    """Whose address bounces, the latest first: they get no email until it is mended."""
    bouncing = User.objects.filter(refused_email=F("email"), is_active=True)
    people = list(bouncing.exclude(refused_email="").order_by("-refused_email_at")[: MOST + 1])
    if len(people) <= FEW:
        for person in people:
            if person.refused_email_at is not None:
                text = _("{name}: email to {address} has been rejected since {moment}. {why}")
                text = text.format(
                    name=person,
                    address=person.email,
                    moment=moment(person.refused_email_at, zone),
                    why=person.refused_email_why,
                )
                yield DashboardLine.of_person(text, person, "clear-address")
        return
    count = f"{MOST}+" if len(people) > MOST else str(len(people))
    text = _("{count} people get no email, because their addresses are rejected: {names}")
    names = listed([*(str(one) for one in people[:FEW]), "…"])
    address = f"{reverse('admin:games_user_changelist')}?stands=rejected"
    yield DashboardLine(
        text.format(count=count, names=names), "", address, _("All of these people")
    )
