"""The text of an email: its subject, and what stands below it."""

import re
import secrets
from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string


def subject_and_text(template: str, context: Mapping[str, Any]) -> tuple[str, str]:
    """The subject and the text of a template that begins with the subject.

    The layout ends it with a mark that nobody can write: what somebody has called a table stays in
    the subject, whatever it is.
    """
    mark = secrets.token_hex(16)
    text = render_to_string(template, {**context, "end_of_subject": mark}, using="pages")
    subject, _mark, body = text.partition(mark)
    return " ".join(subject.split()), re.sub(r"\n{3,}", "\n\n", body.strip())
