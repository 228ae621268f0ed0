"""All forms of the site, each as a page shows it to somebody, for tests of what may be sent.

`demanded` says for which addresses there has to be one.
"""

from dataclasses import dataclass, field, replace
from http.cookies import SimpleCookie
from random import Random
from uuid import uuid4

from django.test import Client
from django.urls import URLResolver, get_resolver, resolve, reverse
from django.utils import timezone

from games.admin.actions.on_accounts import ON_ACCOUNTS
from games.admin.actions.on_emails import ON_EMAILS
from games.admin.actions.on_games import ON_GAMES
from games.admin.actions.on_people import ON_PEOPLE
from games.admin.actions.on_reports import ON_MESSAGES, ON_REPORTS
from games.admin.actions.on_site import ON_SITE
from games.engine import Stage, decode, view
from games.engine.orders import HighestBribes
from games.engine.promises import Promise, SendNobody
from games.features.questions import asking, from_addresses
from games.features.questions.actions import ON_QUESTIONS
from games.features.questions.models import Question
from games.models import Game, Invitation, PushSubscription, Report, User, Vote
from games.services.chat import messages, promises
from games.services.chat.queries import id_of
from games.services.email import subscriptions
from games.services.game import orders, seats, votes
from games.services.lobby import changed_settings, invitations, tables
from games.services.lobby.settings import settings_of
from games.services.people import acquaintances, sanctions
from games.services.public_ids import public_id
from games.services.reports import filing
from games.services.reports.filing import Complaint
from tests.engine.playouts import wild_move
from tests.support.choices import choices
from tests.support.client import all_forms, as_shown, browser, verified
from tests.support.moderators import administrator, moderator
from tests.support.push_service import Browser
from tests.support.tables import seats_to_move, submit_move, table_settings
from tests.support.whispering import page_of, whisper

PEOPLE = ["Anna", "Boris", "Clara", "Stranger"]
KEEPERS = {"Marta": moderator, "Nadja": administrator}
STAGES = [stage for stage in Stage if stage is not Stage.OVER]

Fields = dict[str, str]


@dataclass(frozen=True)
class Form:
    """A form as a page shows it to somebody ("" is a visitor): where it goes and what it sends."""

    address: str
    reader: str
    fields: Fields


@dataclass
class World:
    """Tables in every stage, waiting and over, the people there, and all the forms they see."""

    people: dict[str, User] = field(default_factory=dict)
    cookies: dict[str, SimpleCookie] = field(default_factory=dict)
    forms: dict[str, list[Form]] = field(default_factory=dict)

    def browser(self, name: str) -> Client:
        client = Client()
        client.cookies = SimpleCookie(self.cookies[name].output(header="", sep=";"))
        return client

    def table(self, *names: str, size: int = 3, **more: object) -> Game:
        host, *others = (self.people[name] for name in names)
        now = timezone.now()
        game = tables.open_table(host=host, settings=table_settings(size=size, **more), now=now)
        for other in others:
            tables.join(game_id=game.pk, user=other, now=now)
        game.refresh_from_db()
        return game

    def table_in(self, stage: Stage, chance: Random) -> Game:
        """A game of Anna, Boris and Clara that waits in this stage."""
        game = self.table("Anna", "Boris", "Clara")
        while game.decoded().stage is not stage:
            if game.decoded().stage is Stage.OVER:
                game = self.table("Anna", "Boris", "Clara")
            play_on(game, chance)
        return game

    def read(self, name: str, address: str, stage: str = "") -> None:
        """Take the forms of a page as this person sees it."""
        page = self.browser(name).get(address)
        assert page.status_code == 200, address
        for action, controls in all_forms(page.content.decode()):
            self.add(name, action or address, as_shown(controls), stage)

    def add(self, name: str, address: str, fields: Fields, stage: str = "") -> None:
        found = resolve(address.partition("?")[0])
        kind = found.url_name
        if "slug" in found.kwargs:
            kind += f" {found.kwargs['slug']}"
        elif kind in {"review", "move"}:
            kind += f" {stage}"
        elif kind == "orders":
            kind += f" {fields['about'] if fields['about'] in ORDERS else 'bribe'}"
        self.forms.setdefault(kind, []).append(Form(address, name, fields))


def play_on(game: Game, chance: Random) -> None:
    """Somebody to move makes any legal move."""
    seat = seats_to_move(game)[0]
    choice = view(decode(game.state), seat.number).choice
    assert choice is not None
    submit_move(game, seat.user, timezone.now(), wild_move(choice, chance))
    game.refresh_from_db()


