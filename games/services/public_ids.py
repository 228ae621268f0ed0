"""What names a row in an address instead of its number.

Numbers tell how many rows there are, also those that the reader mustn't know of: orders and private
words of others, email about them. An id is the number, encrypted with the site's secret key, so
nothing is stored; it looks random, and the same row always has the same one.
"""

from functools import lru_cache
from uuid import UUID

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from django.conf import settings
from django.utils.crypto import salted_hmac

BLOCK = 16
MOST_DIGITS = 18


def public_id(kind: str, number: int) -> str:
    """The id of the row with this number among those of a `kind`, as a UUID is written."""
    encryptor = _cipher(kind, settings.SECRET_KEY).encryptor()
    return str(UUID(bytes=encryptor.update(number.to_bytes(BLOCK))))


def short_id(kind: str, number: int) -> str:
    """A few letters to tell one row of a person from another, where an id would be too long."""
    return public_id(kind, number)[:8]


def number_of(kind: str, text: str, *, old: bool = True) -> int | None:
    """The number of the row with this id; None if it is none.

    Addresses once had the number itself: pages and email with an `old` one still lead there.
    """
    if text.isascii() and text.isdigit():
        return int(text) if old and len(text) <= MOST_DIGITS else None
    try:
        block = UUID(text).bytes
    except ValueError:
        return None
    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        number = int.from_bytes(_cipher(kind, secret).decryptor().update(block))
        if number < 10**MOST_DIGITS:  # by chance one in twenty trillion trillion is
            return number
    return None


def public_pair(kind: str, first: int, second: int) -> bytes:
    """Two numbers in one block that no reader can make out; with the present key only."""
    encryptor = _cipher(kind, settings.SECRET_KEY).encryptor()
    return encryptor.update(first.to_bytes(BLOCK // 2) + second.to_bytes(BLOCK // 2))


def pair_of(kind: str, block: bytes) -> tuple[int, int]:
    """The numbers of such a block; of any other, two that mean nothing."""
    numbers = _cipher(kind, settings.SECRET_KEY).decryptor().update(block)
    return int.from_bytes(numbers[: BLOCK // 2]), int.from_bytes(numbers[BLOCK // 2 :])


@lru_cache(maxsize=1_000)  # saves 0.2 ms of a game's page
def _cipher(kind: str, secret: str | bytes) -> Cipher[modes.ECB]:
    """One block alone is encrypted, so that the mode does nothing."""
    key = salted_hmac("public ids", kind, secret=secret, algorithm="sha256").digest()
    return Cipher(algorithms.AES(key), modes.ECB())  # noqa: S305 - see above
