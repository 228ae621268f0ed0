"""What a person chooses about email and channels beside it, stored in one go."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import transaction

from games.extensions import channels
from games.models import MutedGame, User
from games.services.email.switches import EmailChoice
from games.services.game import reminders

TIMES: Final = ("digest_hour", "quiet_from", "quiet_until", "never_wake")
"""The choices about hours, each a column of the person."""


class Choices(NamedTuple):
    """All choices of a person, as they have sent them."""

    email: Mapping[str, EmailChoice]
    """When the email of each switch comes, by its key."""

    unwanted: Mapping[str, list[str]]
    """The keys of the switches that are off for each channel, by its key."""

    times: Mapping[str, Any]
    """By the names in `TIMES`."""

    muted: set[int]
    """The games about which only essential email comes."""

    were_muted: set[str]
    """Those that were muted when the page was shown: what was muted since stays so. The ids are as
    the page sends them back, so they may be anything."""


def store(person: User, choices: Choices, now: datetime) -> None:
    """Store all of it. Where the same person stores twice at once, the last one counts."""
    with transaction.atomic(durable=True):
        locked = User.objects.select_for_update(no_key=True).get(pk=person.pk)
        locked.unwanted_emails = _keys(choices, EmailChoice.NEVER)
        locked.digest_emails = _keys(choices, EmailChoice.DIGEST)
        for name in TIMES:
            setattr(locked, name, choices.times[name])
        locked.save(update_fields=["unwanted_emails", "digest_emails", *TIMES])
        for channel in channels():
            channel.choose(locked, choices.unwanted[channel.key])
        were = locked.muted_games.values_list("game", flat=True)
        unmuted = {game for game in were if str(game) in choices.were_muted} - choices.muted
        locked.muted_games.filter(game__in=unmuted).delete()
        rows = [MutedGame(user=locked, game_id=game) for game in choices.muted]
        MutedGame.objects.bulk_create(rows, ignore_conflicts=True)
        reminders.plan_again(locked, now)


def _keys(choices: Choices, when: EmailChoice) -> list[str]:
    return [key for key, chosen in choices.email.items() if chosen == when]
