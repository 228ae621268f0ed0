"""Finds the numbers of rows in what people are shown: they would give away how many there are."""

import base64
import re
from collections.abc import Iterator

from allauth.usersessions.models import UserSession
from django.apps import apps
from django.db import connection, models

FIRST = 41_000_001
APART = 10_000
LIKE_ONE = re.compile(r"(?<!\d)41\d{6}(?!\d)")
IN_HEXADECIMAL = re.compile(r"(?<![0-9a-f])27[0-9a-f]{5}(?![0-9a-f])")
ENCODED = re.compile(r"[\w-]{12,}")


def _counted() -> list[type[models.Model]]:
    ours = ("games", "questions")
    return [*(one for app in ours for one in apps.get_app_config(app).get_models()), UserSession]


def count_from_afar() -> None:
    """Let the rows that are made from now on have numbers that stand nowhere else."""
    with connection.cursor() as cursor:
        for place, model in enumerate(_counted()):
            about = [model._meta.db_table, model._meta.pk.column]
            cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", about)
            [sequence] = cursor.fetchone()
            if sequence is not None:
                cursor.execute(f"ALTER SEQUENCE {sequence} RESTART WITH {FIRST + place * APART}")


def numbered() -> dict[int, str]:
    """What each number of a row is the number of."""
    return {
        pk: model.__name__
        for model in _counted()
        for pk in model.objects.values_list("pk", flat=True)
        if isinstance(pk, int) and pk >= FIRST
    }


def numbers_in(text: str) -> set[int]:
    """What may be such numbers, also where they are only encoded: hexadecimal, base 64."""
    found = {int(one) for one in LIKE_ONE.findall(text)}
    found |= {int(one, 16) for one in IN_HEXADECIMAL.findall(text)}
    return found.union(*(map(int, LIKE_ONE.findall(one)) for one in _decoded(text)))


def _decoded(text: str) -> Iterator[str]:
    for token in ENCODED.findall(text):
        yield base64.urlsafe_b64decode(token[: len(token) // 4 * 4]).decode("latin-1")
