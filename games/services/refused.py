"""A wish that cannot be granted now, in one sentence for the person who asked."""


class Refused(Exception):
    """A refusal: nothing was changed; the message says why, and what would be possible."""
