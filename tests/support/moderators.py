"""Moderators and what they do in the admin, for tests."""

from django.contrib.auth.models import Group, Permission
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from games.models import AuditLine, Game, OutboxEmail, Seat, User
from games.services import roles
from games.services.game.moves import Outcome
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import GameRequest
from games.services.public_ids import public_id
from tests.support.client import as_shown, browser, forms_of, person, text_of
from tests.support.tables import MONDAY, seat_of, seats_to_move, submit_move


def moderator(name: str = "Marta") -> User:
    """Somebody who keeps order, no superuser; also after the tables were emptied."""
    user = person(name)
    group, made = Group.objects.get_or_create(name=roles.MODERATOR)
    if made:
        group.permissions.add(Permission.objects.get(codename="moderate_game"))
    roles.appoint(user, roles.MODERATOR)
    return User.objects.get(pk=user.pk)


def administrator(name: str = "Nadja") -> User:
    """Somebody who keeps the whole site; also after the tables were emptied."""
    user = moderator(name)
    group, made = Group.objects.get_or_create(name=roles.ADMINISTRATOR)
    if made:
        group.permissions.set(
            Permission.objects.filter(codename__in=["moderate_game", "administer_site"])
        )
    roles.appoint(user, roles.ADMINISTRATOR)
    return User.objects.get(pk=user.pk)


def request_of_nora(game: Game) -> GameRequest:
    """What Nora, a moderator, means to do with this game, as it stands now."""
    return GameRequest(game.pk, moderator("Nora"), "A <b>feast</b>.", seen_now(game), MONDAY)


def act_url(game: Game, slug: str) -> str:
    return f"/admin/games/game/{game.pk}/act/{slug}/"


def shown_form(client: Client, game: Game, slug: str) -> dict[str, str]:
    """The form of an act as its page shows it."""
    page = client.get(act_url(game, slug))
    assert page.status_code == 200, page.status_code
    return as_shown(forms_of(page.content.decode())[""])


def act(client: Client, game: Game, slug: str, **filled: object) -> HttpResponse:
    """Fill in the form of an act and hand it in."""
    form = shown_form(client, game, slug)
    if "reason" in form:
        form["reason"] = "Clara is in hospital."
    return confirmed(client, act_url(game, slug), form | {k: str(v) for k, v in filled.items()})


def confirmed(client: Client, page: str, form: dict[str, str]) -> HttpResponse:
    """Hand in the form of an action, and again where its page first shows what it would do."""
    response = client.post(page, form)
    if response.status_code == 200 and "Nothing has been done yet." in response.content.decode():
        return client.post(page, form | previewed(response))
    return response


def previewed(response: HttpResponse) -> dict[str, str]:
    """What the page adds to the form once it has shown what would be done."""
    form = as_shown(forms_of(response.content.decode())[""])
    return {"previewed": form["previewed"]}


def marta_acts(game: Game, slug: str, **filled: object) -> HttpResponse:
    """The same by Marta; it succeeds, and the reason is in the log where it takes one."""
    marta = User.objects.filter(name="Marta").first() or moderator()
    response = act(browser(marta), game, slug, **filled)
    assert response.status_code == 302, response.content.decode()
    game.refresh_from_db()
    return response


def acts_text(game: Game) -> list[str]:
    """The kinds of what moderators did, as the log of the game has them."""
    return [row.kind for row in game.events.filter(cause="moderator").order_by("seq")]


def audited_actions(**about: Game | User) -> list[tuple[str, str]]:
    """Who did which action, on one game or person or on anything, as the audit log has it."""
    return [(line.who, line.action) for line in AuditLine.objects.filter(**about).order_by("pk")]


def the_log(game: Game, name: str = "Anna") -> str:
    """The page of the table and its whole log, in words."""
    client = browser(seat_of(game, name).user)
    urls = (game.get_absolute_url(), f"{game.get_absolute_url()}history/")
    return " ".join(text_of(client.get(url)) for url in urls)


def asked(game: Game) -> Seat:
    return seats_to_move(game)[0]


def answer_of(game: Game, seat: Seat) -> Outcome:
    return submit_move(game, seat.user, timezone.now())


# Acts on a person


def person_act_url(person: User, slug: str) -> str:
    return f"/admin/games/user/{person.pk}/act/{slug}/"


def person_form(client: Client, person: User, slug: str) -> dict[str, str]:
    """The form of an act on a person as its page shows it, with a reason."""
    page = client.get(person_act_url(person, slug))
    assert page.status_code == 200, page.status_code
    form = as_shown(forms_of(page.content.decode())[""])
    return form | ({"reason": "You were rude."} if "reason" in form else {})


def act_on(client: Client, person: User, slug: str, **filled: object) -> HttpResponse:
    """Fill in the form of an act on a person and hand it in."""
    form = person_form(client, person, slug)
    page = person_act_url(person, slug)
    return confirmed(client, page, form | {key: str(v) for key, v in filled.items()})


def marta_acts_on(person: User, slug: str, **filled: object) -> None:
    """The same by Marta; it succeeds."""
    marta = User.objects.filter(name="Marta").first() or moderator()
    response = act_on(browser(marta), person, slug, **filled)
    assert response.status_code == 302, response.content.decode()
    person.refresh_from_db()


def key_of(row: Model) -> str:
    """What the address of a row's page names it by."""
    with_ids = {AuditLine: "auditline", OutboxEmail: "outboxemail"}
    return public_id(with_ids[type(row)], row.pk) if type(row) in with_ids else str(row.pk)
