"""What leads to email about accounts, for previews and for tests."""

from games.features.previews.tables import Cast, Sample
from games.models import AuditLine, Export
from games.services.accounts import on_request


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
