"""What the decision on a report brings the person, and how it is undone, all with that report.

The report is locked; the person is locked next, then the game. Each thing has a line of its own in
the audit log, which names the report; the person is emailed about the decision as a whole.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final, NamedTuple, assert_never

from django.db.models import QuerySet, TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import AuditLine, Game, Message, PrivateMessage, Report, Sanction, User
from games.services.audit import Changed, Values
from games.services.chat.queries import redaction_of
from games.services.lobby.leave_all import leave_all_tables
from games.services.moderation.actions import messages, people, redaction, sanctioning
from games.services.moderation.actions.person_action import why_not
from games.services.moderation.actions.requests import ActionRequest, write_audit_line
from games.services.moderation.audit.queries import lines_for
from games.services.moderation.queries import everything
from games.services.people.queries.sanctions import IMPOSED_BY, LIFTED_BY
from games.services.refused import Refused
from games.services.reports.about import (
    AboutMessage,
    AboutPerson,
    AboutPrivateMessage,
    AboutTable,
    about,
)
from games.services.reports.consequences import lines_of_report

Kind = Sanction.Kind


class Removal(TextChoices):
    """Which words are removed."""

    NOTHING = "", gettext_lazy("nothing")
    THIS = "this", gettext_lazy("this message")
    ALL = "all", gettext_lazy("all public messages of this person at this table")
    EVERYWHERE = "everywhere", gettext_lazy("all public messages of this person at all tables")
    DESCRIPTION = "description", gettext_lazy("the description of the table")


class Consequences(NamedTuple):
    """What is to happen: a sanction for so many `days`, new names, and what is removed.

    `name` is that of the person, `table_name` that of the table whose words are reported.
    `seen` was the latest action on the person when the moderator decided (`latest_on_person`).
    """

    sanction: Sanction.Kind | None = None
    days: int = 0
    name: str = ""
    table_name: str = ""
    removal: Removal = Removal.NOTHING
    seen: int = 0


NONE: Final = Consequences()


def latest_on_person(person: User, reader: User) -> int:
    """The number of the last action on somebody's account that the reader may know of, or 0."""
    rows = AuditLine.objects.filter(person=person, action__startswith="person.")
    lines = lines_for(reader, rows)
    return lines.order_by("-pk").values_list("pk", flat=True).first() or 0


def carry_out(report: Report, request: ActionRequest, wanted: Consequences) -> bool:
    """Do all of it, or nothing where something is `Refused`; whether anything was done."""
    person = _locked(report.person_id)
    if wanted.sanction or wanted.name or wanted.removal == Removal.EVERYWHERE:
        if person is None:
            raise Refused(_("This account no longer exists."))
        _refuse_unless_may_act(person, request, wanted.seen)
    if wanted.sanction is not None and person is not None:
        until = request.now + timedelta(days=wanted.days) if wanted.days else None
        changed = sanctioning.impose(person, wanted.sanction, request, until=until, report=report)
        _write_line(IMPOSED_BY[wanted.sanction], report, request, changed)
    if wanted.name and person is not None:
        _write_line("person.rename", report, request, people.give_name(person, wanted.name))
    if wanted.table_name:
        game = _locked_game(report)
        changed = messages.give_table_name(game, request, wanted.table_name, but=person)
        _write_line("game.rename", report, request, changed)
    removed = _remove(report, request, wanted.removal)
    return bool(removed or wanted.sanction or wanted.name or wanted.table_name)


def leave_tables(report: Report, request: ActionRequest, wanted: Consequences) -> None:
    """Once it is committed, let who may not play any more leave all tables."""
    if wanted.sanction in sanctioning.EXCLUDING and report.person is not None:
        leave_all_tables(report.person, request.now)


def undo(report: Report, request: ActionRequest) -> None:
    """Lift, show and name again what the decision on a report has changed and still stands."""
    person = _locked(report.person_id)
    if person is not None:
        for sanction in _standing(report, request):
            refuse_unless_may_lift(person, request.moderator)
            changed = sanctioning.end(person, sanction, request.now)
            _write_line(LIFTED_BY[Kind(sanction.kind)], report, request, changed)
    redaction.show_again(report, request)
    for line in lines_of_report(report):
        _give_words_back(line, report, request, person)


def shorten(report: Report, request: ActionRequest, days: int) -> None:
    """Let the mute or the suspension for a report end so many days from now.

    A ban becomes a suspension until then.
    """
    person, until = _locked(report.person_id), request.now + timedelta(days=days)
    found = [one for one in _standing(report, request) if one.kind != Kind.WARNING]
    if person is None or not found:
        raise Refused(sanctioning.nothing_to_shorten())
    refuse_unless_may_lift(person, request.moderator)
    changed = sanctioning.shorten(person, found[0], until, request)
    _write_line("person.shorten", report, request, changed)


