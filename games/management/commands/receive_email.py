"""`manage.py receive_email`: takes the replies of players from the mail server."""

import asyncio
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games import wake
from games.inbound.lmtp import serve
from games.services.inbound import addresses


class Command(BaseCommand):
    help = (
        "Take the email that players reply with from the mail server, by LMTP at LMTP_ADDRESS. "
        "Runs until it is stopped. A worker reads what was taken."
    )

    def handle(self, *_arguments: Any, **_options: Any) -> None:
        wake.connect()
        if addresses.is_on():
            self.stdout.write(f"Taking email at {settings.LMTP_ADDRESS}.")
        else:
            self.stdout.write(
                "Replies by email are off: MAIL_REPLIES_DOMAIN and MAIL_AUTHSERV_ID aren't set."
            )
        # Off, it waits: those who run all of the Procfile end all if one ends.
        asyncio.run(serve(settings.LMTP_ADDRESS if addresses.is_on() else ""))
