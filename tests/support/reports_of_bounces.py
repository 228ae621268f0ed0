"""Reports of email that couldn't be delivered, as mail servers write them."""

from email import message_from_bytes, policy
from email.message import EmailMessage

REPORT = """\
From: MAILER-DAEMON@mail.example.net (Mail Delivery System)
To: bounces@example.org
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b0"

--b0
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--b0
Content-Type: message/delivery-status

{of_the_message}

{of_the_recipient}

--b0
{returned}
--b0--
"""

OF_POSTFIX = """\
Reporting-MTA: dns; mail.example.net
X-Postfix-Queue-ID: 8B5C21C0
X-Postfix-Sender: rfc822; bounces@example.org
Arrival-Date: Mon,  2 Mar 2026 10:00:00 +0000 (UTC)"""

USER_UNKNOWN = """\
550 5.1.1 <anna@example.org>: Recipient address
    rejected: User unknown in local recipient table"""

RETURNED = """\
Content-Type: {part}

Return-Path: <bounces@example.org>
From: Intrigue <intrigue@example.org>
To: anna@example.org
Subject: Your turn
Message-ID: {original_id}
"""


def report(
    *,
    action: str = "failed",
    status: str = "5.1.1",
    said: str = USER_UNKNOWN,
    original: str = "",
    final: str = "rfc822; anna@example.org",
    original_id: str = "<0@localhost>",
    part: str = "text/rfc822-headers",
) -> str:
    """A report like Postfix's."""
    fields = {
        "Final-Recipient": final,
        "Original-Recipient": original,
        "Action": action,
        "Status": status,
        "Remote-MTA": "dns; mx.example.org",
        "Diagnostic-Code": f"smtp; {said}" if said else "",
    }
    lines = [f"{name}: {value}" for name, value in fields.items() if value]
    returned = RETURNED.format(part=part, original_id=original_id)
    return REPORT.format(
        of_the_message=OF_POSTFIX, of_the_recipient="\n".join(lines), returned=returned
    )


POSTFIX = report(original="rfc822;anna@example.org")

EXIM = """\
X-Failed-Recipients: anna@example.org
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mail.example.net>
To: bounces@example.org
Content-Type: multipart/report; report-type=delivery-status; boundary=1772445600-eximdsn-1
MIME-Version: 1.0
Subject: Mail delivery failed: returning message to sender

--1772445600-eximdsn-1
Content-type: text/plain; charset=us-ascii

This message was created automatically by mail delivery software.

--1772445600-eximdsn-1
Content-type: message/delivery-status

Reporting-MTA: dns; mail.example.net

Action: failed
Final-Recipient: rfc822;anna@example.org
Status: 5.0.0
Remote-MTA: dns; mx.example.org
Diagnostic-Code: smtp; 550 No such user here

--1772445600-eximdsn-1
Content-type: message/rfc822

Return-path: <bounces@example.org>
From: Intrigue <intrigue@example.org>
To: anna@example.org
Message-ID: <0@localhost>
Subject: Your turn

Hello Anna,

--1772445600-eximdsn-1--
"""

GMAIL = """\
From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
To: bounces@example.org
Auto-Submitted: auto-replied
Subject: Delivery Status Notification (Failure)
MIME-Version: 1.0
Content-Type: multipart/report; boundary="000000000000a1b2c3"; report-type=delivery-status

--000000000000a1b2c3
Content-Type: multipart/related; boundary="000000000000d4e5f6"

--000000000000d4e5f6
Content-Type: text/plain; charset="UTF-8"

** Address not found **

--000000000000d4e5f6--
--000000000000a1b2c3
Content-Type: message/delivery-status

Reporting-MTA: dns; googlemail.com
Received-From-MTA: dns; bounces@example.org
Arrival-Date: Mon, 02 Mar 2026 02:00:00 -0800 (PST)
X-Original-Message-ID: <0@localhost>

Final-Recipient: rfc822; anna@example.org
Action: failed
Status: 5.1.1
Remote-MTA: dns; mx.example.org. (192.0.2.1, the server for the domain example.org.)
Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please
 550-5.1.1 try double-checking the recipient's email address for typos or
 550 5.1.1 unnecessary spaces. a1-2b3c4d - gsmtp
Last-Attempt-Date: Mon, 02 Mar 2026 02:00:01 -0800 (PST)

--000000000000a1b2c3
Content-Type: message/rfc822

From: Intrigue <intrigue@example.org>
To: anna@example.org
Message-ID: <0@localhost>
Subject: Your turn

Hello Anna,

--000000000000a1b2c3--
"""

OUTLOOK = """\
From: <postmaster@example.onmicrosoft.com>
To: <bounces@example.org>
Subject: Undeliverable: Your turn
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="5a6b7c8d-0000"

--5a6b7c8d-0000
Content-Type: multipart/alternative; differences=Content-Type; boundary="9e8f7a6b-0000"

--9e8f7a6b-0000
Content-Type: text/plain; charset="us-ascii"

Your message to anna@example.org couldn't be delivered.

--9e8f7a6b-0000--

--5a6b7c8d-0000
Content-Type: message/delivery-status

Reporting-MTA: dns;AM0PR01MB0001.eurprd01.prod.exchangelabs.com
Received-From-MTA: dns;mail.example.org
Arrival-Date: Mon, 2 Mar 2026 10:00:00 +0000

Original-Recipient: rfc822;Anna@example.org
Final-Recipient: rfc822;anna@example.org
Action: failed
Status: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP
 address lookup

--5a6b7c8d-0000
Content-Type: message/rfc822

From: Intrigue <intrigue@example.org>
To: anna@example.org
Message-ID: <0@localhost>
Subject: Your turn

Hello Anna,

--5a6b7c8d-0000--
"""


def parsed(content: str) -> EmailMessage:
    """A report as it is read."""
    return message_from_bytes(content.encode(), policy=policy.default)
