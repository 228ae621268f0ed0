"""Every kind of page, for what looks at all of them: axe, and who takes pictures."""

from collections.abc import Callable
from dataclasses import dataclass

from allauth.mfa.models import Authenticator
from django.test import Client
from playwright.sync_api import Page

from games.engine import EDITIONS
from games.services.chat.queries import id_of
from games.services.public_ids import public_id
from intrigue_site.scenarios import SCENARIOS
from tests.browser import admin_pages
from tests.browser.world import World
from tests.support.client import browser
from tests.support.whispering import page_of

Address = Callable[[World], str]


@dataclass(frozen=True)
class Kind:
    """A kind of page: its name, the name of its address in Django, who looks, and how one comes.

    `then` is done in the browser on the page at `path`; `status` is what the page that is looked at
    is answered with.
    """

    name: str
    route: str
    path: str | Address
    client: Callable[[World], Client] = World.nobody
    then: Callable[[Page], object] | None = None
    status: int = 200

    def address(self, world: World) -> str:
        return self.path if isinstance(self.path, str) else self.path(world)


def rosa(world: World) -> Client:
    return world.of(world.rosa)


def guest(_world: World) -> Client:
    """Somebody who has just begun a first game without an account."""
    client = Client()
    client.post("/first-game/")
    return client


def sonja(world: World) -> Client:
    return world.of(world.sonja)


def petra(world: World) -> Client:
    return world.petra and world.of(world.petra)


def passkey(rest: str) -> Address:
    """A page about Petra's passkey."""
    return lambda world: f"/accounts/2fa/webauthn/keys/{key_of(world)}/{rest}"


def key_of(world: World) -> int:
    return Authenticator.objects.get(user=world.petra, type="webauthn").pk


def boris(world: World) -> Client:
    return world.of(world.boris)


def ursula(world: World) -> Client:
    return world.of(world.ursula)


def asked(world: World) -> Client:
    return world.of(world.asked)


def other(world: World) -> Client:
    return world.of(world.other)


def whisperer(world: World) -> Client:
    return world.of(world.whispered.author)


def whispered_to(world: World) -> Client:
    """Who reads what the whisperer writes."""
    members = world.whispered.thread.members.exclude(user=world.whispered.author)
    return world.of(members.get().user)


def host(world: World) -> Client:
    """The host of a game in which others are to move: more time can be given."""
    return world.of(world.moved.host)


def just_signed_in(world: World) -> Client:
    """Somebody whose password was given too long ago for what is dear."""
    return browser(world.rosa)


def table(rest: str = "") -> Address:
    return lambda world: f"{world.running.get_absolute_url()}{rest}"


def finished(rest: str = "") -> Address:
    return lambda world: f"{world.finished.get_absolute_url()}{rest}"


def terms(world: World) -> str:
    """The terms of an offer to a player who isn't to move."""
    colour = world.running.seats.get(user=world.other).colour
    return f"{world.running.get_absolute_url()}offers/?to={colour}&who=me&what=send-nobody"


def said(rest: str) -> Address:
    return lambda world: f"{world.waiting.get_absolute_url()}talk/{id_of(world.said)}/{rest}"


def private(rest: str) -> Address:
    return lambda world: f"{world.whispered.thread.game.get_absolute_url()}private/{rest}"


def conversation(key: str) -> Address:
    """The table's page with the conversation of this name in its chat."""
    return lambda world: f"{world.whispered.thread.game.get_absolute_url()}?talk={key}"


def of_thread(rest: str) -> Address:
    return lambda world: private(f"{world.whispered.thread.token}/{rest}")(world)


def removed_from(world: World) -> str:
    """The chat of a table from which something was removed."""
    return world.against_boris and world.waiting.get_absolute_url()


def waiting(world: World) -> str:
    return world.waiting.get_absolute_url()


def changed(rest: str = "") -> Address:
    return lambda world: f"{world.changed.get_absolute_url()}{rest}"


def table_question(world: World) -> str:
    return f"/questions/ask/?table={world.waiting.token}"


def own_question(world: World) -> str:
    return f"/questions/{public_id('question', world.question.pk)}/"


