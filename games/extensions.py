"""How features join the core: all that the core knows of them and wants from them.

A feature is a folder `games/features/<name>/`: an app with a `Feature` in its `apps.py`, a line in
`FEATURES` of the settings, and tests in `tests/features/<name>/`. It may import the core. The core
never imports a feature, nor does one feature another; it calls all that are switched on, in the
order of `FEATURES`. A host switches features off by name (`FEATURES_OFF`): of those, nothing is
loaded, so nothing of them can be left on a page.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime
from enum import Enum, auto
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar, NamedTuple, Protocol

from django.apps import AppConfig, apps
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import URLResolver, include, path, reverse
from django.utils.functional import Promise
from django.utils.module_loading import import_string, module_has_submodule
from django.utils.safestring import SafeString

from games.correspondence import Correspondence


class AdminPage(NamedTuple):
    """A page of the admin, by its address there; with a label, the dashboard links to it.

    One `of_site` is linked from the page of the site instead. Its view gets `shared` as well, which
    makes what all pages of the admin show.
    """

    address: str
    path: str
    name: str
    label: Promise | str = ""
    of_site: bool = False

    @property
    def on_dashboard(self) -> bool:
        """Whether the dashboard links to it."""
        return bool(self.label) and not self.of_site

    def view(self) -> Callable[..., Any]:
        """The view that lies at `path`."""
        found: Callable[..., Any] = import_string(self.path)
        return found

    @property
    def url_name(self) -> str:
        """The name of its address."""
        return f"admin:{self.name}"


class Finding(NamedTuple):
    """One line about a part of the server; what is not well says what to do next."""

    part: str
    text: str
    is_well: bool = False


class Actions(NamedTuple):
    """What moderators may do to subjects of a kind that the core doesn't know.

    `kind` is how the keys of the actions begin; their pages are at `address` in the admin, which
    ends with the slug. `subject` is the path of the function that reads a subject for a moderator,
    by its ids in the address; `rows` is that of the tuple of `Action`s.
    """

    kind: str
    address: str
    subject: str
    rows: str


class Reply(NamedTuple):
    """How the reader of an email can reply to it."""

    address: str = ""
    """Where a reply goes; "" if nobody would read it."""

    hint: str = ""
    """The sentence that says so."""

    in_reply_to: str = ""
    """The Message-ID of the email to which this one is a response."""


class Work(NamedTuple):
    """What workers do for a feature, several times a minute as long as there is something to do."""

    is_waiting: str
    """The path of a function that says whether there is something to do now; it is quick."""

    task: str
    """The path of the Celery task that does some of it."""


class Case(Enum):
    """What happened to an account, so that ways in to it end."""

    PASSWORD = auto()
    """It has a new password, or its first one."""
    ADDRESS = auto()
    """Its email goes to another address."""
    SECOND_FACTOR = auto()
    """It has one more second factor."""
    SIGNED_OUT = auto()
    """It was signed out everywhere, by its owner or a moderator."""
    BANNED = auto()
    TAKEN_BACK = auto()
    """Somebody had signed up with an address that turned out to be another's."""
    DELETED = auto()
    """It is about to go, with all its rows."""


class WayIn(NamedTuple):
    """What lets in whoever knows it, or lets them read without signing in, such as a token."""

    end: str
    """The path of the function that ends it for a person."""

    stays: frozenset[Case] = frozenset()
    """The cases in which it doesn't end."""


class Channel(Protocol):
    """Another way to tell people what email tells; the `work` of its feature sends it."""

    key: str
    """How the names of its fields begin in the form of choices."""

    label: Promise
    in_story: Promise
    """What the form calls what comes by it; what the story of a decision says of who is reached."""

    write: str
    """The SQL that writes its rows for new emails, `INSERT … SELECT … FROM written`, where
    `written` has their columns; with the emails and in one statement, as people wait for a move."""

    def is_on(self) -> bool:
        """Whether this site can use it. If not, nobody sees it, and choices stay as they are."""

    def reaches(self, person: Any) -> bool:
        """Whether there is anything where it can reach this person, such as a browser."""

    def unwanted(self, person: Any) -> Collection[str]:
        """The keys of the switches whose email the person doesn't want by it as well."""

    def choose(self, person: Any, unwanted: list[str]) -> None:
        """Store these keys; the person is locked."""

    def alarm(self, people: QuerySet[Any], alarm: str, now: datetime) -> bool:
        """Write an alarm (`MailServer.Alarm`) to these people; whether it reaches any."""


