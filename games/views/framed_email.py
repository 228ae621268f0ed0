"""Pages that are the HTML of an email, for a frame on another page."""

from collections.abc import Callable
from typing import Final

from django.http import HttpResponse
from django.utils.csp import CSP
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.csp import csp_override

# Emails have their style in attributes, as mail programs want it; for them alone that is allowed.
# No script runs, nothing is loaded, and links open in place of the page that shows the email.
POLICY: Final[dict[str, list[str]]] = {
    "default-src": [CSP.NONE],
    "style-src": [CSP.UNSAFE_INLINE],
    "form-action": [CSP.NONE],
    "frame-ancestors": [CSP.SELF],
    "sandbox": ["allow-top-navigation-by-user-activation"],
}


def framed_email(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let the site's own pages show this view's response in a frame, and let it do nothing."""
    framed: Callable[..., HttpResponse] = xframe_options_sameorigin(csp_override(POLICY)(view))
    return framed
