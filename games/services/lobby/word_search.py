"""Looking for words, each by the index of its columns: "ven tab" finds "The Venice table"."""

import re
from collections.abc import Iterable
from typing import Any, Final

from django.contrib.postgres.search import SearchQuery, SearchVector
from django.db.models import QuerySet

CONFIG: Final = "simple"
"""Words as they are written, of any language."""


def with_words(rows: QuerySet[Any], columns: Iterable[str], words: str) -> QuerySet[Any]:
    """The rows in which all these words begin some word of these columns, which have an index."""
    query = query_of(words)
    if query is None:
        return rows.none()
    vector = SearchVector(*columns, config=CONFIG)
    found: QuerySet[Any] = rows.alias(words=vector).filter(words=query)
    return found


def query_of(words: str) -> SearchQuery | None:
    """The query for PostgreSQL; None where there is no word in it."""
    parts = [part for part in re.split(r"[\s'\\]+", words) if re.search(r"\w", part)]
    if not parts:
        return None
    return SearchQuery(
        " & ".join(f"'{part}':*" for part in parts), config=CONFIG, search_type="raw"
    )
