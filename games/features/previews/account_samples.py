"""What leads to email about accounts and people, for previews and for tests."""

from games.features.previews.tables import DAY, Cast, Sample, at_table, table
from games.models import AuditLine, Export
from games.services.accounts import on_request
from games.services.moderation.actions import people
from games.services.moderation.actions.everything import ALL, FREE, clear_up
from games.services.moderation.actions.requests import PersonRequest


def account_changed(cast: Cast) -> Sample:
    """An administrator has changed Anna's address."""
    anna = cast.person("Anna")
    by = on_request.By(cast.moderator("Nora"), cast.words.requested, cast.now)
    on_request.change_address(anna, "anna@new.example", by)
    return Sample(None, anna, {"about": AuditLine.objects.get(person=anna).pk})


def export_ready(cast: Cast) -> Sample:
    anna, now = cast.person("Anna"), cast.now
    made = Export.objects.create(user=anna, requested_at=now, not_before=now, made_at=now)
    return Sample(None, anna, {"about": made.pk})


def without_notices(cast: Cast) -> Sample:
    anna = cast.person("Anna")
    anna.unwanted_emails = ["your_turn"]
    anna.save(update_fields=["unwanted_emails"])
    return Sample(None, anna, {})


def conduct(cast: Cast) -> Sample:
    """Anna is suspended for a week."""
    anna = cast.person("Anna")
    request = PersonRequest(anna.pk, cast.moderator("Nora"), cast.words.suspended, 0, cast.now)
    people.suspend(request, until=cast.now + 7 * DAY)
    line = AuditLine.objects.get(person=anna)
    return Sample(None, anna, {"about": line.pk})


def seats_taken(cast: Cast) -> Sample:
    """Anna has lost her seat."""
    anna = at_table(table(cast), "Anna")
    request = PersonRequest(anna.pk, cast.moderator("Nora"), cast.words.reason, 0, cast.now)
    clear_up(request, seats=FREE, where=ALL)
    line = AuditLine.objects.get(person=anna, action="person.clear-up")
    return Sample(None, anna, {"about": line.pk})
