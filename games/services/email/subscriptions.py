"""The email that people want, and signed links that unsubscribe without signing in."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from games import extensions
from games.models import Game, MutedGame, OutboxEmail, User
from games.services.email.kind import EmailKind
from games.services.email.kinds import SWITCHES, kind_of
from games.services.email.switches import EmailChoice, Switch, email_choice
from games.services.lobby import email_invitees
from games.services.public_ids import number_of, public_id

CHOICES: Final = "choices"
"""The subject of signed links to one's own choices."""


DIGEST: Final = "digest"
"""The subject of signed links that stop the digest."""


def wants(person: User, game: Game | None, kind: EmailKind, *, is_muted: bool = False) -> bool:
    """Whether the person, who may have muted the game, wants this kind of email about it."""
    if kind.switch is None:
        return True
    return is_on(person, kind.switch) and not is_quiet(game, kind, is_muted=is_muted)


def is_quiet(game: Game | None, kind: EmailKind, *, is_muted: bool) -> bool:
    """Whether this kind of optional email about the game is off.

    The game is muted, or guided, or has no deadlines: those two are played alone.
    """
    is_alone = game is not None and (game.guided or not game.has_deadlines)
    return is_muted or (is_alone and not kind.in_guided_games)


def is_on(person: User, switch: Switch) -> bool:
    """Whether the person's profile asks for what this switch is for."""
    return email_choice(person, switch.key) is not EmailChoice.NEVER


def comes_in_digest(person: User, kind: EmailKind) -> bool:
    """Whether this kind of email waits for the person's digest, also one that they have stopped.

    So they still get it if they resume the digest before that.
    """
    return kind.switch is not None and kind.switch.key in person.digest_emails


def gets_digest(person: User) -> bool:
    """Whether there is any kind of email that the person wants in the digest."""
    return EmailChoice.DIGEST in {email_choice(person, key) for key in person.digest_emails}


class EmailLink(NamedTuple):
    """A link at the end of an email: it `stops` more of it, or leads to the person's choices."""

    label: str
    url: str
    stops: bool


def links_of(emails: Sequence[OutboxEmail]) -> list[EmailLink]:
    """The links at the end of a message of all these emails to one person.

    Those that stop some of it come first, and mail programs offer the first of these; there are
    none if all is essential. Then what one gets can be changed, without signing in.
    """
    links = list(dict.fromkeys(link for email in emails for link in _unsubscribe_links(email)))
    return [*links, *_link_to_choices(emails[0].person), *_link_to_moderators(emails[0])]


def links_of_digest(person: User) -> list[EmailLink]:
    """The links at the end of a digest, in the same order."""
    return [_link(_("Stop the digest"), person, DIGEST), *_link_to_choices(person)]


def _link_to_choices(person: User | None) -> list[EmailLink]:
    if person is None:
        return []
    page = settings.SITE_URL + reverse("games:choices", args=[token_for(person, CHOICES)])
    return [EmailLink(_("Email settings"), page, stops=False)]


def _link_to_moderators(email: OutboxEmail) -> list[EmailLink]:
    """Where people with an account ask about it, if a feature has such a page."""
    page = extensions.link("ask the moderators")
    if email.person is None or not page:
        return []
    about = f"?table={email.game.token}" if email.game is not None else ""
    return [EmailLink(_("Ask the moderators"), f"{settings.SITE_URL}{page}{about}", stops=False)]


def _unsubscribe_links(email: OutboxEmail) -> list[EmailLink]:
    person, switch = email.person, kind_of(email).switch
    if switch is None:
        return []
    if email_invitees.gets(email):
        stop = _("Stop invitations to this address")
        return [EmailLink(stop, email_invitees.stop_link(email), stops=True)]
    if person is None:
        return []
    links = []
    if switch.all_games_link is not None:
        label = str(switch.all_games_link.label)
        links.append(_link(label, person, switch.all_games_link.name))
    if switch.this_game_link and email.game is not None:
        links.append(_link(_("Stop emails about this game"), person, email.game))
    return links


def _link(label: str, person: User, what: Game | str) -> EmailLink:
    page = reverse("games:unsubscribe", args=[token_for(person, what)])
    return EmailLink(label, settings.SITE_URL + page, stops=True)


