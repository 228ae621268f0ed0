"""Email about a person: the contexts of its templates."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import extensions
from games.models import AuditLine, Game, OutboxEmail, Sanction, Seat, Thread, User
from games.presentation.text.sanctions import APPEALABLE, decided
from games.presentation.text.words import dated, listed, moment
from games.services.chat import retention
from games.services.email import reachability
from games.services.people import sanctions
from games.services.people.queries.sanctions import latest_reason

type Context = dict[str, Any]


def conduct(email: OutboxEmail, _seat: Seat | None) -> Context:
    """A moderator's decision about the reader, its reason, and where to appeal.

    `email.about` is the line of the audit log; its `after` has the end of a mute or a suspension,
    or a new name.
    """
    line = AuditLine.objects.get(pk=email.about)
    until = datetime.fromisoformat(line.after["until"]) if "until" in line.after else None
    context = decided_about(
        email.person, line.action, line.reason, until=until, name=line.after.get("name", "")
    )
    return context | {"link": settings.SITE_URL + _own_page(email.person)}


def decided_about(
    reader: User | None, action: str, reason: str, *, until: datetime | None = None, name: str = ""
) -> Context:
    """The same of what isn't in the audit log yet; the link leads who can sign in to their page."""
    zone = "UTC" if reader is None else reader.time_zone
    can_sign_in = reader is None or reader.is_active
    text = decided(action, moment(until, zone) if until else "", name, can_sign_in=can_sign_in)
    return {
        "decided": text,
        "preheader": text,
        "reason": reason,
        "may_appeal": action in APPEALABLE,
        "link": settings.SITE_URL + reverse("games:conduct"),
    }


def seats_taken(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The games in which one action took the reader's seats, why, and how to have one back."""
    line, games = AuditLine.objects.get(pk=email.about), _without_their_seat(email)
    text = ngettext(
        "You no longer have your seat in {count} game",
        "You no longer have your seats in {count} games",
        len(games),
    )
    names = [game.name for game in games]
    may_return = email.person is not None and email.person.may_play(timezone.now())
    back = _("You can have a seat back until someone else takes it.")
    ask = extensions.link("ask the moderators") if may_return else ""
    return {
        "subject": text.format(count=len(games)),
        "games": names,
        "may_return": may_return,
        "reason": line.reason,
        "preheader": back if may_return else listed(names),
        "link": settings.SITE_URL + (ask or reverse("games:home")),
        "link_text": _("Ask for a seat back") if ask else _("My games"),
    }


def has_lost_seats(email: OutboxEmail, _seat: Seat | None) -> bool:
    """Whether the reader hasn't got all of them back, and any of the games goes on."""
    return bool(_without_their_seat(email))


def _without_their_seat(email: OutboxEmail) -> list[Game]:
    line = AuditLine.objects.filter(pk=email.about).first()
    if line is None or email.person is None:
        return []
    taken = AuditLine.objects.filter(
        person=email.person, at=line.at, action__in=("game.reopen", "game.house-player")
    )
    games = Game.objects.filter(pk__in=taken.values("game"), status=Game.Status.RUNNING)
    return list(games.exclude(seats__user=email.person).defer("state").order_by("pk"))


def closed_account(person: User, now: datetime) -> Context:
    """The context for a banned person who tries to sign in or up: why, and where to appeal."""
    return {
        "decided": decided("person.ban"),
        "reason": latest_reason(person, Sanction.Kind.BAN, now),
        "link": settings.SITE_URL + _own_page(person),
    }


def no_email_or_notifications(_email: OutboxEmail, _seat: Seat | None) -> Context:
    """No email and no notification reaches the reader any more; the link leads to their choices."""
    return {
        "preheader": _("Turn on notifications again, or choose to get email."),
        "link": settings.SITE_URL + reverse("notifications"),
    }


def gets_nothing(email: OutboxEmail, _seat: Seat | None) -> bool:
    """Whether that is still so."""
    return email.person is not None and reachability.gets_nothing_about_turns(email.person)


def address_tested(_email: OutboxEmail, _seat: Seat | None) -> Context:
    """It arrives at an address that had been rejected; the link leads to the reader's choices."""
    return {
        "preheader": _("What we couldn't send you in the meantime comes next."),
        "link": settings.SITE_URL + reverse("notifications"),
    }


def talk_ends(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The tables whose private messages of the reader are deleted, with the days, next first."""
    reader = email.person
    ending = retention.ending(reader) if reader is not None else Thread.objects.none()
    ends = {thread.game: thread.kept_until for thread in ending}  # a table may have many
    zone = "UTC" if reader is None else reader.time_zone
    tables = [
        {"name": game.name, "until": dated(at, zone)} for game, at in ends.items() if at is not None
    ]
    text = ngettext(
        "Your private messages at {count} table will be deleted, the first on {date}",
        "Your private messages at {count} tables will be deleted, the first on {date}",
        len(tables),
    )
    if len(tables) == 1:
        text = _("Your private messages at “{table}” will be deleted on {date}")
    first = tables[0]
    subject = text.format(table=first["name"], count=len(tables), date=first["until"])
    context = {"subject": subject, "tables": tables}
    if download := extensions.link("own_data"):
        return context | {
            "preheader": _("To keep your messages, download all your data before then."),
            "can_download": True,
            "link": settings.SITE_URL + download,
        }
    return context | {
        "preheader": _("Offers, promises and the game itself are kept."),
        "link_text": _("My games"),
        "link": settings.SITE_URL + reverse("games:home"),
    }


def has_messages_to_delete(email: OutboxEmail, _seat: Seat | None) -> bool:
    """Whether any is left."""
    return email.person is not None and retention.ending(email.person).exists()


def _own_page(reader: User | None) -> str:
    """The reader's page about their sanctions; by a signed link if they can't sign in."""
    if reader is None or reader.is_active:
        return reverse("games:conduct")
    return reverse("games:conduct_by_link", args=[sanctions.token_for(reader)])
