"""Where limits are counted: failed passwords, guesses of second factors, codes that were used."""

from datetime import datetime
from typing import Any

from django.core.cache.backends.db import DatabaseCache
from django.db import connections, router


class LimitsCache(DatabaseCache):
    """Django's cache in the database, from which only what has run out is ever taken away.

    Django's own drops a third of the rows where there are too many, and with them the counters that
    somebody wants to be rid of. Here MAX_ENTRIES only says from when on each new row takes away
    those that have run out. No counter of ours lasts longer than a day.
    """

    _table: str

    def _cull(self, db: str, cursor: Any, now: datetime, num: int) -> None:
        connection = connections[db]
        table = connection.ops.quote_name(self._table)
        cursor.execute(
            f"DELETE FROM {table} WHERE expires < %s",  # noqa: S608 - the table of the settings
            [connection.ops.adapt_datetimefield_value(now)],
        )

    def forget_expired(self, now: datetime) -> int:
        """Take away what has run out; how many rows that were."""
        db = router.db_for_write(self.cache_model_class)
        with connections[db].cursor() as cursor:
            self._cull(db, cursor, now, 0)
            return int(cursor.rowcount)
