"""What a report is about: one value, of which there are four cases."""

from typing import NamedTuple, assert_never

from django.db.models import QuerySet

from games.models import Report


class AboutMessage(NamedTuple):
    """A message in the chat of a table, by its key."""

    message_id: int


class AboutPrivateMessage(NamedTuple):
    """A message in a conversation, by its key."""

    message_id: int


class AboutTable(NamedTuple):
    """The name and description of a table."""

    game_id: int


class AboutPerson(NamedTuple):
    """A person, perhaps for something at a table; None if their account is gone."""

    person_id: int | None


type About = AboutMessage | AboutPrivateMessage | AboutTable | AboutPerson


def about(report: Report) -> About:
    """What a report is about, stored or not."""
    if report.private_message_id is not None:
        return AboutPrivateMessage(report.private_message_id)
    if report.message_id is not None:
        return AboutMessage(report.message_id)
    if report.table_words and report.game_id is not None:
        return AboutTable(report.game_id)
    return AboutPerson(report.person_id)


def reports_about(what: About) -> QuerySet[Report]:
    """All reports about the same."""
    rows = Report.objects.all()
    match what:
        case AboutMessage(message_id):
            return rows.filter(message=message_id)
        case AboutPrivateMessage(message_id):
            return rows.filter(private_message=message_id)
        case AboutTable(game_id):
            return rows.filter(game=game_id).exclude(table_words="")
        case AboutPerson(person_id):
            return rows.filter(person=person_id, message=None, private_message=None, table_words="")
        case _ as unknown:
            assert_never(unknown)
