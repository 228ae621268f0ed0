"""What becomes of a reply, as it is answered."""

from typing import Any, NamedTuple

from games.models import InboundEmail


class Response(NamedTuple):
    """The response to a reply: a key of `emails.TITLES`, and lines.

    `understood` is what a "confirm" would do, in a form that can be stored; `confirmed` is the
    message that asked for what was done. `offers` are those the lines may show, by their numbers.
    """

    title: str
    lines: list[str]
    understood: dict[str, Any] | None = None
    confirmed: InboundEmail | None = None
    offers: list[int] | None = None
