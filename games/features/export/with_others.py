"""The part of an export about the person and others: whom they know, invitations, reports.

Others go by their public names; never by their addresses.
"""

from typing import Any

from django.db.models import Q

from games.features.export.instants import instant
from games.mailboxes import spellings
from games.models import Acquaintance, Invitation, Report, User
from games.services.people.display_names import inviter_name, names_of_addresses
from games.services.public_ids import public_id
from games.services.reports.queries import (
    REDACTIONS,
    STATES_FOR_PERSON,
    STATES_FOR_REPORTER,
    about_text,
    about_you_text,
    own_words,
    state_for_person,
    was_removed,
    words_to_reporter,
)

type Json = dict[str, Any]


def people(person: User) -> Json:
    """The person's acquaintances, declared and confirmed, and the people they block or ignore."""
    blocks = person.blocks.select_related("blocked").order_by("pk")
    ignores = person.ignores.select_related("ignored").order_by("pk")
    blocked = {one.blocked_id for one in blocks}
    return {
        "acquaintances": [
            entry for row in _between(person) if (entry := _acquaintance(row, person, blocked))
        ],
        "blocked": [{"name": one.blocked.name, "at": instant(one.at)} for one in blocks],
        "ignored": [{"name": one.ignored.name, "at": instant(one.at)} for one in ignores],
    }


def _between(person: User) -> list[Acquaintance]:
    rows = Acquaintance.objects.filter(Q(person=person) | Q(other=person)).order_by("pk")
    return list(rows.select_related("person", "other"))


def _acquaintance(row: Acquaintance, reader: User, blocked: set[int]) -> Json | None:
    """What two have declared; None for a request of somebody whom the reader has blocked."""
    own = row.person_id == reader.pk
    hidden = not own and row.person_id in blocked
    if hidden and row.confirmed_at is None:
        return None
    other = row.other if own else row.person
    return {
        "name": other.name,
        "asked_by_me": own,
        "note": "" if hidden else row.note,
        "at": instant(row.declared_at),
        "confirmed_at": instant(row.confirmed_at),
    }


def invitations(person: User) -> Json:
    """Those the person sent, by name only where they gave a name, and those they received."""
    rows = Invitation.objects.select_related("game", "invited_by").order_by("pk")
    sent = list(rows.filter(invited_by=person))
    received = rows.filter(email__in=spellings(person.email))
    names = names_of_addresses([one.email for one in sent if one.by_name])
    return {
        "sent": [
            _invitation(one) | ({"to": names.get(one.email, "")} if one.by_name else {})
            for one in sent
        ],
        "received": [_invitation(one) | {"from": inviter_name(one)} for one in received],
    }


def _invitation(row: Invitation) -> Json:
    return {"table": row.game.name, "state": row.status, "at": instant(row.created_at)}


def reports(person: User) -> Json:
    """What the person reported, and what was decided against them; never the reporter."""
    rows = Report.objects.select_related("person", "game", *REDACTIONS).order_by("pk")
    return {
        "made": [
            {
                "about": about_text(one),
                "kind": str(one.get_kind_display()),
                "text": one.text,
                "at": instant(one.at),
                "state": str(STATES_FOR_REPORTER[one.state]),
                **_decision(one),
                "decision": words_to_reporter(one),
            }
            for one in rows.filter(reporter=person)
        ],
        "about_me": [
            {
                "id": public_id("report", one.pk),
                "about": about_you_text(one),
                "my_words": own_words(one),
                "state": state_for_person(one),
                "decided_at": instant(one.decided_at),
                "appeal": one.appeal,
                "appealed_at": instant(one.appealed_at),
                **_decision(one),
            }
            for one in rows.filter(person=person, state__in=STATES_FOR_PERSON)
        ],
    }


def _decision(report: Report) -> Json:
    return {
        "decision": report.outcome,
        "final_decision": report.last_word,
        "removed": was_removed(report),
    }
