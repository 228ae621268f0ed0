"""A person's choices about email and notifications, as the form sends them."""

from collections.abc import Collection, Mapping
from typing import Any

from games.services.email.kinds import SWITCHES

EVERYTHING = frozenset(switch.key for switch in SWITCHES)


def choices(
    *, email: Mapping[str, str] | None = None, push: Collection[str] = EVERYTHING, **more: Any
) -> dict[str, Any]:
    """As for somebody new, except for these kinds and fields."""
    form: dict[str, Any] = {
        "digest_hour": "8", "quiet_from": "", "quiet_until": "", "were_muted": "",
    }  # fmt: skip
    for switch in SWITCHES:
        form[f"email_{switch.key}"] = (email or {}).get(switch.key, "now")
        if switch.key in push:
            form[f"push_{switch.key}"] = "on"
    return form | more