def send_wrong_password(page: Page) -> None:
    page.locator("[name=login]").fill("rosa@example.org")
    page.locator("[name=password]").fill("something else")
    page.locator("[name=password]").press("Enter")


def forget_the_cookie(page: Page) -> None:
    """Send the form of a page whose token has gone meanwhile."""
    page.context.clear_cookies(name="csrftoken")
    send_wrong_password(page)


def send_without_checks(page: Page) -> None:
    """Send the main form as it is, past the browser's own checks."""
    page.evaluate(
        "document.querySelectorAll('main form').forEach((form) => { form.noValidate = true; })"
    )
    page.locator("main form").locator("button").first.click()


def object_without_words(page: Page) -> None:
    page.locator("main details summary").first.click()
    send_without_checks(page)


def play_first_game(page: Page) -> None:
    """Send what this page offered before its reader was suspended."""
    page.evaluate(
        """() => {
          const form = document.querySelector('form[action="/language/"]');
          form.action = "/first-game/";
          form.querySelector("button").click();
        }"""
    )


def ask_to_close(page: Page) -> None:
    page.get_by_role("button", name="Close this table").click()


def ask_to_leave(page: Page) -> None:
    page.get_by_role("button", name="Leave this table").click()


def look_it_over(page: Page) -> None:
    page.get_by_role("button", name="Review").click()


def make_it_old(page: Page) -> None:
    """Submit a move for a decision that is over."""
    page.evaluate("document.querySelector('main [name=phase_no]').value = '1'")
    look_it_over(page)


SIGNED_OUT = (
    Kind("welcome", "games:home", "/"),
    Kind("sign-in", "account_login", "/accounts/login/"),
    Kind("sign-in-refused", "account_login", "/accounts/login/", then=send_wrong_password),
    Kind("sign-up", "account_signup", "/accounts/signup/"),
    Kind("sign-up-refused", "account_signup", "/accounts/signup/", then=send_without_checks),
    Kind(
        "sign-up-code",
        "account_email_verification_sent",
        "/accounts/confirm-email/",
        World.signing_up,
    ),
    Kind("sign-in-by-code", "account_request_login_code", "/accounts/login/code/"),
    Kind(
        "sign-in-code",
        "account_confirm_login_code",
        "/accounts/login/code/confirm/",
        World.signing_in_by_code,
    ),
    Kind("password-forgotten", "account_reset_password", "/accounts/password/reset/"),
    Kind(
        "password-code",
        "account_confirm_password_reset_code",
        "/accounts/password/reset/confirm/",
        World.resetting,
    ),
    Kind(
        "password-new",
        "account_complete_password_reset",
        "/accounts/password/reset/complete/",
        World.with_reset_code,
    ),
    Kind("inactive", "account_inactive", "/accounts/inactive/"),
    Kind(
        "second-factor-asked",
        "mfa_authenticate",
        "/accounts/2fa/authenticate/",
        World.after_the_password,
    ),
    Kind(
        "passkey-asked",
        "mfa_authenticate",
        "/accounts/2fa/authenticate/",
        World.after_the_password_with_a_passkey,
    ),
    Kind(
        "provider-cancelled", "socialaccount_login_cancelled", "/accounts/3rdparty/login/cancelled/"
    ),
    Kind(
        "provider-failed",
        "socialaccount_login_error",
        "/accounts/3rdparty/login/error/",
        status=401,
    ),
    Kind("open-invitation", "games:table", waiting),
    Kind("invitation", "games:invitation", lambda world: world.invitation.get_absolute_url()),
    Kind(
        "no-invitations",
        "games:no_invitations",
        lambda world: f"{world.invitation.get_absolute_url()}never/",
    ),
    Kind("status", "status", "/status/"),
    Kind("deadlines-explained", "how_deadlines_work", "/deadlines/"),
    Kind("rules", "rules", "/rules/"),
    *(Kind(f"rules-{edition}", "edition_rules", f"/rules/{edition}/") for edition in EDITIONS),
    Kind("unsubscribe", "games:unsubscribe", World.stop_link),
    Kind("choices", "games:choices", World.choices_link),
    Kind("not-found", "", "/nothing/here/", status=404),
    Kind("forbidden", "", "/wrong/forbidden/", status=403),
    Kind("too-often", "", "/wrong/too-often/", status=429),
    Kind("broken", "", "/wrong/broken/", status=500),
    Kind("read-only", "", "/wrong/read-only/", status=503),
    Kind("mail-is-down", "", "/wrong/mail-down/", status=503),
    Kind("form-too-old", "", "/accounts/login/", then=forget_the_cookie, status=403),
    Kind("demo-sign-in", "demo:sign_in", World.sign_in_link),
    Kind("mailbox", "demo:mailbox", lambda world: world.letter() and "/mailbox/"),
    Kind("letter", "demo:letter", World.letter),
)

