"""What the settings get from the provider that the environment names."""

import pytest

from tests.operations.test_settings import PRODUCTION, run

pytestmark = pytest.mark.full


def test_forms_may_be_sent_to_the_provider_that_is_configured_and_nowhere_else():
    script = "from intrigue_site import settings; print(*settings.SECURE_CSP['form-action'])"
    provider = {
        "OIDC_NAME": "Guild",
        "OIDC_URL": "https://login.example.org:8443/realms/a",
        "OIDC_CLIENT_ID": "intrigue",
        "OIDC_CLIENT_SECRET": "only these two know it",
    }
    given = run("-c", script, **PRODUCTION, **provider)
    assert given.stdout == "'self' https://login.example.org:8443\n", given.stderr
    assert run("-c", script, **PRODUCTION).stdout == "'self'\n"


OIDC = {
    "OIDC_NAME": "Guild",
    "OIDC_URL": "https://login.example.org/realms/a",
    "OIDC_CLIENT_ID": "intrigue",
    "OIDC_CLIENT_SECRET": "$secret",
}
PRINT_PROVIDER = """
from intrigue_site import settings
print(*settings.SECURE_CSP["form-action"])
print(*settings.SOCIALACCOUNT_PROVIDERS)
"""


@pytest.mark.parametrize(
    ("more", "printed"),
    [({}, "'self'\n\n"), (OIDC, "'self' https://login.example.org\nopenid_connect\n")],
    ids=["no provider", "a provider"],
)
def test_forms_lead_to_the_provider_alone_and_only_where_there_is_one(more, printed):
    ended = run("-c", PRINT_PROVIDER, **PRODUCTION, **more)
    assert (ended.stdout, ended.stderr) == (printed, "")


@pytest.mark.parametrize("url", ["http://localhost:9000", "https://10.0.0.1"])
def test_a_provider_inside_the_network_is_refused(url):
    ended = run("manage.py", "check", **PRODUCTION, **(OIDC | {"OIDC_URL": url}))
    assert ended.returncode != 0
    assert "OIDC_URL must be" in ended.stderr
    assert "$secret" not in ended.stderr


def test_switched_off_it_is_not_even_read():
    given = OIDC | {"OIDC_URL": "http://localhost:9000", "FEATURES_OFF": "provider"}
    script = """
from intrigue_site import settings
print(*settings.SECURE_CSP["form-action"])
print([name for name in dir(settings) if "PROVIDER" in name])
"""
    ended = run("-c", script, **PRODUCTION, **given)
    assert (ended.stdout, ended.stderr) == ("'self'\n[]\n", "")
