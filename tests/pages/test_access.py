"""What stands on a view about who may open it is known and used."""

from django.urls import URLPattern, get_resolver

from games.views import access

GROUPS = {
    access.GUESTS,
    access.INVITED,
    access.STRANGERS,
    access.SUSPENDED,
    access.UNDER_MAINTENANCE,
    *access.OWING,
}


def addresses(resolver, namespace=""):
    """The names of all addresses of the site, each with its view."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield f"{namespace}{pattern.name}", pattern.callback
        else:
            yield from addresses(
                pattern, f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            )


def test_every_group_is_known_and_has_pages():
    named = {
        whom for _name, view in addresses(get_resolver()) for whom in getattr(view, "open_to", ())
    }
    assert named | set(access.OF_LIBRARIES.values()) == GROUPS


def test_pages_of_libraries_exist():
    names = {name for name, _view in addresses(get_resolver())}
    assert {*access.OF_LIBRARIES, *access.SIGN_OUT} - names == set()
    assert [
        start for start in access.OWN_ACCOUNT if not any(n.startswith(start) for n in names)
    ] == []


def test_a_view_keeps_what_stands_on_it_beneath_other_decorators():
    views = dict(addresses(get_resolver()))
    expected = {access.GUESTS, access.SUSPENDED, access.UNDER_MAINTENANCE, *access.OWING}
    assert views["set_theme"].open_to == expected
    assert views["games:people"].__dict__.get("open_to") is None