ACCOUNT = (
    Kind("profile", "profile", "/accounts/profile/", rosa),
    Kind("crest", "crest", "/accounts/crest/", rosa),
    Kind("notifications", "notifications", "/accounts/notifications/", rosa),
    Kind("delete", "delete_account", "/accounts/delete/", rosa),
    Kind("export", "export", "/accounts/export/", rosa),
    Kind("export-asked", "export", "/accounts/export/", World.with_export_asked),
    Kind("export-ready", "export", "/accounts/export/", World.with_export),
    Kind("sessions", "sessions", "/accounts/sessions/", just_signed_in),
    Kind("people", "games:people", "/people/", World.with_acquaintances),
    Kind("person", "games:person", lambda world: f"/people/{world.boris.pk}/", sonja),
    Kind(
        "person-who-asks",
        "games:person",
        lambda world: f"/people/{world.boris.pk}/",
        World.with_acquaintances,
    ),
    Kind("conduct", "games:conduct", "/accounts/conduct/", ursula),
    Kind(
        "conduct-refused",
        "games:conduct",
        "/accounts/conduct/",
        ursula,
        then=object_without_words,
        status=422,
    ),
    Kind("conduct-by-link", "games:conduct_by_link", World.conduct_link),
    Kind("stop-reset", "games:stop_reset", World.reset_link),
    Kind("warned", "games:home", "/", ursula),
    Kind("suspended", "first_game", "/", ursula, then=play_first_game, status=403),
    Kind("sign-out", "account_logout", "/accounts/logout/", rosa),
    Kind("mail-address", "account_email", "/accounts/email/", rosa),
    Kind("password", "account_change_password", "/accounts/password/change/", rosa),
    Kind(
        "password-refused",
        "account_change_password",
        "/accounts/password/change/",
        rosa,
        then=send_without_checks,
    ),
    Kind("password-again", "account_reauthenticate", "/accounts/reauthenticate/", just_signed_in),
    Kind("second-factor-none", "mfa_index", "/accounts/2fa/", rosa),
    Kind("second-factor-new", "mfa_activate_totp", "/accounts/2fa/totp/activate/", rosa),
    Kind("second-factor", "mfa_index", "/accounts/2fa/", sonja),
    Kind("second-factor-again", "mfa_reauthenticate", "/accounts/2fa/reauthenticate/", sonja),
    Kind("second-factor-off", "mfa_deactivate_totp", "/accounts/2fa/totp/deactivate/", sonja),
    Kind(
        "password-first", "account_set_password", "/accounts/password/set/", World.without_password
    ),
    Kind(
        "sign-in-again",
        "sign_in_again",
        "/accounts/sign-in-again/?next=/accounts/delete/",
        rosa,
    ),
    Kind("passkeys", "mfa_index", "/accounts/2fa/", petra),
    Kind("passkey-new", "mfa_add_webauthn", "/accounts/2fa/webauthn/add/", rosa),
    Kind("passkey-name", "mfa_edit_webauthn", passkey("edit/"), petra),
    Kind("passkey-off", "mfa_remove_webauthn", passkey("remove/"), petra),
    Kind(
        "passkey-again",
        "mfa_reauthenticate_webauthn",
        "/accounts/2fa/webauthn/reauthenticate/",
        petra,
    ),
    Kind("recovery-codes", "mfa_view_recovery_codes", "/accounts/2fa/recovery-codes/", sonja),
    Kind(
        "recovery-codes-new",
        "mfa_generate_recovery_codes",
        "/accounts/2fa/recovery-codes/generate/",
        sonja,
    ),
)

