"""The part of an export about the person alone: their account, browsers, and their sanctions.

No password, no secret of a second factor, no key of a browser or a session, no secret address.
"""

from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession

from games.features.export.instants import instant
from games.models import Sanction, User
from games.services.people.queries.sanctions import why_lifted
from games.services.public_ids import public_id
from games.services.reports.queries import STATES_FOR_PERSON

AS_STORED: Final = (
    "email", "name", "time_zone", "language", "hidden_parts", "named_to_strangers",
    "unwanted_emails", "unwanted_pushes",
    "digest_emails", "digest_hour", "quiet_from", "quiet_until", "never_wake",
    "replies_at_once",
    "is_staff", "needs_second_factor", "refused_email", "refused_email_why", "accepted_terms",
)  # fmt: skip
"""Columns of a person that are exported as they are."""

NAMES_IN_THE_FILE: Final = {"unwanted_emails": "unwanted_mails", "digest_emails": "digest_mails"}
"""Columns that have been renamed since; the format keeps their old names."""

INSTANTS: Final = (
    "date_joined", "last_login", "muted_until", "suspended_until", "refused_email_at",
    "accepted_terms_at",
)  # fmt: skip

type Json = dict[str, Any]


def account(person: User) -> Json:
    """The profile and all settings; of the calendar, whose address is secret, whether it is on."""
    addresses = EmailAddress.objects.filter(user=person).order_by("pk")
    factors = Authenticator.objects.filter(user=person).order_by("pk")
    return {
        **{NAMES_IN_THE_FILE.get(name, name): getattr(person, name) for name in AS_STORED},
        **{name: instant(getattr(person, name)) for name in INSTANTS},
        "crest": person.shown_crest,
        "calendar": person.calendar > 0,
        "addresses": [
            {"email": one.email, "verified": one.verified, "primary": one.primary}
            for one in addresses
        ],
        "connected_accounts": [
            {"provider": one.provider, "since": instant(one.date_joined)}
            for one in SocialAccount.objects.filter(user=person).order_by("pk")
        ],
        "second_factors": [
            {
                "kind": one.type,
                "since": instant(one.created_at),
                "last_used_at": instant(one.last_used_at),
            }
            for one in factors
        ],
    }


def sessions(person: User) -> list[Json]:
    """The browsers in which the person is signed in, as on their own page."""
    return [
        {
            "browser": one.user_agent,
            "address": one.ip,
            "since": instant(one.created_at),
            "last_seen_at": instant(one.last_seen_at),
        }
        for one in UserSession.objects.filter(user=person).order_by("pk")
    ]


def sign_ins(person: User) -> list[Json]:
    """The browsers and addresses they were signed in with, as far as they are still stored."""
    return [
        {
            "browser": one.agent,
            "address": one.address,
            "first_at": instant(one.first_at),
            "last_at": instant(one.last_at),
        }
        for one in person.sign_ins.order_by("pk")
    ]


def notified_browsers(person: User) -> list[Json]:
    rows = person.push_subscriptions.order_by("pk")
    return [{"browser": one.browser, "since": instant(one.created_at)} for one in rows]


def sanctions(person: User) -> list[Json]:
    """What moderators imposed on the person, as on their own page: without the moderator.

    A `report` is named by its `id` among those about the person, if it is one of them.
    """
    lifted = why_lifted(person)
    return [
        {
            "kind": one.kind,
            "at": instant(one.at),
            "until": instant(one.until),
            "reason": one.reason,
            "ended_at": instant(one.ended_at),
            "ended_because": lifted(one),
            "read_at": instant(one.seen_at),
            "appeal": one.appeal,
            "appealed_at": instant(one.appealed_at),
            "answer": one.answer,
            "answered_at": instant(one.answered_at),
            "report": _known_report(one),
        }
        for one in person.sanctions.select_related("report").order_by("pk")
    ]


def _known_report(sanction: Sanction) -> str | None:
    report = sanction.report
    if report is None or report.state not in STATES_FOR_PERSON:
        return None
    return public_id("report", report.pk)
