"""`manage.py receive_email`: takes the replies of players from the mail server."""

import asyncio
from typing import Any, Final

from django.core.management.base import BaseCommand

from games import wake
from games.features.inbound import addresses, configured
from games.features.inbound.lmtp import serve
from games.services.operations.versions import refuse_to_start
from intrigue_site.settings_checks import refuse_wrong_settings

OFF: Final = "Replies by email are off: MAIL_REPLIES_DOMAIN and MAIL_AUTHSERV_ID aren't set."


class Command(BaseCommand):
    help = (
        "Take the email that players reply with from the mail server, by LMTP at LMTP_ADDRESS. "
        "Runs until it is stopped. A worker reads what was taken."
    )

    def handle(self, *_arguments: Any, **_options: Any) -> None:
        refuse_wrong_settings()
        refuse_to_start()
        wake.connect()
        address = configured.lmtp_address() if addresses.is_on() else ""
        line = f"Taking email at {address}." if address else OFF
        # Off, it waits: those who run all of the Procfile end all if one ends.
        asyncio.run(serve(address, lambda: self.stdout.write(line)))