TABLES = (
    Kind("home", "games:home", "/", World.with_full_home),
    Kind("home-empty", "games:home", "/", lambda world: world.of(world.sonja)),
    Kind("tables", "games:tables", "/tables/", lambda world: world.waiting and sonja(world)),
    Kind("open-table", "games:open_table", "/tables/new/", rosa),
    Kind("watch", "games:watch", "/tables/watch/", rosa),
    Kind("finished", "games:finished", "/tables/finished/", rosa),
    Kind("first-game", "first_game", "/first-game/", rosa),
    Kind("guest-game", "games:table", "/", guest),
    Kind("keep", "games:keep", "/keep/", guest),
    Kind("lobby-host", "games:table", waiting, rosa),
    Kind("lobby-of-a-table-to-be-closed", "games:cancel", waiting, rosa, then=ask_to_close),
    Kind("lobby-of-a-table-to-be-left", "games:leave", waiting, rosa, then=ask_to_leave),
    Kind("lobby-stranger", "games:table", waiting, sonja),
    Kind("change-settings", "games:change_settings", changed("settings/"), rosa),
    Kind("lobby-changed", "games:table", changed(), lambda world: world.of(world.boris)),
    Kind("lobby-changed-host", "games:table", changed(), rosa),
    Kind("table-closed", "games:table", lambda world: world.closed.get_absolute_url(), rosa),
    Kind("table-rules", "table_rules", table("rules/"), asked),
    Kind("game", "games:table", table(), asked),
    Kind("review", "games:review", table(), asked, then=look_it_over),
    Kind("game-went-on", "games:review", table(), asked, then=make_it_old, status=409),
    Kind("kept", "games:kept", "/kept/", World.with_something_kept),
    Kind("orders", "games:orders", table("orders/"), other),
    Kind("offers", "games:offers", table("offers/"), asked),
    Kind("offer-terms", "games:offers", terms, asked),
    Kind("ledger", "games:ledger", table("promises/"), asked),
    Kind("ledger-finished", "games:ledger", finished("promises/")),
    Kind("step-aside", "games:step_aside", table("step-aside/"), asked),
    Kind("game-with-notes", "games:table", table(), other),
    Kind("finished", "games:table", finished(), other),
    Kind("new-conversation", "games:table", conversation("new"), whisperer),
    Kind(
        "private-conversation",
        "games:table",
        lambda world: page_of(world.whispered.thread),
        whispered_to,
    ),
    Kind("edit-private-message", "games:edit_private", of_thread("1/edit/"), whisperer),
    Kind("edit-message", "games:edit_message", said("edit/"), boris),
    Kind("history", "games:history", table("history/"), asked),
    Kind("history-step", "games:step", table("history/9/"), asked),
    Kind("history-step-finished", "games:step", finished("history/60/")),
    Kind("game-of-the-host", "games:table", lambda world: world.moved.get_absolute_url(), host),
    Kind("board-as-a-table", "games:board", table("board/"), asked),
    Kind(
        "deadlines",
        "games:deadlines",
        lambda world: f"{world.moved.get_absolute_url()}deadlines/",
        host,
    ),
    Kind(
        "own-decision",
        "games:own_decision",
        lambda world: f"{world.late.get_absolute_url()}decisions/{world.made.phase_no}/",
        lambda world: world.of(world.made.seat.user),
    ),
    Kind("charts", "charts", finished("charts/")),
    Kind("gallery", "gallery:index", "/gallery/"),
    Kind("gallery-case", "gallery:case", "/gallery/sending/"),
)

