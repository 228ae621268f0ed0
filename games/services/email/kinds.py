"""Every kind of email: one row holds all about it that its two templates don't.

A kind is written to the outbox by its `key`, which also names its templates:
`templates/pages/email/`KEY`.txt` and KEY`.html`.
"""

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from games import extensions
from games.models import OutboxEmail
from games.services.email import (
    absence_emails,
    account_emails,
    chat_emails,
    due,
    game_emails,
    invitation_emails,
    people_emails,
    promise_emails,
    report_emails,
    settings_emails,
)
from games.services.email.kind import EmailKind, always, no_deadline
from games.services.email.switches import (
    INVITATIONS,
    REMINDERS,
    SUBSTITUTES,
    TABLE_NEWS,
    Switch,
)

EMAIL_KINDS: Final[tuple[EmailKind, ...]] = (
    # Optional, in the order of the profile.
    EmailKind(
        key="your_turn",
        label=gettext_lazy("your turn"),
        switch=Switch(key="your_turn", when=gettext_lazy("it's my turn")),
        link_text=gettext_lazy("Make your move"),
        context=game_emails.your_turn,
        deadline=due.deadline,
        is_relevant=game_emails.is_to_move,
    ),
    EmailKind(
        key="reminder",
        label=gettext_lazy("reminder"),
        switch=REMINDERS,
        in_guided_games=True,
        link_text=gettext_lazy("Make your move"),
        context=game_emails.decision,
        deadline=due.deadline,
        is_relevant=game_emails.deadline_stands,
    ),
    EmailKind(
        key="last_reminder",
        label=gettext_lazy("last reminder"),
        switch=REMINDERS,
        in_guided_games=True,
        link_text=gettext_lazy("Make your move"),
        context=game_emails.decision,
        deadline=due.deadline,
        is_relevant=game_emails.deadline_stands,
    ),
    EmailKind(
        key="talk_reminder",
        label=gettext_lazy("reminder that negotiations are ending"),
        switch=REMINDERS,
        link_text=gettext_lazy("Open the table"),
        context=game_emails.negotiation_time,
        ends=due.end_of_talk,
        is_relevant=game_emails.is_negotiation_time,
    ),
    EmailKind(
        key="default_played",
        label=gettext_lazy("a default move was played for you"),
        switch=Switch(key="default_played", when=gettext_lazy("a default move is played for me")),
        link_text=gettext_lazy("Open the table"),
        context=game_emails.default_played,
        is_relevant=game_emails.default_move_stands,
    ),
    EmailKind(
        key="game_started",
        label=gettext_lazy("the game has started"),
        switch=Switch(key="game_started", when=gettext_lazy("one of my games starts")),
        link_text=gettext_lazy("Open the table"),
        context=game_emails.game_started,
        is_relevant=game_emails.game_is_running,
        as_spectators_read=True,
    ),
    EmailKind(
        key="game_over",
        label=gettext_lazy("the game is over"),
        switch=Switch(key="game_over", when=gettext_lazy("one of my games ends")),
        link_text=gettext_lazy("View the game"),
        context=game_emails.game_over,
        is_relevant=game_emails.game_is_over,
        as_spectators_read=True,
    ),
    EmailKind(
        key="mention",
        label=gettext_lazy("you were mentioned"),
        switch=Switch(key="mention", when=gettext_lazy("someone mentions me at a table")),
        link_text=gettext_lazy("Reply at the table"),
        context=chat_emails.mention,
        is_relevant=chat_emails.mention_is_unread,
        quotes_messages=True,
    ),
    EmailKind(
        key="private_message",
        label=gettext_lazy("a private message"),
        switch=Switch(
            key="private_message", when=gettext_lazy("someone writes to me privately at a table")
        ),
        tells_who_talks=True,
        quotes_messages=True,
        link_text=gettext_lazy("Reply privately"),
        context=chat_emails.private_message,
        is_relevant=chat_emails.private_message_is_unread,
    ),
    EmailKind(
        key="offer",
        label=gettext_lazy("an offer"),
        switch=Switch(key="offer", when=gettext_lazy("someone makes me an offer")),
        link_text=pgettext_lazy("offer", "Accept or decline"),
        context=promise_emails.promise_news,
        is_relevant=promise_emails.offer_is_open,
    ),
    EmailKind(
        key="offer_reply",
        label=gettext_lazy("a reply to an offer"),
        switch=Switch(key="offer_reply", when=gettext_lazy("someone replies to my offer")),
        link_text=gettext_lazy("See the promises"),
        context=promise_emails.promise_news,
        is_relevant=promise_emails.news_stands,
    ),
    EmailKind(
        key="promise_broken",
        label=gettext_lazy("a broken promise"),
        switch=Switch(
            key="promise_broken", when=gettext_lazy("someone breaks a promise they made me")
        ),
        link_text=gettext_lazy("See the moment"),
        context=promise_emails.promise_broken,
        is_relevant=promise_emails.news_stands,
    ),
    EmailKind(
        key="vote",
        label=gettext_lazy("the players are voting"),
        switch=Switch(key="vote", when=gettext_lazy("a vote is called at a table")),
        link_text=gettext_lazy("Open the table"),
        context=game_emails.vote,
        deadline=due.end_of_vote,
        is_relevant=game_emails.vote_is_open,
        as_spectators_read=True,
    ),
    EmailKind(
        key="table_news",
        label=gettext_lazy("something has changed at the table"),
        switch=TABLE_NEWS,
        in_guided_games=True,
        link_text=gettext_lazy("Open the table"),
        context=game_emails.table_news,
        is_relevant=always,
        as_spectators_read=True,
    ),
    EmailKind(
        key="settings_changed",
        label=gettext_lazy("the settings of a table have changed"),
        switch=TABLE_NEWS,
        link_text=gettext_lazy("Stay or leave"),
        context=settings_emails.settings_changed,
        is_relevant=settings_emails.is_to_agree,
    ),
    EmailKind(
        key="referee",
        label=gettext_lazy("a message from the referee"),
        switch=Switch(
            key="referee", when=gettext_lazy("the referee writes in the chat at one of my tables")
        ),
        in_guided_games=True,
        link_text=gettext_lazy("Open the table"),
        context=chat_emails.referee,
        is_relevant=chat_emails.message_stands,
        as_spectators_read=True,
    ),
    EmailKind(
        key="invitation",
        label=gettext_lazy("an invitation"),
        switch=INVITATIONS,
        link_text=gettext_lazy("Accept or decline"),
        context=invitation_emails.invitation,
        language=invitation_emails.language_of_inviter,
        is_relevant=invitation_emails.invitation_is_open,
    ),
    EmailKind(
        key="invitation_reminder",
        label=gettext_lazy("reminder of an invitation"),
        switch=INVITATIONS,
        in_its_time=True,
        link_text=gettext_lazy("Accept or decline"),
        context=invitation_emails.invitation,
        language=invitation_emails.language_of_inviter,
        is_relevant=invitation_emails.invitation_is_open,
    ),
    EmailKind(
        key="substitute_wanted",
        label=gettext_lazy("a substitute is needed"),
        switch=SUBSTITUTES,
        for_many_tables=True,
        link_text=gettext_lazy("View the table"),
        context=absence_emails.substitute_wanted,
        is_relevant=absence_emails.seat_is_free,
        as_spectators_read=True,
    ),
    # Essential, about a table.
    EmailKind(
        key="marked_absent",
        label=gettext_lazy("you were marked absent"),
        link_text=gettext_lazy("Return to the table"),
        context=absence_emails.marked_absent,
        is_relevant=absence_emails.is_absent,
    ),
    EmailKind(
        key="table_closed",
        label=gettext_lazy("the table was closed"),
        link_text=gettext_lazy("View the table"),
        context=game_emails.table_closed,
        is_relevant=game_emails.table_is_closed,
        as_spectators_read=True,
    ),
    EmailKind(
        key="game_rests",
        label=gettext_lazy("the game is dormant"),
        link_text=gettext_lazy("Return to the table"),
        context=game_emails.game_rests,
        is_relevant=game_emails.is_dormant,
        as_spectators_read=True,
    ),
    EmailKind(
        key="game_parked",
        label=gettext_lazy("a game was parked"),
        link_text=gettext_lazy("Open the table"),
        context=game_emails.game_parked,
        is_relevant=game_emails.game_is_parked,
    ),
    # Essential, about people and reports.
    EmailKind(
        key="report",
        label=gettext_lazy("a report needs a moderator"),
        about_a_report=True,
        link_text=gettext_lazy("Open the report"),
        context=report_emails.report,
        is_relevant=report_emails.report_is_open,
    ),
    EmailKind(
        key="appeal",
        label=gettext_lazy("an appeal needs a moderator"),
        about_a_report=True,
        link_text=gettext_lazy("Open the report"),
        context=report_emails.appeal,
        is_relevant=report_emails.report_is_appealed,
    ),
    EmailKind(
        key="report_decided",
        label=gettext_lazy("outcome of a report"),
        about_a_report=True,
        link_text=gettext_lazy("My reports"),
        to_banned_people=True,
        context=report_emails.report_decided,
        is_relevant=report_emails.report_is_decided,
    ),
    EmailKind(
        key="report_reopened",
        label=gettext_lazy("a report is reopened"),
        about_a_report=True,
        link_text=gettext_lazy("My reports"),
        context=report_emails.report_reopened,
        is_relevant=report_emails.report_is_undecided,
    ),
    EmailKind(
        key="appeal_decided",
        label=gettext_lazy("outcome of an appeal"),
        about_a_report=True,
        link_text=gettext_lazy("My reports"),
        to_banned_people=True,
        context=report_emails.appeal_decided,
        is_relevant=report_emails.report_is_decided,
    ),
    EmailKind(
        key="conduct",
        label=gettext_lazy("a moderator's decision about you"),
        to_banned_people=True,
        link_text=gettext_lazy("Account standing"),
        context=people_emails.conduct,
        is_relevant=always,
    ),
    EmailKind(
        key="seats_taken",
        label=gettext_lazy("seats taken by a moderator"),
        link_text=gettext_lazy("My games"),
        context=people_emails.seats_taken,
        is_relevant=people_emails.has_lost_seats,
    ),
    EmailKind(
        key="account_changed",
        label=gettext_lazy("an administrator has changed an account"),
        to_banned_people=True,
        link_text=gettext_lazy("Go to the site"),
        context=account_emails.account_changed,
        language=account_emails.language_then,
        is_relevant=account_emails.still_stands,
    ),
    EmailKind(
        key="not_told",
        label=gettext_lazy("you're no longer notified when it's your turn"),
        link_text=gettext_lazy("Emails and notifications"),
        context=people_emails.no_email_or_notifications,
        is_relevant=people_emails.gets_nothing,
    ),
    EmailKind(
        key="address_test",
        label=gettext_lazy("a test of an address"),
        link_text=gettext_lazy("Emails and notifications"),
        context=people_emails.address_tested,
        is_relevant=always,
    ),
    EmailKind(
        key="talk_ends",
        label=gettext_lazy("private messages will be deleted"),
        tells_who_talks=True,
        link_text=gettext_lazy("Download all my data"),
        context=people_emails.talk_ends,
        is_relevant=people_emails.has_messages_to_delete,
    ),
    *extensions.email_kinds(),
)

KIND_BY_KEY: Final[dict[str, EmailKind]] = {kind.key: kind for kind in EMAIL_KINDS}

RANKS: Final = {
    kind.key: rank
    for rank, kind in enumerate(sorted(EMAIL_KINDS, key=lambda kind: kind.deadline is no_deadline))
}
"""The order within an email about several things: those with a deadline, then as listed here."""

TELLS_WHO_TALKS: Final = frozenset(kind.key for kind in EMAIL_KINDS if kind.tells_who_talks)

SWITCHES: Final = tuple(
    {kind.switch.key: kind.switch for kind in EMAIL_KINDS if kind.switch is not None}.values()
)
"""Each switch once, in the order of the profile."""


def kind_of(email: OutboxEmail) -> EmailKind:
    return KIND_BY_KEY[email.kind]


def label_of(email: OutboxEmail) -> str:
    """The name of its kind for moderators; the key if an old or wrong row has an unknown kind."""
    kind = KIND_BY_KEY.get(email.kind)
    return email.kind if kind is None else str(kind.label)


def name_of(email: OutboxEmail) -> str:
    """The name of an email for moderators."""
    return f"{email.person or email.address}: {label_of(email)}"
