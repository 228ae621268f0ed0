"""A case as one archive, for a court or a lawyer: what is in it, for whom, and what is never."""

import io
import json
import re
import zipfile
from datetime import UTC, datetime

import pytest
from django.utils import timezone

from games.models import AuditLine, Report, Sanction, SignIn
from games.services import roles
from games.services.reports import filing
from tests.reports.test_who_reads_of_reports import private_report
from tests.support.client import as_shown, browser, forms_of
from tests.support.moderators import administrator, confirmed, moderator
from tests.support.promising import sitter
from tests.support.reporting import (
    decide,
    named,
    report_act_url,
    reported,
    say,
    table_at_rest,
    upheld,
)
from tests.support.tables import open_table
from tests.support.whispering import whisper

pytestmark = [pytest.mark.full, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def case():
    """Boris insults Anna, who reports it."""
    game = table_at_rest()
    say(game, "Clara", "Good evening.")
    insult = say(game, "Boris", "You cow.")
    return reported("Anna", insult)


def taken(report: Report, name: str = "Nadja", **filled: str):
    """What an administrator gets who takes the case along."""
    client, page = browser(administrator(name)), report_act_url(report, "export")
    form = as_shown(forms_of(client.get(page).content.decode())[""])
    return confirmed(client, page, form | {"reason": "A court asked."} | filled)


def files_of(answer) -> dict[str, object]:
    assert answer["Content-Type"] == "application/zip", answer.content.decode()
    packed = zipfile.ZipFile(io.BytesIO(answer.content))
    texts = {name: packed.read(name).decode() for name in packed.namelist()}
    return {
        name: json.loads(text) if name.endswith(".json") else text for name, text in texts.items()
    }


def test_the_archive_has_the_words_and_the_log_and_is_logged(case):
    answer = taken(case)
    assert "no-store" in answer["Cache-Control"]
    files = files_of(answer)
    assert [one["text"] for one in files["messages.json"]] == ["Good evening.", "You cow."]
    assert [one["reported"] for one in files["messages.json"]] == [False, True]
    assert files["report.json"]["why"] == "He insults me."
    assert files["report.json"]["kind"] == "insult"
    assert files["person.json"]["address"] == "boris@example.org"
    assert files["reporter.json"] == {"name": "Anna", "told_with_the_decision": ""}
    assert "sign-ins.json" not in files
    others = {name: files[name] for name in files if name != "reporter.json"}
    assert "Anna" not in json.dumps(others)
    assert "Remove it before you give the files to the person concerned." in files["README.txt"]
    [line] = AuditLine.objects.filter(action="report.export")
    assert (line.who, line.person, line.reason) == ("Nadja", named("Boris"), "A court asked.")
    assert line.before == {"report": case.pk}


def test_it_has_what_came_with_the_decision_the_appeal_and_the_words_to_the_reporter(case):
    boris, marta = named("Boris"), moderator("Marta")
    Sanction.objects.create(person=boris, kind="warning", reason="Too loud.", at=timezone.now())
    upheld(marta, case, consequence="mute:7", to_reporter="Thank you, Anna.")
    filing.appeal(report_id=case.pk, user=boris, text="It was a joke.", now=timezone.now())
    decide(moderator("Otto"), case, "deny-appeal", reason="A joke that hurts is none.")
    files = files_of(taken(case))
    loud, muted = files["sanctions.json"]
    assert (loud["kind"], loud["of_this_report"]) == ("warning", False)
    assert (muted["kind"], muted["by"], muted["of_this_report"]) == ("mute", "Marta", True)
    report = files["report.json"]
    assert report["appeal"] == "It was a joke."
    assert (report["final_decision"], report["closed_by"]) == (
        "A joke that hurts is none.", "Otto",
    )  # fmt: skip
    assert files["reporter.json"] == {"name": "Anna", "told_with_the_decision": "Thank you, Anna."}
    others = {name: files[name] for name in files if name != "reporter.json"}
    assert "Anna" not in json.dumps(others)


def test_sign_ins_are_in_it_for_the_days_that_were_chosen(case):
    boris = named("Boris")
    for day, address in ((1, "192.0.2.1"), (5, "192.0.2.5"), (9, "192.0.2.9")):
        at = datetime(2026, 3, day, 23, 59, tzinfo=UTC)
        SignIn.objects.create(
            user=boris, device=f"d{day}", address=address, agent="Firefox", first_at=at, last_at=at
        )
    files = files_of(taken(case, since="2026-03-05", until="2026-03-09"))
    assert [one["address"] for one in files["sign-ins.json"]] == ["192.0.2.5", "192.0.2.9"]
    refused = taken(case, name="Olga", since="2026-03-05")
    assert "Please enter both dates, or neither." in refused.content.decode()


def test_private_talk_is_in_it_as_it_was_frozen_and_nothing_later():
    game = open_table("Anna", "Boris", "Clara", now=timezone.now(), press="private")
    report = private_report(game)
    whisper(game, 1, 0, text="It was a joke.", now=timezone.now())
    [message] = files_of(taken(report))["messages.json"]
    assert message == {
        "from": sitter(game, 1).name,
        "at": report.frozen[0]["at"],
        "text": "I hope you lose, cow.",
        "reported": True,
    }


def test_moderators_find_no_export_and_can_take_nothing(case):
    marta = browser(moderator("Marta"))
    shown = marta.get(f"/admin/games/report/{case.pk}/change/").content.decode()
    assert "/act/export/" not in shown
    page = report_act_url(case, "export")
    assert "Only administrators can do this." in marta.get(page).content.decode()
    previewed = "[('since', 'None'), ('until', 'None')]"
    answer = marta.post(page, {"reason": "So.", "previewed": previewed})
    assert answer["Content-Type"].startswith("text/html")
    assert not AuditLine.objects.exists()


def test_an_administrator_who_sits_at_the_table_gets_nothing(case):
    clara = named("Clara")
    roles.appoint(clara, roles.ADMINISTRATOR)
    assert browser(clara).get(report_act_url(case, "export")).status_code == 404


def test_the_archive_has_no_secret_of_the_game(case):
    everything = json.dumps(files_of(taken(case)))
    assert not re.search(r"seed|balance|\bcash\b", everything)