def whole_world() -> World:
    """Everybody and every table, with the forms that each of them sees."""
    world, chance = World(), Random(3)
    for name in PEOPLE:
        world.people[name] = verified(name)
        world.cookies[name] = browser(world.people[name]).cookies
    for name, appointed in KEEPERS.items():
        world.people[name] = appointed(name)
        world.cookies[name] = browser(world.people[name]).cookies
    world.cookies[""] = SimpleCookie()
    read_accounts(world)
    read_notifications(world)
    read_waiting_tables(world)
    for stage in STAGES:
        read_running_table(world, world.table_in(stage, chance), stage)
    read_negotiating_table(world, chance)
    read_whispering_table(world)
    read_finished_table(world, chance)
    read_what_people_do(world, chance)
    read_dashboard(world, chance)
    return world


def read_accounts(world: World) -> None:
    for page in ("signup", "login", "login/code", "password/reset"):
        world.read("", f"/accounts/{page}/")
    client = Client()
    newcomer = {
        "email": "nora@example.org",
        "password1": "not so secret",
        "name": "Nora",
        "time_zone": "UTC",
    }
    client.post("/accounts/signup/", newcomer)
    world.cookies["Nora"] = client.cookies
    world.read("Nora", "/accounts/confirm-email/")
    for page in (
        "profile",
        "crest",
        "delete",
        "export",
        "email",
        "password/change",
        "reauthenticate",
    ):
        world.read("Anna", f"/accounts/{page}/")


def read_notifications(world: World) -> None:
    """As where the site has a key for them, which the test may give it."""
    page = "/accounts/notifications/"
    world.add("Anna", page, choices())
    for name in ("Anna", "Boris"):
        world.add(name, f"{page}on/", Browser(name).form)
        world.browser(name).post(f"{page}on/", Browser(f"{name}-too").form)
    for one in PushSubscription.objects.select_related("user"):
        world.add(one.user.name, f"{page}off/", {"browser": str(one.pk)})
    world.add("Anna", "/accounts/calendar/", {"turn": "on"})
    world.add("Anna", "/accounts/replies/", {"turn": "at_once"})
    world.add("Boris", f"{page}off/", {"browser": "1"})


def read_changed_table(world: World, table: Game) -> None:
    """A table at which Boris has to agree to new settings."""
    changed = replace(settings_of(table), days_off=1)
    now = timezone.now()
    changed_settings.change(game_id=table.pk, user=table.host, settings=changed, now=now)
    world.read("Anna", f"{table.get_absolute_url()}settings/")
    world.read("Boris", table.get_absolute_url())
    boris = world.people["Boris"]
    changed_settings.stay(game_id=table.pk, user=boris, seen=1, now=now)


def read_waiting_tables(world: World) -> None:
    world.read("Anna", "/")
    world.read("Anna", "/tables/new/")
    waiting = world.table("Anna", "Boris", size=4)
    read_changed_table(world, waiting)
    asked = ["stranger@example.org", "nobody@example.org"]
    anna, now = world.people["Anna"], timezone.now()
    invitations.invite(game_id=waiting.pk, user=anna, addresses=asked, now=now)
    for name in ("Anna", "Boris", "Stranger", ""):
        world.read(name, waiting.get_absolute_url())
    for invitation in waiting.invitations.all():
        for name in ("Stranger", ""):
            world.read(name, invitation.get_absolute_url())


def read_running_table(world: World, game: Game, stage: Stage) -> None:
    """Forms of everybody at the table: the decision, its review, orders, chat, days off."""
    address = game.get_absolute_url()
    [to_move] = [seat.user.name for seat in seats_to_move(game)]
    idle, absent = (name for name in ("Anna", "Boris", "Clara") if name != to_move)
    announce_and_order(game, world.people[idle], world.people[absent])
    for name in PEOPLE:
        world.read(name, address, stage)
    for name in (to_move, idle):
        world.read(name, f"{address}orders/")
        world.read(name, f"{address}step-aside/")
        token = subscriptions.token_for(world.people[name], game)
        world.read("", f"/unsubscribe/{token}/")
        world.add("", f"/unsubscribe/{token}/undo/", {})
        token = subscriptions.token_for(world.people[name], subscriptions.CHOICES)
        world.read("", f"/choices/{token}/")
    asked = world.forms[f"review {stage}"][-1]
    world.add(asked.reader, f"{address}move/", asked.fields, stage)


