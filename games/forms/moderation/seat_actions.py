"""The forms of a moderator's actions on a seat.

None is chosen at first, those who are absent come first, and what the action takes from whom is
shown before it is done.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import Any, Final

from django import forms
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.engine.computer_players import COMPUTER_PLAYERS
from games.forms.instants import InstantField
from games.forms.moderation.base import PreviewedForm
from games.forms.moderation.game_actions import GameActionForm
from games.models import Game, Move, Seat, Sitting, User
from games.presentation.text.tables import COMPUTER_PLAYER_LABELS
from games.presentation.text.words import colour_text, listed, moment
from games.services.game.dormancy import nobody_would_be_left
from games.services.game.interventions import left_seats
from games.services.people.display_names import player_name, sitter_name

EVERYBODY: Final = "all"


def name_of(seat: Seat) -> str:
    """Who sits there, with the colour."""
    return f"{player_name(seat)} ({colour_text(seat.colour)})"


def how_present(seat: Seat) -> str:
    """Whether somebody is absent, and gets no email, for the choice among the seats."""
    name = name_of(seat)
    if seat.user is None:
        return name
    if seat.absent_since is None:
        text = _("{name}: playing").format(name=name)
    else:
        since = moment(seat.absent_since, get_current_timezone_name())
        text = _("{name}: absent since {moment}").format(name=name, moment=since)
    if not seat.user.is_unreachable:
        return text
    # Translators: behind "Anna (red): playing" or "Anna (red): absent since …".
    return _("{seat}; email is being rejected").format(seat=text)


class SeatForm(PreviewedForm, GameActionForm):
    """An action on one seat."""

    templates = (gettext_lazy("A player requested this."), *GameActionForm.templates)

    seat = forms.ChoiceField(label=gettext_lazy("Seat"))

    @classmethod
    def fits(cls, seat: Seat) -> bool:
        """Whether the seat may be chosen."""
        return True

    @classmethod
    def numbers_of(cls, game: Game) -> Collection[int]:
        """The numbers of the seats of a game that may be chosen."""
        drawn = (seat for seat in game.seats.all() if seat.number is not None)
        return [seat.drawn_number for seat in drawn if cls.fits(seat)]

    def prepare(self) -> None:
        seats = sorted(self.seats(), key=lambda seat: (seat.absent_since is None, seat.number))
        self.offer("seat", [(str(seat.drawn_number), how_present(seat)) for seat in seats])

    def seats(self) -> list[Seat]:
        """The seats that may be chosen."""
        seats = self.game.seats.select_related("user").filter(number__isnull=False)
        return [seat for seat in seats if self.fits(seat)]

    @property
    def chosen(self) -> list[Seat]:
        """The seat that is chosen, or all of them."""
        wanted = self.cleaned_data["seat"]
        return [seat for seat in self.seats() if wanted in {EVERYBODY, str(seat.drawn_number)}]

    def whom(self) -> str:
        chosen = self.chosen
        return listed(map(name_of, chosen)) if chosen else ""

    def notified(self) -> list[User | None]:
        """Whoever sits there, once the seat is known: also by the link to the page."""
        wanted = self["seat"].value()
        return [one.user for one in self.seats() if wanted in {EVERYBODY, str(one.drawn_number)}]

    def choice(self) -> str:
        """The seat; if somebody else has it by then, the action is refused."""
        return str(self.cleaned_data["seat"])

    def consequences(self) -> list[str]:
        return [sentence for seat in self.chosen for sentence in (_state(seat), *self.loses(seat))]

    def loses(self, seat: Seat) -> list[str]:
        """What it does to who sits there, and what can't be undone."""
        raise NotImplementedError

    def arguments(self) -> dict[str, Any]:
        seat = self.cleaned_data["seat"]
        return super().arguments() | {"seat": None if seat == EVERYBODY else int(seat)}


