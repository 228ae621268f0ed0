"""Where a person replies by email: a secret address for each of their conversations.

The addresses are signed, not kept: what is signed has a number in it that the person's row has,
too. Who it is, and which game, is encrypted in them.
"""

import base64
import re
from typing import Final, NamedTuple

from django.db.models import F
from django.utils.crypto import constant_time_compare, salted_hmac

from games.features.inbound import configured
from games.mailboxes import ascii_domain
from games.models import Game, Thread, User
from games.services.public_ids import pair_of, public_pair

KIND: Final = "reply address"
SIGNATURE_BYTES: Final = 15
PADDING: Final = "======"
"""What base 32 has at the end of a block of 16 bytes."""

ADDRESS: Final = re.compile(r"g-([a-z2-7]{26})-([a-z2-7]{24})")
OLD_ADDRESS: Final = re.compile(r"g-([0-9a-f]{1,16})-([0-9a-f]{1,16})-([a-z2-7]{24})")
"""Old email has such ones, which gave away how many people and games there are."""


class Conversation(NamedTuple):
    """What a person replies to: email about a game, or messages of a private `thread` of it.

    `is_old` says that its address is of the kind that we gave formerly.
    """

    person: User
    game: Game
    thread: Thread | None = None
    is_old: bool = False


def is_on() -> bool:
    """Whether this site takes replies by email."""
    return bool(configured.replies_domain())


def replies_domain() -> str:
    """The domain of all these addresses, as mail servers write it."""
    return ascii_domain(configured.replies_domain())


def address_of(person: User, game_id: int, thread_token: str = "") -> str:
    """Where the person replies to email about this game, or about this private thread of it."""
    about = _in_letters(public_pair(KIND, person.pk, game_id)).rstrip("=")
    signature = _signature(person, game_id, thread_token)
    return f"g-{about}-{signature}@{replies_domain()}"


def conversation_at(address: str) -> Conversation | None:
    """The conversation of an address, in whatever letters it is written; None if it has none.

    Nor has one that was renewed, or that of somebody who was banned.
    """
    local, _at, domain = address.lower().partition("@")
    read = _read(local)
    if read is None or not is_on() or ascii_domain(domain) != replies_domain():
        return None
    person_id, game_id, signature = read
    person = User.objects.filter(pk=person_id, is_active=True, is_guest=False).first()
    game = Game.objects.filter(pk=game_id).first()
    if person is None or game is None:
        return None
    if constant_time_compare(_signature(person, game_id, ""), signature):
        return Conversation(person, game)
    # The address doesn't say which thread it is: that would show how many there are.
    for thread in Thread.objects.filter(game=game, members__user=person):
        if constant_time_compare(_signature(person, game_id, thread.token), signature):
            return Conversation(person, game, thread, is_old=bool(OLD_ADDRESS.fullmatch(local)))
    return None


def renew(person: User) -> None:
    """Give the person new addresses: those in the email they got before lead nowhere."""
    User.objects.filter(pk=person.pk).update(reply_number=F("reply_number") + 1)


def play_at_once(person: User, *, at_once: bool) -> None:
    """Play what the person sends by email at once, or have them confirm it first."""
    User.objects.filter(pk=person.pk).update(replies_at_once=at_once)


def _read(local: str) -> tuple[int, int, str] | None:
    """The person and the game that an address names, and its signature."""
    if old := OLD_ADDRESS.fullmatch(local):
        return int(old[1], 16), int(old[2], 16), old[3]
    if found := ADDRESS.fullmatch(local):
        about = base64.b32decode(f"{found[1].upper()}{PADDING}")
        return *pair_of(KIND, about), found[2]
    return None


def _in_letters(block: bytes) -> str:
    return base64.b32encode(block).decode().lower()


def _signature(person: User, game_id: int, thread_token: str) -> str:
    about = f"{person.pk}:{person.reply_number}:{game_id}:{thread_token}"
    digest = salted_hmac("reply addresses", about, algorithm="sha256").digest()
    return _in_letters(digest[:SIGNATURE_BYTES])
