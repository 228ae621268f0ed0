"""The words of each mail: one function and three templates a kind. Nothing secret in a subject."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string

from games.engine import decode_move
from games.models import Game, Move, OutboxMail, Seat
from games.presentation.question import move_told
from games.presentation.words import moment, money
from games.services.reading import read_game

type Context = dict[str, Any]


def compose(mail: OutboxMail, seat: Seat | None) -> EmailMultiAlternatives:
    """The mail as it goes out: text and HTML that say the same, in the game's thread."""
    context = {
        "person": mail.person,
        "game": mail.game,
        "link": settings.SITE_URL + mail.game.get_absolute_url(),
        **_CONTEXT[OutboxMail.Kind(mail.kind)](mail, seat),
    }
    subject = render_to_string(f"mail/{mail.kind}.subject.txt", context).strip()
    message = EmailMultiAlternatives(
        subject=" ".join(subject.split()),
        body=render_to_string(f"mail/{mail.kind}.txt", context),
        to=[mail.person.email],
        headers=_headers(mail),
    )
    message.attach_alternative(render_to_string(f"mail/{mail.kind}.html", context), "text/html")
    return message


def message_id(mail: OutboxMail) -> str:
    """The Message-ID that this mail keeps, however often it is sent."""
    return f"<mail-{mail.pk}.game-{mail.game_id}@{_host()}>"


def _host() -> str:
    return urlsplit(settings.SITE_URL).hostname or "localhost"


def _headers(mail: OutboxMail) -> dict[str, str]:
    thread = f"<game-{mail.game_id}@{_host()}>"
    return {
        "Message-ID": mail.message_id,
        "In-Reply-To": thread,
        "References": thread,
        "List-Id": f"{_one_line(mail.game)} <game-{mail.game_id}.{_host()}>",
        "Auto-Submitted": "auto-generated",
    }


def _one_line(game: Game) -> str:
    return "".join(letter for letter in game.name if letter.isalnum() or letter == " ")


def _your_turn(mail: OutboxMail, seat: Seat | None) -> Context:
    """What is asked, by when on the reader's clock and in UTC, and what silence plays."""
    reading = read_game(mail.game, mail.person)
    deadline_at = seat.deadline_at if seat is not None else None
    return {
        "question": reading.question,
        "deadline": deadline_at and moment(deadline_at, mail.person.time_zone),
        "deadline_utc": deadline_at and moment(deadline_at, "UTC"),
    }


def _default_played(mail: OutboxMail, seat: Seat | None) -> Context:
    """What the clock played in the phase that the mail speaks of."""
    reading = read_game(mail.game, mail.person)
    row = Move.objects.get(game=mail.game, phase_no=mail.phase_no, seat=seat)
    _, move = decode_move(reading.view.table, row.move)
    return {"played": move_told(reading.people, move)}


def _game_over(mail: OutboxMail, seat: Seat | None) -> Context:
    """The final table, richest first."""
    reading = read_game(mail.game, mail.person)
    standing = sorted(
        zip(reading.view.cash, reading.people.names, strict=True),
        key=lambda line: -(line[0] or 0),
    )
    return {
        "standing": [(name, money(cash or 0)) for cash, name in standing],
        "won": seat is not None and seat.number in reading.view.winners,
    }


def _game_parked(mail: OutboxMail, seat: Seat | None) -> Context:
    return {"error": mail.game.error}


_CONTEXT: dict[OutboxMail.Kind, Callable[[OutboxMail, Seat | None], Context]] = {
    OutboxMail.Kind.YOUR_TURN: _your_turn,
    OutboxMail.Kind.REMINDER: _your_turn,
    OutboxMail.Kind.DEFAULT_PLAYED: _default_played,
    OutboxMail.Kind.GAME_OVER: _game_over,
    OutboxMail.Kind.GAME_PARKED: _game_parked,
}