def announce_and_order(game: Game, idle: User, absent: User) -> None:
    now = timezone.now()
    today = now.date()
    seats.announce_days_off(game_id=game.pk, user=idle, first_day=today, last_day=today, now=now)
    if game.decoded().round < game.decoded().table.edition.rounds:
        orders.leave_order(
            game_id=game.pk,
            user=idle,
            scholar=None,
            order=HighestBribes(),
            wait_if_addressed=False,
            now=now,
        )
    seats.step_aside(game_id=game.pk, user=absent, now=now)


def read_negotiating_table(world: World, chance: Random) -> None:
    """It is negotiation time, and somebody has made an offer to each of the others."""
    game = world.table("Anna", "Boris", "Clara", talk_seconds=43200)
    while not game.is_negotiation_time:
        play_on(game, chance)
    one, *others = range(3)
    maker = game.seats.get(number=one).user
    for other in others:
        promises.make_offer(
            game_id=game.pk,
            user=maker,
            promise=Promise(one, other, SendNobody(None, game.decoded().table.edition.rounds)),
            text="",
            token=uuid4(),
            now=timezone.now(),
        )
    for name in ("Anna", "Boris", "Clara"):
        world.read(name, game.get_absolute_url())
        world.read(name, f"{game.get_absolute_url()}offers/")


def read_whispering_table(world: World) -> None:
    """Private conversations: one, another one to begin, a message to edit and one to report."""
    game = world.table("Anna", "Boris", "Clara", press="private")
    address, now = game.get_absolute_url(), timezone.now()
    anna, boris = (game.seats.get(user=world.people[name]).number for name in ("Anna", "Boris"))
    said = whisper(game, boris, anna, text="Fool!", now=now)
    thread = f"{address}private/{said.thread.token}/"
    for name in ("Anna", "Boris"):
        world.read(name, f"{address}?talk=new")
        world.read(name, page_of(said.thread))
    world.read("Anna", f"{thread}{said.number}/report/")
    world.read("Boris", f"{thread}{said.number}/edit/")
    user = world.people["Boris"]
    public = messages.say(game_id=game.pk, user=user, text="Hello!", token=uuid4(), now=now)
    world.read("Boris", f"{address}talk/{id_of(public)}/edit/")
    world.read("Anna", f"/people/{world.people['Clara'].pk}/")
    world.add("Anna", f"/people/{world.people['Clara'].pk}/unignore/", {})


def read_finished_table(world: World, chance: Random) -> None:
    game = world.table("Anna", "Boris", "Clara", options={"rounds": 1})
    while game.status == Game.Status.RUNNING:
        play_on(game, chance)
    world.read("Boris", game.get_absolute_url())


def read_what_people_do(world: World, chance: Random) -> None:
    """Votes, chat, reports and appeals, acquaintances and blocks, and what is kept for oneself."""
    now, boris, stranger = timezone.now(), world.people["Boris"], world.people["Stranger"]
    game = world.table_in(Stage.SENDING, chance)
    address = game.get_absolute_url()
    votes.call_vote(game_id=game.pk, user=boris, proposal=votes.Proposal(Vote.Kind.END), now=now)
    said = messages.say(game_id=game.pk, user=boris, text="Fool!", token=uuid4(), now=now)
    acquaintances.declare(user=boris, other_id=stranger.pk, now=now)
    for name in ("Anna", "Clara"):
        world.read(name, address)
    world.read("Anna", f"{address}talk/{id_of(said)}/report/")
    noted = world.table("Boris", size=4, description="Only for friends.", listed=True)
    world.read("Anna", f"{noted.get_absolute_url()}report/")
    for person in (boris, stranger):
        for page in ("", "report/"):
            world.read("Anna", f"/people/{person.pk}/{page}")
    world.read("Stranger", f"/people/{boris.pk}/")
    world.read("Stranger", "/people/")
    about = Complaint(world.people["Anna"], "He insults me.", uuid4(), now)
    filing.report_message(about, message_id=said.pk)
    world.read("Anna", "/questions/ask/")
    asked = asking.ask(asking.Written(world.people["Anna"], "Why?", uuid4(), now), kind="clock")
    world.read("Anna", f"/questions/{public_id('question', asked.pk)}/")
    read_questions_from_addresses(world)

    send_what_no_page_shows_now(world, game)


