"""The mailer of sites that send email through a mail server."""

from collections.abc import Sequence
from typing import Any

from django.core.mail import EmailMessage
from django.core.mail.backends import smtp


class EmailBackend(smtp.EmailBackend):
    """Sends all email with one return address, if any: what can't be delivered comes back there."""

    def __init__(self, *, return_address: str = "", **options: Any) -> None:
        super().__init__(**options)
        self._return_address = return_address

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Send these; how many were sent."""
        for message in email_messages if self._return_address else ():
            message.extra_headers = {"From": message.from_email, **message.extra_headers}
            message.from_email = self._return_address
        return int(super().send_messages(email_messages))
