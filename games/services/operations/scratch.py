"""Rows that are made for one page and thrown away again."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def nothing_stays() -> Iterator[None]:
    """Roll back whatever the block writes, also what its services commit."""
    if connection.in_atomic_block:  # of a test
        before = transaction.savepoint_create()
        try:
            yield
        finally:
            transaction.savepoint_rollback(before)
        return
    transaction.set_autocommit(False)
    try:
        with connection.cursor() as cursor:
            # Several may be made at once, with the same people: one waits for another.
            cursor.execute("SET LOCAL lock_timeout = '30s'")
        yield
    finally:
        transaction.rollback()
        transaction.set_autocommit(True)
