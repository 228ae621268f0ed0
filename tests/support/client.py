"""A player's browser without the browser: reads the forms of a page and fills them in."""

import re
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from random import Random

from allauth.account.models import EmailAddress
from django.http import HttpResponse
from django.test import Client

from games.models import User


@dataclass
class Field:
    """A control of a form: what is filled in, and what may be."""

    kind: str
    value: str = ""
    options: list[str] = field(default_factory=list)
    numbers: tuple[int, int, int] | None = None


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, Field]]] = []
        self.form: dict[str, Field] | None = None
        self.select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        if tag == "form":
            self.form = {}
            self.forms.append((given.get("action", ""), self.form))
        elif self.form is None:
            return
        elif tag == "input":
            self._input(given)
        elif tag == "textarea":
            self.form[given["name"]] = Field("textarea")
        elif tag == "select":
            self.select = given["name"]
            self.form[self.select] = Field("select")
        elif tag == "option":
            control = self.form[self.select]
            control.options.append(given["value"])
            if "selected" in given or len(control.options) == 1:
                control.value = given["value"]

    def _input(self, given: dict[str, str]) -> None:
        assert self.form is not None
        if "name" not in given:
            return  # only for reading: it is not sent
        kind = given.get("type", "text")
        control = self.form.setdefault(given["name"], Field(kind))
        if kind in {"radio", "checkbox"}:
            control.options.append(given.get("value", "on"))
            if "checked" in given:
                control.value = control.options[-1]
        else:
            control.value = given.get("value", "")
        if kind == "number" and {"step", "max"} <= given.keys():
            control.numbers = (int(given["min"]), int(given["max"]), int(given["step"]))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None


LANGUAGES = "/language/"
IN_THE_FOOT = {LANGUAGES, "/theme/"}
"""The actions of the forms in the foot of every page."""


def all_forms(html: str) -> list[tuple[str, dict[str, Field]]]:
    """The forms of a page in order, each with its action; not those in its foot."""
    return [form for form in _read(html) if form[0] not in IN_THE_FOOT]


def language_form(html: str) -> dict[str, Field]:
    """The form in the foot that chooses the language."""
    return dict(_read(html))[LANGUAGES]


def _read(html: str) -> list[tuple[str, dict[str, Field]]]:
    reader = _Forms()
    reader.feed(html)
    return reader.forms


def forms_of(html: str) -> dict[str, dict[str, Field]]:
    """The forms of a page by their action."""
    return dict(all_forms(html))


def opening_form(client: Client) -> dict[str, str]:
    """The form that opens a table, as its page shows it."""
    return as_shown(forms_of(client.get("/tables/new/").content.decode())[""])


def move_form(html: str) -> dict[str, Field] | None:
    """The form of a decision, or None where there is none."""
    for action, fields in forms_of(html).items():
        if action.endswith("/review/"):
            return fields
    return None


def as_shown(fields: dict[str, Field]) -> dict[str, str]:
    """The form handed in just as the page shows it: a box that is not ticked sends nothing."""
    return {
        name: control.value
        for name, control in fields.items()
        if control.kind != "checkbox" or control.value
    }


def at_random(fields: dict[str, Field], chance: Random) -> dict[str, str]:
    """The form filled in at random, out of what each control offers."""
    filled = {}
    for name, control in fields.items():
        if control.kind == "checkbox" and chance.random() < 0.5:
            continue
        if control.numbers is not None:
            least, most, unit = control.numbers
            filled[name] = str(chance.randrange(least, min(most, least + 9 * unit) + 1, unit))
        elif control.options:
            filled[name] = chance.choice(control.options)
        else:
            filled[name] = control.value
    return filled


def person(name: str, **more: object) -> User:
    """Somebody with an account."""
    return User.objects.create_user(
        email=f"{name.lower()}@example.org", name=name, password="not so secret", **more
    )


def verified(name: str, **more: object) -> User:
    """Somebody who has entered the code that was emailed to their address."""
    user = person(name, **more)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


def browser(user: User) -> Client:
    """The browser of somebody who is signed in."""
    client = Client()
    client.force_login(user)
    return client


def errors_of(page: HttpResponse) -> dict[str, list[str]]:
    """What each field of a page's form was refused for."""
    found = re.findall(
        r'<ul class="errorlist" id="id_(\w+)_error">(.*?)</ul>', page.content.decode(), re.DOTALL
    )
    return {
        field: [unescape(error) for error in re.findall(r"<li>(.*?)</li>", errors, re.DOTALL)]
        for field, errors in found
    }


def text_of(page: HttpResponse) -> str:
    """The text of a page, without its tags, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html_of(page))).split())


def html_of(page: HttpResponse) -> str:
    """The HTML of a page, with names as parts of their sentences: without what isolates them."""
    return re.sub(r"</?bdi[^>]*>", "", page.content.decode())


def without_what_differs(html: str) -> str:
    """The page without what is made anew for each: tokens of forms, its nonce, what time it is."""
    anew = r'(name="(?:csrfmiddlewaretoken" value|now" content)=|nonce=)"[^"]*"'
    return re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "", re.sub(anew, r'\1""', html))
