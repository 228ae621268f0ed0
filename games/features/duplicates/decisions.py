"""What a moderator decides about two accounts that were used with one browser."""

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import SharedBrowser
from games.services.audit import Values
from games.services.moderation.actions.requests import ActionRequest, write_audit_line
from games.services.refused import Refused
from games.services.roles import refuse_non_moderators


def clear_pair(request: ActionRequest, *, person_id: int, other_id: int) -> None:
    """Take two people who share a browser off the dashboard. Cleared already is no error."""
    refuse_non_moderators(request.moderator)
    if request.moderator.pk in {person_id, other_id}:
        raise Refused(_("This concerns you, so another moderator has to handle it."))
    with transaction.atomic(durable=True):
        two = SharedBrowser.objects.select_related("first", "second").filter(
            first=min(person_id, other_id), second=max(person_id, other_id)
        )
        pair = two.select_for_update(of=("self",)).first()
        if pair is None:
            raise Refused(
                _(
                    "There's no record of these two accounts sharing a browser, or the record "
                    "has expired."
                )
            )
        if pair.cleared_at is not None:
            return
        pair.cleared_at = request.now
        pair.save(update_fields=["cleared_at"])
        person, other = pair.first, pair.second
        if person.pk != person_id:
            person, other = other, person
        after: Values = {"person": other.pk, "name": other.name}
        write_audit_line("pair.clear", request, person=person, after=after)
