"""What a person reads in a mail."""

import re
from email.message import EmailMessage


def code_in(mail: EmailMessage) -> str:
    """The code, which has a line of its own."""
    text = mail.get_body(("plain",)).get_content()
    return re.search(r"^\s*([0-9A-Z]+(?:-[0-9A-Z]+)*)\s*$", text, re.MULTILINE)[1]
