"""What is switched off is gone: from addresses, pages and commands."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from games.extensions import features
from games.models import Game, SharedBrowser, User
from games.services.lobby import invitations
from tests.support.client import browser
from tests.support.moderators import moderator
from tests.support.tables import MONDAY, open_table, seats_to_move, submit_move

ROOT = Path(__file__).resolve().parents[2]

LOOK = """
import json
import sys
import django
django.setup()
from django.test import Client
from games.models import OutboxEmail, Seat, User
from games.services.email.compose import compose
found = {}
for page in sys.argv[1:]:
    name, _, address = page.partition(" ")
    client = Client(headers={"host": "localhost"})
    if name:
        client.force_login(User.objects.get(name=name))
    response = client.get(address, secure=True)
    found[page] = response.status_code, response.content.decode(errors="replace")
seat = Seat.objects.get(user__name="Clara")
email = compose([(OutboxEmail.objects.get(kind="game_started", person=seat.user), seat)])
found["an email"] = email.subject, f"{email.extra_headers} {email.body} {email.html}"
print(json.dumps(found))
"""

PROVIDER = {
    "OIDC_NAME": "Guild",
    "OIDC_URL": "https://login.example.org",
    "OIDC_CLIENT_ID": "intrigue",
    "OIDC_CLIENT_SECRET": "only these two know it",
}

REPLIES = {"MAIL_REPLIES_DOMAIN": "reply.example.org", "MAIL_AUTHSERV_ID": "mx.example.org"}

COMMANDS = ("receive_email", "simulate")
"""Commands of features."""

OWN = {
    "Anna /accounts/calendar/": (405, 404),
    " /characters/duke.svg": (200, 404),
    " /tables/{finished}/charts/": (200, 404),
    "Anna /accounts/crest/": (200, 404),
    " /crests/pale-gules-or-star.svg": (200, 404),
    "Anna /first-game/": (200, 404),
    # Django's admin takes what it doesn't know below a person for a key, and leads to its page.
    "Marta /admin/games/user/{anna}/doubles/": (200, 302),
    "Anna /accounts/export/": (200, 404),
    "Anna /accounts/replies/": (405, 404),
    "Anna /questions/ask/": (200, 404),
    "Marta /admin/questions/": (200, 404),
    " /email/inbound/mime": (405, 404),
    " /card.png": (200, 404),
    " /tables/{finished}/picture.png": (200, 404),
    "Marta /admin/emails/": (200, 404),
    "Anna /accounts/3rdparty/": (200, 404),
    " /accounts/oidc/login.example.org/login/": (200, 404),
    " /service-worker.js": (200, 404),
    " /rules/": (200, 404),
    " /rules/mayfair-2005/": (200, 404),
}
"""Pages of features, who opens each, and what is there with features and without."""

TRACES = {
    "calendar": {"calendar"},
    "characters": {"/characters/", 'class="portrait"'},
    "charts": {"charts"},
    "crests": {"/crests/", 'class="crest"', "my crest"},
    "duplicates": {"same browser", "duplicate", "/doubles/", "two accounts"},
    "export": {"all my data", "/export/"},
    "guide": {"/first-game/", "play a first game", "your first game", "your guide", "/no-guide/"},
    "inbound": {"playing by email", "/accounts/replies/", "'reply-to'", "you can reply to this"},
    "pictures": {"og:image", "/card.png", "/picture.png", "twitter:card"},
    "previews": {"sample content", "/emails/"},
    "live": {"/live.js"},
    "push": {"<h2>in your browser", "/push.js"},
    "provider": {"guild", "/oidc/", "/3rdparty/"},
    "questions": {"ask the moderators", "/questions/"},
    "rulebook": {"/rules/", ">rules<", "rules for", "rules of", "in one minute"},
}
"""What pages and an email of the core have of features, in lower case."""


def run(environment, *command, off=""):
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=environment
        | PROVIDER
        | REPLIES
        | {"DJANGO_SETTINGS_MODULE": "intrigue_site.test_settings", "FEATURES_OFF": off},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_folder_is_a_feature_that_is_switched_on():
    folders = {path.parent.name for path in (ROOT / "games" / "features").glob("*/apps.py")}
    assert folders == set(settings.FEATURES)
    assert {feature.name for feature in features()} == {
        f"games.features.{name}" for name in settings.FEATURES
    }


@pytest.mark.full
@pytest.mark.parametrize("name", ["chess", "calendar, chess"])
def test_a_feature_that_does_not_exist_is_named(process_environment, name):
    ended = run(process_environment, "manage.py", "check", off=name)
    assert ended.returncode == 1
    assert ended.stderr.startswith("FEATURES_OFF: there is no chess, only ")


@pytest.fixture
def pages(process_environment):
    """Pages of the core that features add to, and who opens each."""
    moderator("Marta")
    waiting = open_table("Anna", "Boris", size=3)
    anna, boris = (seat.user for seat in waiting.seats.order_by("pk")[:2])
    SharedBrowser.objects.create(first=anna, second=boris, last_at=waiting.created_at)
    started = open_table("Clara", "Dora", "Emil")
    finished = open_table("Gerda", "Hugo", "Ines", options={"rounds": 1})
    while seats_to_move(finished):
        submit_move(finished, seats_to_move(finished)[0].user, MONDAY)
    guided = browser(anna).post("/first-game/")["Location"]
    kept = Client().post("/first-game/")["Location"]
    invited = ["vera@example.org"]
    invitations.invite(game_id=waiting.pk, user=anna, addresses=invited, now=MONDAY)
    return [
        *(" /accounts/login/", " /accounts/signup/", "Anna /accounts/profile/"),
        *(" /", "Anna /accounts/notifications/", "Anna /tables/new/"),
        *(f"Clara {started.get_absolute_url()}", f"Anna {guided}", "Marta /", "Marta /admin/"),
        "Marta /admin/site/",
        *(f"Guest {kept}", "Guest /keep/"),
        *(f"Anna {waiting.get_absolute_url()}", f"Marta /admin/games/user/{anna.pk}/change/"),
        *(f" {finished.get_absolute_url()}", f" {finished.get_absolute_url()}history/"),
        *(f" {one.get_absolute_url()}" for one in waiting.invitations.all()),
    ]


def look(environment, pages, off=""):
    """The status of each page of features, and what the core shows, in lower case."""
    anna = User.objects.get(name="Anna").pk
    finished = Game.objects.get(status=Game.Status.FINISHED).token
    own = {page: page.format(anna=anna, finished=finished) for page in OWN}
    ended = run(environment, "-c", LOOK, *own.values(), *pages, off=off)
    assert ended.returncode == 0, ended.stderr
    shown = json.loads(ended.stdout)
    assert {page: shown[page][0] for page in pages} == dict.fromkeys(pages, 200)
    text = "".join(shown[page][1] for page in (*pages, "an email")).lower()
    return {page: shown[address][0] for page, address in own.items()}, text


@pytest.mark.full
def test_without_features(process_environment, pages):
    traces = [trace for traces in TRACES.values() for trace in traces]
    statuses, text = look(process_environment, pages)
    assert statuses == {page: with_them for page, (with_them, _without) in OWN.items()}
    assert [trace for trace in traces if trace not in text] == []

    off = ",".join(settings.FEATURES)
    statuses, text = look(process_environment, pages, off)
    assert statuses == {page: without for page, (_with_them, without) in OWN.items()}
    assert [trace for trace in traces if trace in text] == []
    for command in COMMANDS:
        refused = run(process_environment, "manage.py", command, off=off).stderr
        assert f"Unknown command: '{command}'" in refused