def read_questions_from_addresses(world: World) -> None:
    """Where somebody without an account asks, enters the code, and replies."""
    world.read("", "/questions/ask/")
    written = from_addresses.Unconfirmed(
        "vera@example.org", "", "I can't sign in.", uuid4(), timezone.now()
    )
    asked = from_addresses.ask(written, kind="access")
    world.read("", f"/questions/confirm/{from_addresses.id_to_confirm(asked)}/")
    from_addresses.confirm(asked.pk, from_addresses.code_of(asked), timezone.now())
    world.read("", f"/questions/by-email/{from_addresses.id_by_email(asked)}/")


def send_what_no_page_shows_now(world: World, game: Game) -> None:
    """Forms that are shown at other moments only, or that a script sends."""
    address, boris = game.get_absolute_url(), world.people["Boris"].pk
    invitation = Invitation.objects.all()[0].get_absolute_url()
    report = Report.objects.get().pk
    passkey = {"credential": '{"id": "x", "rawId": "x", "type": "public-key", "response": {}}'}
    code, token = {"code": "123456"}, sanctions.token_for(world.people["Boris"])
    for reader, path, fields in (
        ("", "/language/", {"language": "de", "next": "/"}),
        ("", "/theme/", {"theme": "dark", "next": "/"}),
        ("", "/accounts/login/code/confirm/", code),
        ("", "/accounts/password/reset/confirm/", code),
        ("", "/accounts/password/reset/complete/", {"password1": "a red scholar in Venice"}),
        ("", "/accounts/2fa/authenticate/", code),
        ("Anna", "/accounts/password/set/", {"password1": "a red scholar in Venice"}),
        ("Anna", "/accounts/email/again/", {}),
        ("Anna", "/accounts/terms/", {"accepts": "on", "next": "/"}),
        ("Anna", "/accounts/sessions/", {"session": "1", "others": "1"}),
        ("Anna", "/accounts/2fa/reauthenticate/", code),
        ("Anna", "/accounts/3rdparty/", {"account": "1"}),
        ("", "/accounts/3rdparty/signup/", {"name": "Nora", "time_zone": "UTC"}),
        ("", "/accounts/oidc/login.example.org/login/", {}),
        ("Anna", "/accounts/2fa/totp/activate/", code),
        ("", "/accounts/2fa/webauthn/login/", passkey),
        ("Anna", "/accounts/2fa/webauthn/add/", passkey | {"name": "My phone"}),
        ("Anna", "/accounts/2fa/webauthn/reauthenticate/", passkey),
        ("Anna", "/accounts/2fa/webauthn/keys/1/edit/", {"name": "My phone"}),
        ("Anna", "/accounts/2fa/webauthn/keys/1/remove/", {}),
        ("Anna", "/accounts/2fa/totp/deactivate/", {}),
        ("Anna", "/accounts/2fa/recovery-codes/generate/", {}),
        ("Boris", "/accounts/conduct/", {"objection": "It was a joke.", "sanction": "1"}),
        ("Boris", "/accounts/conduct/read/", {"sanction": "1"}),
        ("Anna", "/accounts/named/", {"named": "yes"}),
        ("", f"/conduct/{token}/", {"objection": "It was a joke.", "sanction": "1"}),
        ("", "/accounts/reset/forged/", {}),
        ("Boris", f"/reports/{report}/appeal/", {"appeal": "It was a joke."}),
        ("Anna", f"/people/{boris}/unblock/", {}),
        ("Stranger", f"{invitation}never/", {}),
        ("Stranger", "/first-game/", {}),
        ("Anna", "/keep/", {"email": "anna@example.com", "name": "Anna", "time_zone": "UTC"}),
        ("Anna", f"{address}no-guide/", {}),
        ("Anna", f"{address}draft/", {"about": "talk", "phase_no": "0", "talk-text": "Well"}),
        ("Marta", "/admin/logout/", {}),
        ("Marta", "/admin/emails/your_turn/de/", {}),
        ("Marta", f"/admin/games/user/{boris}/doubles/{boris - 1}/clear/", {"reason": "Twins."}),
    ):
        world.add(reader, path, fields)