def refuse_unless_may_lift(person: User, moderator: User) -> None:
    if reason := why_not(moderator, person):
        raise Refused(reason)


def _standing(report: Report, request: ActionRequest) -> Iterable[Sanction]:
    return report.sanctions.in_force(request.now).order_by("pk")


def _refuse_unless_may_act(person: User, request: ActionRequest, seen: int) -> None:
    if reason := why_not(request.moderator, person):
        raise Refused(reason)
    if latest_on_person(person, request.moderator) != seen:
        raise Refused(
            _(
                "Another moderator has acted on this person since you opened the page. Please "
                "check their page again."
            )
        )


def _locked(person_id: int | None) -> User | None:
    if person_id is None:
        return None
    return User.objects.select_for_update(no_key=True).filter(pk=person_id).first()


def _locked_game(report: Report) -> Game:
    if report.game_id is None:
        raise Refused(_("This report isn't about a table."))
    return Game.objects.lock(report.game_id)


def _write_line(key: str, report: Report, request: ActionRequest, changed: Changed) -> None:
    after: Values = {**changed.get("after", {}), "report": report.pk}
    before = changed.get("before", {})
    write_audit_line(
        key, request, game=report.game, person=report.person, before=before, after=after
    )


def _remove(report: Report, request: ActionRequest, removal: Removal) -> bool:
    """Remove these words; whether there were any."""
    match removal:
        case Removal.NOTHING:
            return False
        case Removal.THIS:
            return _remove_all(_reported_message(report), report, request)
        case Removal.ALL:
            return _remove_all(_public_messages(report), report, request)
        case Removal.EVERYWHERE:
            return _remove_all(_public_messages_everywhere(report, request), report, request)
        case Removal.DESCRIPTION:
            game = _locked_game(report)
            if not game.description:
                return False
            changed = messages.delete_description(game, request, but=report.person)
            _write_line("game.remove-note", report, request, changed)
            return True


def _remove_all(
    found: Iterable[Message | PrivateMessage], report: Report, request: ActionRequest
) -> bool:
    still_there = [message for message in found if redaction_of(message) is None]
    for message in still_there:
        redaction.remove(message, request, report)
    return bool(still_there)


def _reported_message(report: Report) -> list[Message | PrivateMessage]:
    """The message that is reported, its game locked."""
    match about(report):
        case AboutPrivateMessage(message_id):
            return [redaction.lock_private(message_id)]
        case AboutMessage(message_id):
            return [redaction.lock_message(message_id)]
        case AboutTable() | AboutPerson():
            return []
        case _ as unknown:
            assert_never(unknown)


def _public_messages(report: Report) -> list[Message]:
    """All that the person has said to the whole table, its game locked."""
    game = _locked_game(report)
    rows = public_messages(report).filter(game=game)
    return list(rows.select_related("game", "author", "redaction"))


def _public_messages_everywhere(report: Report, request: ActionRequest) -> list[Message]:
    """The same at all tables but the moderator's own, their games locked in order."""
    person = report.person
    if person is None:
        return []
    found = everything.public_messages(person, request.moderator)
    games = sorted(set(found.order_by().values_list("game", flat=True)))
    for game_id in games:
        Game.objects.lock(game_id)
    rows = found.filter(game__in=games).order_by("pk")
    return list(rows.select_related("game", "author", "redaction"))


def public_messages(report: Report) -> QuerySet[Message]:
    """What the person of a report has said to the whole table and isn't removed."""
    said = Message.objects.filter(game=report.game_id, author=report.person_id, by_referee=False)
    return said.filter(author__isnull=False, redaction=None).exclude(text="")


def _give_words_back(
    line: AuditLine, report: Report, request: ActionRequest, person: User | None
) -> None:
    """Give back a name or a description that still is as the decision left it."""
    match line.action:
        case "person.rename":
            if person is None or person.name != line.after.get("name"):
                return
            try:
                changed = people.give_name(person, line.before["name"])
            except Refused:  # somebody else has it by now
                return
            _write_line("person.rename", report, request, changed)
        case "game.rename":
            game = _locked_game(report)
            if game.name == line.after.get("name"):
                changed = messages.give_table_name(game, request, line.before["name"], but=person)
                _write_line("game.rename", report, request, changed)
        case "game.remove-note":
            game = _locked_game(report)
            if not game.description:
                messages.give_description_back(game, line.before["text"])
                _write_line("game.give-note-back", report, request, {})