def _state(seat: Seat) -> str:
    """Whether somebody plays now, and when they moved last."""
    name, zone = name_of(seat), get_current_timezone_name()
    if seat.user is None:
        return _("Seat without a human player: {name}.").format(name=name)
    if seat.absent_since is not None:
        since = moment(seat.absent_since, zone)
        return _("{name} has been absent since {moment}.").format(name=name, moment=since)
    moves = Move.objects.filter(seat=seat, user=seat.user).order_by("-pk")
    last = moves.values_list("at", flat=True).first()
    if last is None:
        return _("{name} is playing, but hasn't moved yet.").format(name=name)
    text = _("{name} is playing. Their last move was on {moment}.")
    return text.format(name=name, moment=moment(last, zone))


def _now_due(seat: Seat) -> str:
    until = moment(seat.deadline_at, get_current_timezone_name()) if seat.deadline_at else ""
    return _("{name} has to move by {deadline}.").format(name=name_of(seat), deadline=until)


class ExcuseForm(SeatForm):
    """The missed deadlines of a seat that has some."""

    @classmethod
    def fits(cls, seat: Seat) -> bool:
        return bool(seat.user and any(seat.missed))

    def loses(self, seat: Seat) -> list[str]:
        missed = sum(seat.missed)
        text = ngettext(
            "{count} missed deadline will be cleared for {name}. This can't be undone.",
            "{count} missed deadlines will be cleared for {name}. This can't be undone.",
            missed,
        )
        return [text.format(count=missed, name=name_of(seat))]


class AbsentSeatForm(SeatForm):
    """Somebody who is absent is waited for again."""

    @classmethod
    def fits(cls, seat: Seat) -> bool:
        return bool(seat.user and seat.absent_since)

    def loses(self, seat: Seat) -> list[str]:
        text = _("The game will wait for {name} again. Moves already played for them stand.")
        return [text.format(name=name_of(seat))]


class LeavingForm(SeatForm):
    """An action by which a player leaves, perhaps as the last one."""

    def loses(self, seat: Seat) -> list[str]:
        text = _(
            "{name} loses their seat, and their standing orders, drafts and notes are deleted "
            "for good."
        )
        sentences = [text.format(name=name_of(seat))] if seat.user is not None else []
        if seat.user is not None:
            sentences.append(
                _(
                    "The seat can be given back until someone else takes it, but the orders, "
                    "drafts and notes can't be restored."
                )
            )
        return [*sentences, *self.rest()]

    def rest(self) -> list[str]:
        """What follows where nobody is left then."""
        if not nobody_would_be_left(self.game.seats.all(), int(self.cleaned_data["seat"])):
            return []
        text = _(
            "Nobody else is left at this table, so the game will go dormant, and everyone who "
            "has had a seat here will be notified by email. It will continue once somebody is at "
            "the table again. If that doesn't happen within {days} days, it will end without a "
            "winner and won't count for anyone."
        )
        return [text.format(days=self.game.LONGEST_DORMANCY.days)]


class FreeForm(LeavingForm):
    """A seat that belongs, or once belonged, to a person."""

    @classmethod
    def numbers_of(cls, game: Game) -> Collection[int]:
        sat = set(Sitting.objects.filter(seat__game=game).values_list("seat__number", flat=True))
        return [number for number in super().numbers_of(game) if number in sat]

    @classmethod
    def fits(cls, seat: Seat) -> bool:
        return bool(seat.user or seat.computer_player)

    def seats(self) -> list[Seat]:
        numbers = self.numbers_of(self.game)
        return [seat for seat in super().seats() if seat.drawn_number in numbers]


class PresentSeatForm(LeavingForm):
    """Somebody present is not waited for any more."""

    @classmethod
    def fits(cls, seat: Seat) -> bool:
        return seat.is_present()

    def loses(self, seat: Seat) -> list[str]:
        text = _(
            "{name} loses their standing orders, drafts and notes for good, but may return as "
            "long as no substitute has taken the seat."
        )
        return [text.format(name=name_of(seat)), *self.rest()]


