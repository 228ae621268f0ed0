"""The mailer of sites that send email through a mail server."""

from email.policy import SMTP
from functools import lru_cache
from typing import Any

from django.core.mail import EmailMessage
from django.core.mail.backends import smtp

from games.services.email.mime import PLAIN_ADDRESS


class EmailBackend(smtp.EmailBackend):
    """Sends all email with one return address, if any: what can't be delivered comes back there."""

    def __init__(self, *, return_address: str = "", **options: Any) -> None:
        super().__init__(**options)
        self._return_address = return_address
        self._parsed = lru_cache(maxsize=8)(super().prep_address)

    def prep_address(self, address: str, force_ascii: bool = True) -> str:  # noqa: FBT001, FBT002
        """Only what has to be: Django parses all addresses, which takes as long as to send."""
        if PLAIN_ADDRESS.fullmatch(address):
            return address
        return str(self._parsed(address, force_ascii))

    def _send(self, email_message: EmailMessage) -> bool:
        if not self._return_address:
            return bool(super()._send(email_message))  # type: ignore[misc]
        recipients = [self.prep_address(address) for address in email_message.recipients()]
        content = email_message.message(policy=SMTP).as_bytes()
        if self.connection is None:  # which `send_messages` has opened
            return False
        self.connection.sendmail(self._return_address, recipients, content)
        return True
