"""A provider in the site's own network: refused, unless the host allows that one machine."""

import ssl

import pytest
import requests
import trustme
from django.core.exceptions import ImproperlyConfigured

from games.features.provider import asking
from games.features.provider.settings import provider_in
from tests.features.provider.server import own_provider
from tests.features.provider.test_provider import COMPLETE
from tests.support.servers import free_port


@pytest.fixture
def within(settings, tmp_path, monkeypatch):
    """A provider at this machine that speaks https."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    with own_provider(context) as server:
        settings.OIDC_MAY_BE_LOCAL = False
        settings.OIDC_PRIVATE_HOST = ""
        yield server


NOT_ALLOWED = (
    "it can't be asked: localhost is at 127.0.0.1, which is not public. Set OIDC_ALLOW_PRIVATE=yes "
    "if it is in your own network"
)


def test_it_is_asked_only_where_the_host_allows_it(within, settings):
    assert asking.why_not(within.url).replace("::1", "127.0.0.1") == NOT_ALLOWED
    assert within.requested == []
    settings.OIDC_PRIVATE_HOST = "login.example.org"
    assert asking.why_not(within.url).replace("::1", "127.0.0.1") == NOT_ALLOWED
    settings.OIDC_PRIVATE_HOST = "localhost"
    assert asking.why_not(within.url) == ""


def test_no_other_machine_of_the_network_is_asked_and_no_other_way(within, settings):
    settings.OIDC_PRIVATE_HOST = "localhost"
    with asking.session() as session:
        for url in (f"https://127.0.0.1:{within.server_port}/keys", "http://localhost/keys"):
            with pytest.raises(requests.RequestException):
                session.get(url)
    assert within.requested == []


def test_why_it_cant_be_asked_is_said_without_the_words_of_libraries(
    within, settings, monkeypatch, tmp_path
):
    settings.OIDC_PRIVATE_HOST = "localhost"
    nobody = f"https://localhost:{free_port()}"
    assert asking.why_not(nobody) == "it can't be asked: Connection refused"
    within.broken.add("/.well-known/openid-configuration")
    assert asking.why_not(within.url) == (
        f"{within.url}/.well-known/openid-configuration answers with 500"
    )
    monkeypatch.delenv("SSL_CERT_FILE")
    assert asking.why_not(within.url) == (
        "it can't be asked: its certificate isn't good (unable to get local issuer certificate)"
    )
    assert asking.why_not("https://nowhere.invalid") == (
        "it can't be asked: Name or service not known"
    )


@pytest.mark.parametrize("url", ["https://10.1.2.3", "https://localhost:9000/realms/a"])
def test_it_may_be_named_by_a_number_or_be_this_machine_but_never_without_https(url):
    named = provider_in(COMPLETE | {"OIDC_URL": url}, may_be_local=False, may_be_private=True)
    assert named.host in {"10.1.2.3", "localhost"}
    with pytest.raises(ImproperlyConfigured, match="https address"):
        provider_in(
            COMPLETE | {"OIDC_URL": url.replace("https", "http")},
            may_be_local=False,
            may_be_private=True,
        )