REPORTS = (
    Kind("report-message", "games:report_message", said("report/"), rosa),
    Kind(
        "report-refused",
        "games:report_message",
        said("report/"),
        rosa,
        then=send_without_checks,
        status=422,
    ),
    Kind("report-private", "games:report_private", of_thread("1/report/"), whispered_to),
    Kind(
        "report-person",
        "games:report_person",
        lambda world: f"/people/{world.boris.pk}/report/?table={world.waiting.token}",
        rosa,
    ),
    Kind(
        "report-table",
        "games:report_table",
        lambda world: f"{world.waiting.get_absolute_url()}report/",
        sonja,
    ),
    Kind("talk-removed", "games:table", removed_from, rosa),
    Kind("reports", "games:reports", lambda world: world.against_boris and "/reports/", boris),
    Kind("reports-none", "games:reports", "/reports/", sonja),
    Kind("ask-moderators", "ask_moderators", table_question, boris),
    Kind("question", "question", own_question, boris),
    Kind("ask-from-address", "ask_moderators", "/questions/ask/"),
    Kind("confirm-question", "confirm_question", World.to_confirm),
    Kind("question-by-email", "question_by_email", World.by_email),
    Kind(
        "appeal",
        "games:appeal",
        lambda world: f"/reports/{world.against_boris.pk}/appeal/",
        boris,
    ),
)

LIKE_NO_OTHER = {"external-bribes", "joined", "sealed", "absent", "parked", "paused", "over"}
"""The cases of which axe looks at the pages of those who are not to move; the others are alike."""

SITE = (
    Kind("maintenance", "games:home", "/", World.in_maintenance),
    Kind("no-new-games", "games:open_table", "/tables/new/", rosa),
)
"""With every notice that the site can show."""

GALLERY = {
    (case.key, reader): Kind(
        f"game-{case.key}-{reader}", "gallery:table", f"/gallery/{case.key}/{reader}/"
    )
    for case in SCENARIOS
    for reader in case.readers
}

ADMIN = (
    Kind("admin-desk", "", "/admin/", admin_pages.busy),
    Kind("admin-found", "", "/admin/?q=a", admin_pages.busy),
    Kind("admin-found-none", "", "/admin/?q=nothing", admin_pages.nora),
    *(
        Kind(f"admin-{name}", "", admin_pages.address_of_list(rest), admin_pages.busy)
        for name, rest in admin_pages.lists()
    ),
    Kind("admin-game", "", admin_pages.game("change/"), admin_pages.busy),
    Kind("admin-decisions", "", admin_pages.game("decisions/"), admin_pages.busy),
    Kind("admin-decision", "", admin_pages.open_decision, admin_pages.busy),
    Kind("admin-act", "", admin_pages.game("act/extend/"), admin_pages.busy),
    Kind(
        "admin-act-refused",
        "",
        admin_pages.game("act/pause/"),
        admin_pages.busy,
        then=admin_pages.say_nothing_long,
        status=422,
    ),
    Kind("admin-act-impossible", "", admin_pages.game("act/resume/"), admin_pages.busy),
    Kind("admin-glass", "", admin_pages.game("glass/"), admin_pages.busy),
    Kind(
        "admin-glass-open",
        "",
        admin_pages.game("glass/"),
        admin_pages.busy,
        then=admin_pages.look_behind,
    ),
    Kind("admin-person", "", admin_pages.user_page, admin_pages.busy),
    Kind("admin-doubles", "", admin_pages.doubles, admin_pages.with_doubles),
    Kind("admin-doubles-clear", "", admin_pages.clear_pair, admin_pages.with_doubles),
    Kind("admin-suspended", "", admin_pages.suspended(), admin_pages.nora),
    Kind("admin-person-act", "", admin_pages.suspended("act/suspend/"), admin_pages.nora),
    Kind("admin-clear-up", "", admin_pages.suspended("act/clear-up/"), admin_pages.nora),
    Kind("admin-uphold", "", admin_pages.uphold, admin_pages.with_reports),
    Kind(
        "admin-uphold-shown",
        "",
        admin_pages.uphold,
        admin_pages.with_reports,
        then=admin_pages.read_the_emails,
    ),
    Kind("admin-history", "", admin_pages.game("history/"), admin_pages.busy),
    Kind("admin-queue", "", "/admin/reports/", admin_pages.with_reports),
    Kind(
        "admin-decide",
        "",
        "/admin/reports/",
        admin_pages.with_reports,
        then=admin_pages.choose_to_uphold,
    ),
    Kind("admin-the-site", "", "/admin/site/", admin_pages.nora),
    Kind("admin-month", "", "/admin/month/", admin_pages.nora),
    Kind("admin-emails", "", "/admin/emails/", admin_pages.nora),
    Kind("admin-email", "", "/admin/emails/your_turn/de/", admin_pages.nora),
    Kind("admin-questions", "", "/admin/questions/", admin_pages.with_question),
    Kind("admin-question", "", admin_pages.question(""), admin_pages.with_question),
    Kind("admin-answer", "", admin_pages.question("act/answer/"), admin_pages.with_question),
    Kind("admin-app", "", "/admin/games/", admin_pages.nora),
)