class Feature(AppConfig):
    """What a feature adds to the core: nothing but what it names. Its `apps.py` imports this
    module, not this class: Django takes the one `AppConfig` there.
    """

    urls: ClassVar[str] = ""
    """The module of its addresses, which lie at the root of the site."""

    parts: ClassVar[Mapping[str, str]] = {}
    """The functions that make its part of pages, by the pages' names: from the request (and
    what the page gives), HTML.

    `home`, `tables` (the open ones), `lobby` (a table before its game), `game`, `person` (as others
    see them), `profile` and `profile_sign_in`, `notifications`, `sign_in`, `sign_up`, `sign_ins`
    (what is stored of one's sign-ins), `reports` (one's own), `head` (of all pages),
    `person_in_admin`, `report_in_admin`, `pair_in_admin` (the ways to ask each of two people).
    """

    links: ClassVar[Mapping[str, str]] = {}
    """The names of addresses to which pages and emails of the core lead, by what is there."""

    admin_pages: ClassVar[tuple[AdminPage, ...]] = ()
    """For moderators."""

    actions: ClassVar[tuple[Actions, ...]] = ()

    piles: ClassVar[str] = ""
    """The function from a moderator to what waits for them: titles, each with `DashboardLine`s."""

    audit_lines: ClassVar[str] = ""
    """The function from a moderator and lines of the audit log to those that they may read."""

    email_kinds: ClassVar[str] = ""
    """The tuple of its kinds of email, each an `EmailKind`."""

    replies: ClassVar[str] = ""
    """The function from an email about to be sent, and its reader's seat, to its `Reply`."""

    correspondence: ClassVar[str] = ""
    """Its `Correspondence`."""

    channel: ClassVar[str] = ""
    """Its `Channel`."""

    work: ClassVar[tuple[Work, ...]] = ()

    serve: ClassVar[str] = ""
    """The function that is called once in each process that serves, to listen to signals."""

    game_over: ClassVar[str] = ""
    """The function that is called with a game that has begun and now ends, with a winner or without
    (`Game.status`), within the transaction of its last move. If it fails, so does the move: what
    takes time or may fail is written down, for `work`. It locks nobody's row: people come first.
    Guided games are among them (`Game.guided`)."""

    waiting: ClassVar[str] = ""
    """The function to the querysets of all that waits to be sent: none of it is, once a backup in
    which it waited has been restored."""

    outdated: ClassVar[str] = ""
    """The function from now to the querysets of what it has stored and needs no longer."""

    exported: ClassVar[str] = ""
    """The function from a person to what it has stored of them, by the keys of the file with all
    their data."""

    ways_in: ClassVar[tuple[WayIn, ...]] = ()
    """By which its pages, or what it does, are open to whoever isn't signed in."""

    findings: ClassVar[str] = ""
    findings_by_web: ClassVar[str] = ""
    """What yields the doctor's lines about it: the database may be away; by the public address."""

    account_notices: ClassVar[str] = ""
    """The mapping of each `NoticeEmail` about accounts, by what django-allauth calls it."""

    own_data: ClassVar[str] = ""
    """The function from a person and now to all that is stored about them, as JSON."""

    send_own_data: ClassVar[str] = ""
    """The function that has it sent to a banned person, who can't ask for it themselves."""

    crest_of: ClassVar[str] = ""
    """The function from a person to the text of the crest that stands beside their name."""


def features() -> Iterator[Feature]:
    """All features that are switched on."""
    return (app for app in apps.get_app_configs() if isinstance(app, Feature))


def forms() -> Iterator[ModuleType]:
    """The modules with the forms of features."""
    for feature in features():
        if module_has_submodule(feature.module, "forms"):
            yield import_module(f"{feature.name}.forms")


def addresses() -> list[URLResolver]:
    """The addresses of all features."""
    return [path("", include(feature.urls)) for feature in features() if feature.urls]


def admin_pages() -> Iterator[AdminPage]:
    """The pages of all features in the admin."""
    return (page for feature in features() for page in feature.admin_pages)


def actions() -> Iterator[Actions]:
    """The actions of all features, kind by kind."""
    return (actions for feature in features() for actions in feature.actions)


