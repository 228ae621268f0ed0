"""The mailer of sites that set `MAIL_BOUNCES`."""

from email.policy import SMTP
from typing import Any

from django.core.mail import EmailMessage
from django.core.mail.backends import smtp


class EmailBackend(smtp.EmailBackend):
    """Sends all email with one return address: what can't be delivered comes back there."""

    def __init__(self, *, return_address: str, **options: Any) -> None:
        super().__init__(**options)
        self._return_address = return_address

    def _send(self, email_message: EmailMessage) -> bool:
        recipients = [self.prep_address(address) for address in email_message.recipients()]
        content = email_message.message(policy=SMTP).as_bytes()
        if self.connection is None:  # which `send_messages` has opened
            return False
        self.connection.sendmail(self._return_address, recipients, content)
        return True
