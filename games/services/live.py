"""Announces that a table or something of a person's own has changed, for the pages that are open.

Not what has changed: the pages fetch themselves again. Best effort, after the commit.
"""

from collections.abc import Iterable
from functools import partial

from django.conf import settings
from django.db import transaction
from django.dispatch import Signal

changed = Signal()
"""Sent after each commit that changed something, with `topics`: the names of what changed.

A receiver must be quick and refuse nothing.
"""


def table_topic(game_id: int) -> str:
    """What is public at a table."""
    return f"t{game_id}"


def person_topic(user_id: int) -> str:
    """What only this person may read: private messages and offers, their own tables."""
    return f"p{user_id}"


def table_changed(game_id: int) -> None:
    """Something that everybody who may see the table may read has changed."""
    _announce([table_topic(game_id)])


def people_concerned(user_ids: Iterable[int | None]) -> None:
    """Something has changed for each of these people, and for nobody else. None is nobody."""
    _announce(sorted({person_topic(one) for one in user_ids if one is not None}))


def _announce(topics: list[str]) -> None:
    if topics:
        transaction.on_commit(partial(changed.send, None, topics=topics), robust=True)


def streams_key(process: str) -> str:
    """The key in the broker where a live process says how many streams it holds."""
    return f"live streams {settings.SITE_URL} {process}"
