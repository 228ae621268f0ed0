"""Where people reply by email: a secret address for each of their conversations.

The addresses are signed, not kept: what is signed has a number in it that the person's row has,
too. Who it is, and which game or topic, is encrypted in them.
"""

import base64
import re
from typing import Final, NamedTuple

from django.db.models import F
from django.utils.crypto import constant_time_compare, salted_hmac

from games import extensions
from games.features.inbound import configured
from games.features.inbound.matters import Matter, matter_numbered
from games.mailboxes import ascii_domain
from games.models import Game, Thread, User
from games.services.public_ids import pair_of, public_pair

KIND: Final = "reply address"
SIGNATURE_BYTES: Final = 15
PADDING: Final = "======"
"""What base 32 has at the end of a block of 16 bytes."""

ABOUT_TOPIC: Final = re.compile(r"c-([a-z2-7]{26})-([a-z2-7]{24})")
ADDRESS: Final = re.compile(r"g-([a-z2-7]{26})-([a-z2-7]{24})")
OLD_ADDRESS: Final = re.compile(r"g-([0-9a-f]{1,16})-([0-9a-f]{1,16})-([a-z2-7]{24})")
"""Old email has such ones, which gave away how many people and games there are."""


class Conversation(NamedTuple):
    """What a person replies to: email about a game, or messages of a private `thread` of it.

    `is_old` says that its address is of the kind that we gave formerly. With a `matter`, it is
    about no game, and perhaps with somebody who has no account.
    """

    person: User | None
    game: Game | None
    thread: Thread | None = None
    is_old: bool = False
    matter: Matter | None = None

    @property
    def address(self) -> str:
        """Where they get email: what comes from elsewhere isn't read."""
        if self.person is not None:
            return self.person.email
        return "" if self.matter is None else self.matter.topic.address


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


def address_about(matter: Matter) -> str:
    """Where somebody replies to email about this matter, which isn't a game."""
    about = _in_letters(public_pair(_kind(matter.by.key), matter.topic.number, 0)).rstrip("=")
    return f"c-{about}-{_signature_about(matter)}@{replies_domain()}"


def conversation_at(address: str) -> Conversation | None:
    """The conversation of an address, in whatever letters it is written; None if it has none.

    Nor has one that was renewed, or that of somebody who was banned.
    """
    local, _at, domain = address.lower().partition("@")
    if not is_on() or ascii_domain(domain) != replies_domain():
        return None
    if found := ABOUT_TOPIC.fullmatch(local):
        return _about_topic(found[1], found[2])
    read = _read(local)
    if read is None:
        return None
    conversation = _about_game(*read)
    is_old = OLD_ADDRESS.fullmatch(local) is not None
    return None if conversation is None else conversation._replace(is_old=is_old)


def _about_game(person_id: int, game_id: int, signature: str) -> Conversation | None:
    person = User.objects.filter(pk=person_id, is_active=True, is_guest=False).first()
    game = Game.objects.filter(pk=game_id).first()
    if person is None or game is None:
        return None
    if constant_time_compare(_signature(person, game_id, ""), signature):
        return Conversation(person, game)
    # The address doesn't say which thread it is: that would show how many there are.
    for thread in Thread.objects.filter(game=game, members__user=person):
        if constant_time_compare(_signature(person, game_id, thread.token), signature):
            return Conversation(person, game, thread)
    return None


def _about_topic(about: str, signature: str) -> Conversation | None:
    """The conversation about a topic: for each feature, the address names another one."""
    block = base64.b32decode(f"{about.upper()}{PADDING}")
    for by in extensions.correspondences():
        number, _nothing = pair_of(_kind(by.key), block)
        matter = matter_numbered(by, number)
        if matter is not None and constant_time_compare(_signature_about(matter), signature):
            return Conversation(matter.topic.person, None, matter=matter)
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


def _kind(key: str) -> str:
    return f"{KIND} {key}"


def _signature_about(matter: Matter) -> str:
    topic = matter.topic
    person, address = topic.person, topic.address
    who = f"at {address}" if person is None else f"{person.pk}:{person.reply_number}"
    return _signed(f"about {matter.stored}:{topic.seal}:{who}")


def _signature(person: User, game_id: int, thread_token: str) -> str:
    about = f"{person.pk}:{person.reply_number}:{game_id}:{thread_token}"
    return _signed(about)


def _signed(about: str) -> str:
    digest = salted_hmac("reply addresses", about, algorithm="sha256").digest()
    return _in_letters(digest[:SIGNATURE_BYTES])