def token_for(person: User, what: Game | str) -> str:
    """The signed part of a link: the person, and a game, the `name` of an `AllGamesLink`, or ours.

    It also says until when it leads to all choices: these end with the sessions, as with a new
    password, and with the address. Until the person goes, it stops what it is for.
    """
    about = public_id("person", person.pk)
    stops = what if isinstance(what, str) else public_id("game", what.pk)
    return _signer().sign_object([about, stops, _marks(person)[0]])


def person_who_chooses(token: str) -> User | None:
    """The person who opened the link to their choices; None if it is forged, or ended since."""
    link = _read(token)
    return link.person if link is not None and link.what == CHOICES and link.leads_on else None


def choices_beside(token: str) -> str:
    """The token of a link to all choices, for whoever stops some email; "" if it ended since."""
    link = _read(token)
    return token_for(link.person, CHOICES) if link is not None and link.leads_on else ""


class _Link(NamedTuple):
    """What a link says: whose it is, what it is for, and whether it leads to all choices."""

    person: User
    what: str
    leads_on: bool


def _read(token: str) -> _Link | None:
    """What a link says; None if it is forged, or its person no longer exists."""
    try:
        who, what, *mark = _signer().unsign_object(token)
    except BadSignature:
        return None
    person = User.objects.filter(pk=number_of("person", str(who)) or 0).first()
    if person is None:
        return None
    # Links of before say how often sessions had ended, or nothing.
    leads_on = [*mark, 0][0] in [*_marks(person), person.sessions_ended]
    return _Link(person, str(what), leads_on)


def _marks(person: User) -> list[str]:
    """What changes with the end of all sessions and with the address, by each secret key."""
    known = f"{person.sessions_ended}:{person.email}"
    return [
        salted_hmac("choices", known, secret=secret, algorithm="sha256").hexdigest()[:12]
        for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    ]


class Subscription(NamedTuple):
    """The email that a link stops for a person: of a `game`, of a `switch`, or the `digest`."""

    person: User
    game: Game | None = None
    switch: Switch | None = None
    digest: bool = False


def subscription_of(token: str) -> Subscription | None:
    """The subscription of a link; None if it is forged, or its person or game no longer exists."""
    link = _read(token)
    if link is None:
        return None
    person, what, _leads_on = link
    if what == DIGEST:
        return Subscription(person, digest=True)
    for switch in SWITCHES:
        if switch.all_games_link is not None and switch.all_games_link.name == what:
            return Subscription(person, switch=switch)
    game = Game.objects.filter(pk=number_of("game", what) or 0).first()
    return None if game is None else Subscription(person, game=game)


def is_stopped(subscription: Subscription) -> bool:
    """Whether the person has stopped this already."""
    person = subscription.person
    if subscription.digest:
        return not gets_digest(person)
    if subscription.switch is not None:
        return not is_on(person, subscription.switch)
    return person.muted_games.filter(game=subscription.game).exists()


def stop(subscription: Subscription) -> None:
    """Send no more of it. Safe to repeat."""
    if subscription.game is None:
        _turn(subscription, on=False)
    else:
        muted = MutedGame(user=subscription.person, game=subscription.game)
        MutedGame.objects.bulk_create([muted], ignore_conflicts=True)


def resume(subscription: Subscription) -> None:
    """Send it again. Safe to repeat."""
    if subscription.game is None:
        _turn(subscription, on=True)
    else:
        subscription.person.muted_games.filter(game=subscription.game).delete()


def _turn(subscription: Subscription, *, on: bool) -> None:
    """Turn it on or off. A stopped digest remembers its kinds, but not those off before."""
    with transaction.atomic(durable=True):
        person = User.objects.select_for_update(no_key=True).get(pk=subscription.person.pk)
        switch, off = subscription.switch, person.unwanted_emails
        if switch is None and not on and gets_digest(person):
            person.digest_emails = [key for key in person.digest_emails if key not in off]
        keys = person.digest_emails if switch is None else [switch.key]
        others = [key for key in off if key not in keys]
        person.unwanted_emails = others if on else [*others, *keys]
        person.save(update_fields=["unwanted_emails", "digest_emails"])


def _signer() -> Signer:
    return Signer(salt="subscriptions", algorithm="sha256")