class ComputerPlayerForm(LeavingForm):
    computer_player = forms.ChoiceField(label=gettext_lazy("Computer player"))

    def prepare(self) -> None:
        super().prepare()
        labels = ((name, str(COMPUTER_PLAYER_LABELS[name])) for name in COMPUTER_PLAYERS)
        self.offer("computer_player", labels)

    @classmethod
    def fits(cls, seat: Seat) -> bool:
        return not seat.computer_player


class GiveBackForm(SeatForm):
    """A freed seat, for its last player."""

    @classmethod
    def numbers_of(cls, game: Game) -> Collection[int]:
        return left_seats(game.pk)

    def prepare(self) -> None:
        self.last = left_seats(self.game.pk)
        zone = get_current_timezone_name()
        choices = [
            (str(number), _("{name} ({colour}), had the seat until {moment}").format(
                name=sitter_name(one), colour=colour_text(one.seat.colour),
                moment=moment(one.ended_at, zone) if one.ended_at else "",
            ))
            for number, one in sorted(self.last.items())
        ]  # fmt: skip
        self.offer("seat", choices)

    @property
    def former(self) -> Sitting:
        return self.last[int(self.cleaned_data["seat"])]

    def whom(self) -> str:
        return f"{sitter_name(self.former)} ({colour_text(self.former.seat.colour)})"

    def notified(self) -> list[User | None]:
        wanted = self["seat"].value()
        return [one.user for number, one in self.last.items() if str(number) == wanted]

    def choice(self) -> str:
        return f"{super().choice()} {self.former.pk}"

    def consequences(self) -> list[str]:
        name = self.whom()
        seat = self.former.seat
        sentences = [_("{name} gets the seat back, with the days off they had left.")]
        if seat.computer_player:
            sentences.append(
                _(
                    "The computer player leaves the seat, and {name} takes over starting with "
                    "the next decision."
                )
            )
        else:
            sentences.append(_("If it's this seat's turn, {name} gets the full time to move."))
        sentences.append(
            _(
                "Moves played in the meantime stand, but standing orders, drafts and notes "
                "aren't restored."
            )
        )
        return [sentence.format(name=name) for sentence in sentences]


class SeatToMoveForm(SeatForm):
    """An action on a seat that is to move."""

    @classmethod
    def fits(cls, seat: Seat) -> bool:
        return seat.deadline_at is not None and not seat.is_played_at_once()


class DefaultForm(SeatToMoveForm):
    """The move of a seat, played before its time is up."""

    def loses(self, seat: Seat) -> list[str]:
        text = _(
            "{name} won't be able to make this move any more: a standing order or the "
            "default move will be played."
        )
        return [_now_due(seat), text.format(name=name_of(seat))]


class SeatsToMoveForm(SeatToMoveForm):
    """An action on one of the seats that are to move, or on all of them."""

    def prepare(self) -> None:
        super().prepare()
        empty, *seats = self._fields["seat"].choices
        everybody = (EVERYBODY, _("everyone who still has to move"))
        self._fields["seat"].choices = [empty, everybody, *seats]


class ExtendForm(SeatsToMoveForm):
    hours = forms.IntegerField(
        label=gettext_lazy("Extra hours"), min_value=1, max_value=720, initial=24
    )

    def consequences(self) -> list[str]:
        """Nobody loses anything."""
        return []

    def arguments(self) -> dict[str, Any]:
        time = timedelta(hours=self.cleaned_data["hours"])
        return {"seat": super().arguments()["seat"], "time": time}


class DeadlineForm(SeatsToMoveForm):
    at = InstantField(
        label=gettext_lazy("New deadline"), help_text=gettext_lazy("In your time zone.")
    )

    def consequences(self) -> list[str]:
        text = _("The new deadline is {deadline}.")
        after = moment(self.cleaned_data["at"], get_current_timezone_name())
        return [*map(_now_due, self.chosen), text.format(deadline=after)]
