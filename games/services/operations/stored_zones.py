"""Whether this machine has every time zone that people and tables have chosen."""

from games.models import Game, User
from games.zones import is_known


def trouble() -> str:
    """The missing zones and what to do, in English; "" if none are."""
    people, games = User.objects.all(), Game.objects.filter(finished_at=None)
    stored = {
        name
        for rows in (people, games)
        for name in rows.order_by().values_list("time_zone", flat=True).distinct()
    }
    missing = sorted(name for name in stored if not is_known(name))
    if not missing:
        return ""
    return (
        f"This machine doesn't have the time zones {', '.join(missing)}, which people or tables "
        "have chosen: UTC is used instead. Install the present tzdata."
    )