@lru_cache(maxsize=10_000)  # saves 0.6 ms of a game's page
def link(place: str, *arguments: Any) -> str:
    """The address of the page where this is; "" if no feature has it."""
    names = (feature.links[place] for feature in features() if place in feature.links)
    return next((reverse(name, args=arguments) for name in names), "")


def crest_of(person: Any) -> str:
    """The text of the crest beside somebody's name; "" if no feature draws crests."""
    text: str = next((text_of(person) for text_of in _named("crest_of")), "")
    return text


def parts_of(page: str, request: HttpRequest, /, **given: Any) -> list[SafeString]:
    """What features add to this page, as HTML: each part comes out of a template of theirs.

    They get by keyword what the page has `given`, and "" adds nothing.
    """
    makers = (feature.parts[page] for feature in features() if page in feature.parts)
    made = (import_string(maker)(request, **given) for maker in makers)
    return [SafeString(part) for part in made if part]


def waiting_work() -> Iterator[Any]:
    """The Celery tasks for which there is something to do now."""
    for feature in features():
        for work in feature.work:
            if import_string(work.is_waiting)():
                yield import_string(work.task)


def piles(moderator: Any) -> Iterator[tuple[str, Iterable[Any]]]:
    """What waits for this moderator in all features, in piles for the dashboard."""
    return (pile for piles_for in _named("piles") for pile in piles_for(moderator))


def audit_lines() -> Iterator[Any]:
    """The functions from a moderator and lines of the audit log to those that they may read."""
    return _named("audit_lines")


def email_kinds() -> Iterator[Any]:
    """The kinds of email of all features."""
    return (kind for kinds in _named("email_kinds") for kind in kinds)


def account_notices() -> dict[str, Any]:
    """The email that all features send about changes to accounts, by what allauth calls it."""
    return {key: notice for notices in _named("account_notices") for key, notice in notices.items()}


def own_data(person: Any, now: datetime) -> dict[str, Any]:
    """All that is stored about a person, as JSON; nothing if no feature collects it."""
    data: dict[str, Any] = next((data_of(person, now) for data_of in _named("own_data")), {})
    return data


def can_send_own_data() -> bool:
    return any(feature.send_own_data for feature in features())


def send_own_data(person: Any, now: datetime) -> None:
    """Have a banned person get all that is stored about them, by the first feature that can."""
    for send in _named("send_own_data"):
        send(person, now)
        return


def reply_to(email: Any, seat: Any) -> Reply:
    """How this email can be replied to: as the first feature says that reads replies."""
    return next((reply_of(email, seat) for reply_of in _named("replies")), Reply())


def correspondences() -> list[Correspondence]:
    """What people may write about by email, other than tables."""
    return list(_named("correspondence"))


def channels() -> list[Channel]:
    """The channels that this site can use."""
    return [channel for channel in _named("channel") if channel.is_on()]


def serve() -> None:
    """Have all features listen to signals, in a process that serves."""
    for listen in _named("serve"):
        listen()


def game_over(game: Any) -> None:
    """Let all features know of the end of a game, which is locked and written."""
    for hear_of in _named("game_over"):
        hear_of(game)


def waiting() -> Iterator[QuerySet[Any]]:
    """What waits to be sent in all features."""
    return (rows for all_waiting in _named("waiting") for rows in all_waiting())


def outdated(now: datetime) -> Iterator[QuerySet[Any]]:
    """What all features have stored and need no longer."""
    return (rows for outdated_at in _named("outdated") for rows in outdated_at(now))


def exported(person: Any) -> dict[str, Any]:
    """What all features have stored of this person, by its keys in the file with all their data."""
    return {key: value for read in _named("exported") for key, value in read(person).items()}


def end_ways_in(person: Any, case: Case) -> None:
    """End all ways in of features that end in this case."""
    for feature in features():
        for way_in in feature.ways_in:
            if case not in way_in.stays:
                import_string(way_in.end)(person)


def findings(where: str = "findings") -> Iterator[Finding]:
    """What `manage.py doctor` says of all features, or only `findings_by_web`."""
    return (finding for look in _named(where) for finding in look())


def _named(attribute: str) -> Iterator[Any]:
    """What features name by its path in this attribute, loaded."""
    paths = (getattr(feature, attribute) for feature in features())
    return (import_string(path) for path in paths if path)