def read_dashboard(world: World, chance: Random) -> None:
    """Every action of moderators and administrators, also where it does not fit just now."""
    game, report = world.table_in(Stage.SENDING, chance), Report.objects.get()
    asked = Question.objects.get(person__name="Anna")
    email = game.emails.earliest("pk").pk
    about = {
        "game_action": ("Marta", f"/admin/games/game/{game.pk}"),
        "person_action": ("Marta", f"/admin/games/user/{world.people['Boris'].pk}"),
        "site_action": ("Nadja", "/admin/site"),
        "report_action": ("Marta", f"/admin/games/report/{report.pk}"),
        "message_action": ("Marta", f"/admin/games/message/{report.message_id}"),
        "question_action": ("Marta", f"/admin/questions/{asked.pk}"),
        "email_action": ("Marta", f"/admin/games/outboxemail/{public_id('outboxemail', email)}"),
    }
    for kind, acts in ACTS.items():
        reader, address = about[kind]
        for act in acts:
            page = f"{address}/act/{act.slug}/"
            keeper = "Nadja" if act.key in FOR_ADMINISTRATORS else reader
            world.read(keeper, page)
            if f"{kind} {act.slug}" not in world.forms:
                world.add(keeper, page, dict.fromkeys(act.form.base_fields, "1"))
    world.read("Marta", f"/admin/games/game/{game.pk}/glass/")
    world.read("Marta", "/admin/reports/")
    for act in ("take", "uphold", "reject"):
        fields = {"act": act, "reports": str(report.pk), "sent": "1", "reason": "Be kind."}
        world.add("Marta", "/admin/reports/decide/", fields)
    world.read("Marta", f"/admin/games/report/{report.pk}/reporter/ask/")
    world.read("Marta", reverse("admin:player_action", args=[world.people["Boris"].pk, "ask"]))


ORDERS = ("decision", "sending")
FOR_ADMINISTRATORS = {*(act.key for act in ON_ACCOUNTS), "report.export"}
ACTS = {
    "game_action": ON_GAMES,
    "person_action": (*ON_PEOPLE, *ON_ACCOUNTS),
    "site_action": ON_SITE,
    "report_action": ON_REPORTS,
    "message_action": ON_MESSAGES,
    "email_action": ON_EMAILS,
    "question_action": ON_QUESTIONS,
}
SEVERAL = {
    **{name: [act.slug for act in acts] for name, acts in ACTS.items()},
    "pair_action": ["clear"],
    "reporter_action": ["ask"],
    "player_action": ["ask"],
    "reveal_secrets": ["reveal"],
    "review": STAGES,
    "move": STAGES,
    "orders": ["bribe", *ORDERS],
}
"""Addresses that stand for several forms."""

NO_FORM = {
    *("home", "rules", "edition_rules", "table_rules", "people", "person", "tables", "table"),
    *("history", "step", "ledger", "deadlines", "charts", "record", "invitation", "reports"),
    *("board", "kept", "threads", "thread", "watch", "finished"),
    *(
        "crest_picture",
        "portrait",
        "site_card",
        "picture",
        "invitation_picture",
        "names",
        "service_worker",
        "calendar",
        "email_events",
        "email_replies",
        "manifest",
        "security",
        "robots",
        "imprint",
        "privacy",
        "terms",
    ),
    *("export_file", "export_by_link", "queue"),
    *("health", "status", "how_deadlines_work", "account_inactive"),
    *("account_password_reset_completed", "mfa_index"),
    *("mfa_list_webauthn", "openid_connect_callback"),
    *("sign_in_again", "socialaccount_login_cancelled", "socialaccount_login_error"),
    *("mfa_view_recovery_codes", "mfa_download_recovery_codes", "usersessions_list"),
    # Of the admin.
    *("index", "app_list", "the_site", "month", "duplicates", "game_record", "autocomplete"),
    *("email_previews", "email_preview_html", "questions", "question_page", "jsi18n"),
    *("decisions", "decision", "own_decision"),
    *("view_on_site", "login", "password_change", "password_change_done"),
}
"""Addresses that only show something, lead to another one that is here, or are for machines."""


def demanded() -> set[str]:
    """The names of all forms there have to be: of every address but those."""
    return {
        f"{name} {one}" if one else name
        for name in names_of_addresses(get_resolver()) - NO_FORM
        for one in SEVERAL.get(name, [""])
    }


def names_of_addresses(resolver: URLResolver) -> set[str]:
    """All but those of the lists that Django makes of our tables: nothing can be changed there."""
    found: set[str] = set()
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            found |= names_of_addresses(pattern)
        elif pattern.name and not pattern.name.startswith("games_"):
            found.add(pattern.name)
    return found
