"""Where a person replies by email: a secret address for each of their conversations.

The addresses are signed, not kept: there is a number in them that the person's row has, too.
"""

import base64
import re
from typing import Final, NamedTuple

from django.conf import settings
from django.db.models import F
from django.utils.crypto import constant_time_compare, salted_hmac

from games.models import Game, Thread, User

SIGNATURE_BYTES: Final = 15
ADDRESS: Final = re.compile(r"g-([0-9a-f]{1,16})-([0-9a-f]{1,16})-([a-z2-7]{24})@(.+)")


class Conversation(NamedTuple):
    """What a person replies to: email about a game, or what is said in a private `thread` of it."""

    person: User
    game: Game
    thread: Thread | None = None


def is_on() -> bool:
    """Whether this site takes replies by email."""
    return bool(settings.MAIL_REPLIES_DOMAIN)


def address_of(person: User, game_id: int, thread_token: str = "") -> str:
    """Where the person replies to email about this game, or about this private thread of it."""
    signature = _signature(person, game_id, thread_token)
    return f"g-{person.pk:x}-{game_id:x}-{signature}@{settings.MAIL_REPLIES_DOMAIN}"


def conversation_at(address: str) -> Conversation | None:
    """The conversation of an address, in whatever letters it is written; None if it has none.

    Nor has one that was renewed, or that of somebody who was banned.
    """
    found = ADDRESS.fullmatch(address.lower())
    if found is None or not is_on() or found[4] != settings.MAIL_REPLIES_DOMAIN:
        return None
    person_id, game_id, signature = int(found[1], 16), int(found[2], 16), found[3]
    person = User.objects.filter(pk=person_id, is_active=True, is_guest=False).first()
    game = Game.objects.filter(pk=game_id).first()
    if person is None or game is None:
        return None
    if constant_time_compare(_signature(person, game_id, ""), signature):
        return Conversation(person, game)
    # Which thread it is isn't in the address: whoever reads it would learn how many there are.
    for thread in Thread.objects.filter(game=game, members__user=person):
        if constant_time_compare(_signature(person, game_id, thread.token), signature):
            return Conversation(person, game, thread)
    return None


def renew(person: User) -> None:
    """Give the person new addresses: those in the email they got before lead nowhere."""
    User.objects.filter(pk=person.pk).update(reply_number=F("reply_number") + 1)


def play_at_once(person: User, *, at_once: bool) -> None:
    """Play what the person sends by email at once, or ask them to confirm it first."""
    User.objects.filter(pk=person.pk).update(replies_at_once=at_once)


def _signature(person: User, game_id: int, thread_token: str) -> str:
    about = f"{person.pk}:{person.reply_number}:{game_id}:{thread_token}"
    digest = salted_hmac("reply addresses", about, algorithm="sha256").digest()
    return base64.b32encode(digest[:SIGNATURE_BYTES]).decode().lower()
