"""What somebody typed, as it is kept."""


def tidy(text: str) -> str:
    """The text with plain ends of lines, and nothing blank around it."""
    return "\n".join(text.splitlines()).strip()
