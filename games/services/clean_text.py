"""What somebody typed, as it is kept."""

from games.unseen import shows_something


def tidy(text: str) -> str:
    """The text with plain ends of lines, and nothing blank around it; "" if nothing of it shows."""
    text = "\n".join(text.splitlines()).strip()
    return text if shows_something(text) else ""
