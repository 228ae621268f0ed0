"""What leads to the email about questions, for previews and tests; previews roll it back."""

from typing import Any
from uuid import uuid4

from games.features.questions import answering, asking, from_addresses
from games.features.questions.models import Letter
from games.features.questions.queries import last_letter
from games.models import User
from games.services.moderation.actions.requests import ActionRequest


def question(cast: Any) -> tuple[None, User, dict[str, int]]:
    """Anna asks; Nora is a moderator."""
    nora, anna = cast.moderator("Nora"), cast.person("Anna")
    written = asking.Written(anna, cast.words.mention, uuid4(), cast.now)
    thread = asking.ask(written, kind="clock")
    return None, nora, {"about": last_letter(thread)}


def question_code(cast: Any) -> tuple[None, None, dict[str, Any]]:
    """Somebody without an account asks."""
    language = cast.moderator("Nora").language
    written = from_addresses.Unconfirmed(
        "dora@sample.invalid", language, cast.words.mention, uuid4(), cast.now
    )
    found = from_addresses.ask(written, kind="access")
    return None, None, {"about": found.pk, "address": found.address}


def moderators_wrote(cast: Any) -> tuple[None, User | None, dict[str, int]]:
    """Nora answers Anna."""
    _game, nora, about = question(cast)
    thread = Letter.objects.select_related("question__person").get(pk=about["about"]).question
    request = ActionRequest(nora, "", cast.now)
    answering.answer(
        request, question_id=thread.pk, text=cast.words.referee, token=uuid4(), seen=about["about"]
    )
    return None, thread.person, {"about": last_letter(thread)}
