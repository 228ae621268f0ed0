"""Fills in the form of a decision from commands: the same data as the page would post."""

from collections.abc import Iterable, Sequence
from typing import Final
from uuid import UUID

from django.forms import ChoiceField
from django.utils.translation import gettext as _

from games.changes import form_of
from games.engine import (
    BribeChoice,
    JudgeChoice,
    PlaceChoice,
    Scholar,
    SendChoice,
)
from games.features.inbound.commands.lines import Command, Part
from games.forms.moves import MoveForm
from games.presentation.board.turn_summary import decision_in_short
from games.presentation.text.words import occupation_text
from games.services.game.position import Position
from games.services.refused import Refused

type Data = dict[str, str]

COMMAND_FOR: Final[dict[type, str]] = {
    BribeChoice: "bribe",
    PlaceChoice: "place",
    JudgeChoice: "judge",
    SendChoice: "send",
}
"""The command for each kind of decision."""

NOT_SHOWN: Final = frozenset({"phase_no", "token", "send-later"})

MOVES: Final = frozenset({*COMMAND_FOR.values(), "default"})


def filled(position: Position, commands: Sequence[Command]) -> Data:
    """What the commands enter into the form; `Refused` if they are about another decision."""
    form = form_of(position, {}, UUID(int=0))
    words = {command.word for command in commands}
    if words == {"default"} and len(commands) == 1:
        return _as_shown(form)
    word = COMMAND_FOR[type(form.choice)]
    joined = {word, "send"} if form.sending is not None else {word}
    if word not in words or not words <= joined:
        raise Refused(_other_decision(position))
    parts = [part for command in commands if command.word == word for part in command.parts]
    data = _FILL[word](form, parts)
    if form.sending is not None:
        sent = [part for command in commands if command.word == "send" for part in command.parts]
        data |= _sending(form, form.sending, sent) if sent else _sent_later(form)
    return data


def _other_decision(position: Position) -> str:
    text = _("That doesn't fit the decision you have to make now: {question}.")
    return text.format(question=decision_in_short(position.people, position.view))


def _as_shown(form: MoveForm) -> Data:
    """The default, as the page shows it; the sending is left for later."""
    data = {name: _shown(form, name) for name in form.fields if name not in NOT_SHOWN}
    return data if form.sending is None else {**data, **_sent_later(form)}


def _shown(form: MoveForm, name: str) -> str:
    """What a field is filled in with; a list without a choice begins with its first."""
    field = form.fields[name]
    value = field.prepare_value(form.get_initial_for_field(field, name))
    if value is None and isinstance(field, ChoiceField):
        value, _text = list(field.choices)[0]  # type: ignore[arg-type]  # noqa: RUF015
    return str(value)


def _sent_later(form: MoveForm) -> Data:
    names = [field.name for field in form.sending_fields() if field.name not in NOT_SHOWN]
    return {**{name: _shown(form, name) for name in names}, "send-later": "on"}


def _bribe(form: MoveForm, parts: Sequence[Part]) -> Data:
    scholars = form.choice.scholars if isinstance(form.choice, BribeChoice) else ()
    data: Data = {}
    for part in parts:
        name = form.table.names[_only(form, scholars, part)]
        _refuse_twice(name in data, part)
        data[name] = str(part.amount)
    if "first" in form.fields:
        data["first"] = next(iter(data))
    return data


def _place(form: MoveForm, parts: Sequence[Part]) -> Data:
    conflicts = form.choice.conflicts if isinstance(form.choice, PlaceChoice) else ()
    data: Data = {}
    for part in parts:
        winner = _only(form, [one for conflict in conflicts for one in conflict], part)
        title = form.occupation(winner)
        _refuse_twice(f"{title}-area" in data, part)
        data |= {f"{title}-winner": form.table.names[winner], f"{title}-area": str(part.amount)}
    return data


def _judge(form: MoveForm, parts: Sequence[Part]) -> Data:
    winners = form.choice.winners if isinstance(form.choice, JudgeChoice) else ()
    if len(parts) != 1:
        raise Refused(_("Please name one winner."))
    return {"winner": form.table.names[_only(form, winners, parts[0])]}


def _send(form: MoveForm, parts: Sequence[Part]) -> Data:
    if not isinstance(form.choice, SendChoice):
        return {}
    return _sending(form, form.choice, parts)


def _sending(form: MoveForm, choice: SendChoice, parts: Sequence[Part]) -> Data:
    if len(parts) != choice.count:
        text = _(
            "Please name everyone you're sending, with a palace for each. You have to send "
            "{count}; you named {given}."
        )
        raise Refused(text.format(count=choice.count, given=len(parts)))
    data: Data = {}
    for place, part in enumerate(parts, 1):
        sent = [one for one in choice.scholars if form.occupation(one) == part.occupation]
        if not sent:
            raise Refused(_nobody(part))
        data[f"send-scholar-{place}"] = form.table.names[sent[0]]
        data[f"send-palace-{place}"] = part.colour
    return data


_FILL: Final = {"bribe": _bribe, "place": _place, "judge": _judge, "send": _send}


def _only(form: MoveForm, scholars: Iterable[Scholar], part: Part) -> Scholar:
    """The one scholar that is meant; of two alike, the first one that competes alone."""
    meant = [one for one in scholars if _is_meant(form, one, part)]
    if not meant:
        raise Refused(_nobody(part))
    if len(meant) > 1:
        raise Refused(_which_of(form, meant))
    return meant[0]


def _is_meant(form: MoveForm, scholar: Scholar, part: Part) -> bool:
    return (
        part.occupation in {"", form.occupation(scholar)}
        and part.colour in {"", form.table.players[scholar.owner]}
        and part.number in {0, scholar.number}
    )


def _which_of(form: MoveForm, meant: Sequence[Scholar]) -> str:
    labels = [text for _name, text in form.scholar_choices(tuple(meant))]
    return _("Please say which one you mean: {scholars}.").format(scholars=", ".join(labels))


def _nobody(part: Part) -> str:
    if not part.occupation:
        return _("You can't choose anyone of this colour at the moment.")
    text = _("You can't do that with the {occupation} at the moment.")
    return text.format(occupation=occupation_text(part.occupation))


def _refuse_twice(is_there: bool, part: Part) -> None:  # noqa: FBT001
    if is_there:
        text = _("Your email names the {occupation} more than once.")
        raise Refused(text.format(occupation=occupation_text(part.occupation)))
