"""Who kept or broke a promise: the person who sat there then, and for whom they did it."""

from typing import NamedTuple

from django.utils.translation import gettext as _

from games.models import Thread
from games.services.game.holders import Holders
from games.services.game.promise_counts import Judged


class Doer(NamedTuple):
    """Whose hand kept or broke a promise, and who had given it: mostly the same."""

    seat: int
    name: str
    promiser: str

    @property
    def text(self) -> str:
        """Their name; of what somebody inherited, both names."""
        if self.name == self.promiser:
            return self.name
        return _("{name}, for {other}").format(name=self.name, other=self.promiser)

    @property
    def names(self) -> list[str]:
        """The names in it."""
        return [self.name, self.promiser]


def doer_of(holders: Holders, judged: Judged, thread: Thread | None = None) -> Doer:
    """Who kept or broke this promise, which was made in a `thread` or in front of all."""
    name = holders.after(judged.done.seq)[judged.seat]
    given = holders.given(judged.row.payload["number"], judged.row.seq, thread)
    promiser = name if given is None else holders.after(given.seq)[judged.seat]
    return Doer(judged.seat, name, promiser)
