"""compose.yaml, as far as it can be looked at without a daemon; and what goes with it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from intrigue_site import environment

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
OURS = {name: one for name, one in SERVICES.items() if one["image"].startswith("intrigue:")}
A_GIGABYTE = 1024
NAMES = {*environment.VARIABLES, *(f"{name}_FILE" for name in environment.SECRETS)}

each = pytest.mark.parametrize("service", SERVICES.values(), ids=SERVICES)


def test_the_processes_are_those_of_the_procfile():
    lines = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
    migrate = lines.pop("release")
    assert {name: " ".join(one["command"]) for name, one in OURS.items()} == {
        **lines,
        "migrate": migrate,
    }


@pytest.mark.parametrize("service", OURS.values(), ids=OURS)
def test_a_process_is_told_what_the_site_knows_and_secrets_by_files(service):
    told = service["environment"]
    assert set(told) <= NAMES
    assert set(told) & set(environment.SECRETS) == {"CELERY_BROKER_URL"}  # it has no password
    files = {value for name, value in told.items() if name.endswith("_FILE")}
    assert files == {f"/run/secrets/{name}" for name in service["secrets"]}
    assert service["env_file"] == ".env"
    assert service["cap_drop"] == ["ALL"]


@each
def test_a_container_can_do_little_and_is_looked_after(service):
    assert re.search(r":[\d.]*\w[\w.-]*$", service["image"])
    assert not service["image"].endswith(":latest")
    assert service["read_only"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    once = service.get("restart") == "no"
    assert once == (service is SERVICES["migrate"])
    assert set(service.get("secrets", [])) <= set(COMPOSE["secrets"])
    named = [volume.split(":")[0] for volume in service.get("volumes", [])]
    assert {name for name in named if name[0] != "."} <= set(COMPOSE["volumes"])
    folders = {Path(name).parts[0] for name in named if name[0] == "."}
    assert folders <= {"deploy", "legal"}
    assert set(service.get("depends_on", [])) <= set(SERVICES)


def test_only_the_proxy_is_reached_from_outside():
    published = {name: one["ports"] for name, one in SERVICES.items() if "ports" in one}
    inbound = published.pop("inbound")
    assert all(port.startswith("127.0.0.1:") for port in inbound)
    assert list(published) == ["proxy"]
    assert COMPOSE["networks"]["inside"] == {"internal": True}
    assert [SERVICES[name]["networks"] for name in ("database", "valkey")] == [["inside"]] * 2


def test_all_that_runs_together_fits_into_a_gigabyte():
    limits = {name: int(one["mem_limit"].removesuffix("m")) for name, one in SERVICES.items()}
    assert sum(limits.values()) - limits["migrate"] <= A_GIGABYTE


def test_the_broker_drops_no_message():
    command = " ".join(SERVICES["valkey"]["command"])
    assert "--maxmemory-policy noeviction" in command


def test_the_proxys_file_is_told_where_the_processes_are():
    caddyfile = (ROOT / "deploy/caddy/Caddyfile").read_text()
    told = SERVICES["proxy"]["environment"]
    assert set(re.findall(r"\{\$(\w+):", caddyfile)) == set(told)
    assert {told["WEB"], told["LIVE"]} == {"web:8000", "live:8001"}


def test_the_example_knows_no_setting_that_the_site_does_not():
    lines = (ROOT / ".env.example").read_text().splitlines()
    told = {match[1] for line in lines if (match := re.match(r"#?([A-Z_]+)=", line))}
    assert {"SITE_URL", "MAIL_FROM"} <= told <= set(environment.VARIABLES)


def test_the_secrets_are_made_once_and_each_is_one_that_compose_names(tmp_path):
    (tmp_path / "bin").mkdir()
    script = shutil.copy(ROOT / "bin/secrets", tmp_path / "bin")

    def make(typed: str) -> int:
        return subprocess.run([script], input=typed, text=True, check=False).returncode

    assert make("mail.example.org\n") == 1
    made = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    assert make("smtps://jo:pssst@mail.example.org:465\n") == 0
    assert make("") == 0
    kept = {path.name: path.read_text().rstrip("\n") for path in (tmp_path / "secrets").iterdir()}
    for name, secret in kept.items():
        assert COMPOSE["secrets"][name] == {"file": f"./secrets/{name}"}
        assert made.get(name, f"{secret}\n") == f"{secret}\n"
    assert set(kept) == set(COMPOSE["secrets"])
    assert len(kept["secret_key"]) >= 50
    assert kept["database_url"] == (
        f"postgresql://intrigue:{kept['database_password']}@database/intrigue"
    )
    assert kept["email_url"] == "smtps://jo:pssst@mail.example.org:465"
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "secrets").iterdir()} == {0o444}
    assert "/secrets/" in (ROOT / ".gitignore").read_text().splitlines()
