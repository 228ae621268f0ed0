"""Facts: rows, constraints, indexes and querysets. The verbs are in games/services."""

from games.models.accounts import FactorReset
from games.models.chat import Message, PrivateMessage, Thread, ThreadMember, Visit
from games.models.clock import Outage, Tick, database_now
from games.models.emails import EmailOutage, EmailSender, MailServer, OutboxEmail
from games.models.exports import Export
from games.models.game import Game
from games.models.game_clock import Clock, Stop
from games.models.inbound import InboundEmail, InboundTally
from games.models.moderation import AuditLine, Reason, SecretsRevealed
from games.models.moves import Cause, Event, Move
from games.models.notebook import Draft, Note
from games.models.once import DoneRequest
from games.models.people import MutedGame, User
from games.models.push import OutboxPush, PushSubscription
from games.models.relations import Acquaintance, Block, Ignore, Miss, SharedBrowser, SignIn
from games.models.reports import Redaction, Report
from games.models.sanctions import HeldSanction, Sanction, StaffNote
from games.models.seat import Seat
from games.models.seating import DaysOff, Invitation, NoMoreInvitations, Order, Sitting
from games.models.site import SiteState, TimeGrant
from games.models.votes import Ballot, Vote

__all__ = [
    "Acquaintance",
    "AuditLine",
    "Ballot",
    "Block",
    "Cause",
    "Clock",
    "DaysOff",
    "DoneRequest",
    "Draft",
    "EmailOutage",
    "EmailSender",
    "Event",
    "Export",
    "FactorReset",
    "Game",
    "HeldSanction",
    "Ignore",
    "InboundEmail",
    "InboundTally",
    "Invitation",
    "MailServer",
    "Message",
    "Miss",
    "Move",
    "MutedGame",
    "NoMoreInvitations",
    "Note",
    "Order",
    "Outage",
    "OutboxEmail",
    "OutboxPush",
    "PrivateMessage",
    "PushSubscription",
    "Reason",
    "Redaction",
    "Report",
    "Sanction",
    "Seat",
    "SecretsRevealed",
    "SharedBrowser",
    "SignIn",
    "SiteState",
    "Sitting",
    "StaffNote",
    "Stop",
    "Thread",
    "ThreadMember",
    "Tick",
    "TimeGrant",
    "User",
    "Visit",
    "Vote",
    "database_now",
]