GROUPS = {
    "signed-out": SIGNED_OUT,
    "account": ACCOUNT,
    "admin": ADMIN,
    "tables": TABLES,
    "reports": REPORTS,
    "site": SITE,
    "asked": tuple(kind for (_, reader), kind in GALLERY.items() if reader == "awaited"),
    "not-asked": tuple(
        kind
        for (key, reader), kind in GALLERY.items()
        if reader != "awaited" and key in LIKE_NO_OTHER
    ),
}

MORE_PICTURES = tuple(kind for kind in GALLERY.values() if kind not in sum(GROUPS.values(), ()))

NO_PAGE = {
    "accept_terms": "leads on where the host has written no terms: nothing here",
    "account_email_again": "sends email again, and leads home",
    "health": "JSON for machines",
    "email_events": "for the service that sends our email",
    "email_replies": "for the service that receives email for us",
    "account_password_reset_completed": "allauth signs people in instead",
    "mfa_download_recovery_codes": "a file",
    "openid_connect_callback": "leads on from a provider, of which there is none here",
    "openid_connect_login": "leads to a provider, of which there is none here",
    "socialaccount_connections": "not there without a provider",
    "socialaccount_signup": "leads away without a provider",
    "mfa_list_webauthn": "leads to the page of all factors",
    "mfa_login_webauthn": "acts, for a script",
    "demo:letter_html": "a mail, with the style that mail programs want",
    "games:record": "a file",
    "games:names": "JSON for a script",
    **dict.fromkeys(
        ("games:take_seat", "games:take_invited_seat"), "the page of the invitation, with a token"
    ),
    **dict.fromkeys(("games:talk", "games:threads", "games:thread"), "leads to the table's page"),
    "export_file": "a file",
    "export_by_link": "a file",
    "games:read_warning": "acts, and leads to the first page",
    "games:against_computer_players": "acts, and leads to the game",
    "name_to_strangers": "acts, and leads to the first page",
    "usersessions_list": "our own page has its address",
    "set_language": "acts, and leads back to the page",
    "set_theme": "acts, and leads back to the page",
    "security": "a text for machines",
    "robots": "a text for machines",
    **dict.fromkeys(
        ("crest_picture", "portrait", "site_card", "picture", "invitation_picture"), "a picture"
    ),
    "service_worker": "a script",
    "manifest": "JSON for browsers",
    "push_subscribe": "acts, for a script",
    "push_unsubscribe": "acts, and leads to a page",
    "turn_calendar": "acts, and leads to a page",
    "change_replies": "acts, and leads to a page",
    "calendar": "a calendar for programs",
    **dict.fromkeys(("imprint", "privacy", "terms"), "what the host has written: nothing here"),
    **dict.fromkeys(
        (
            "games:join", "games:stay", "games:start", "games:remove", "games:set_listed",
            "games:set_strangers",
            "games:invite", "games:again", "games:accept", "games:decline", "games:move",
            "games:withdraw_order", "games:reply", "games:ready", "games:come_back",
            "games:take_over",
            "games:days_off", "games:withdraw_days_off", "end_guiding", "games:notes",
            "games:mute",
            "games:begin_thread", "games:say_privately",
            "games:draft", "games:resubscribe", "games:call_vote", "games:cast", "games:give_time",
            "games:block", "games:unblock", "games:ignore", "games:unignore",
            "games:know", "games:know_no_more",
        ),
        "acts, and leads to a page",
    ),
}  # fmt: skip
"""The addresses that show no page of their own, and what they do instead."""
