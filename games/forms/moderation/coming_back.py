"""What is left to do once a suspension or a ban is lifted: where the person is still absent."""

from collections.abc import Iterable
from datetime import datetime

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.models import Sanction, User
from games.services.moderation.actions.sanctioning import EXCLUDING
from games.services.moderation.queries.absence import StillAway, still_away


def what_is_left(person: User, lifted: Iterable[Sanction], reader: User) -> list[str | SafeString]:
    """That nobody is present again by this, with the pages that help, a line for each game."""
    since: list[datetime] = [one.at for one in lifted if one.kind in EXCLUDING]
    if not since:
        return []
    away = still_away(person, min(since), reader)
    text = _(
        "This doesn't mark {name} present: they return to each game themselves, or you mark them "
        "present there. Moves that the clock has already played stand."
    )
    return [text.format(name=person.name), *map(_line, away)] if away else []


def _line(one: StillAway) -> SafeString:
    links = [(_act(one, "present", f"seat={one.seat}"), _("Mark present"))]
    if one.move is not None:
        links.append((_act(one, "our-fault", f"move={one.move}"), _("It was our fault")))
    shown = format_html_join(" · ", '<a href="{}">{}</a>', links)
    return format_html("{}: {}", str(one.game), shown)


def _act(one: StillAway, slug: str, query: str) -> str:
    return f"{reverse('admin:game_action', args=[one.game.pk, slug])}?{query}"
