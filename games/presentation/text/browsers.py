"""What people call a browser, by what it says of itself: "Chrome on Linux"."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _

_BROWSERS: Final[Mapping[str, str]] = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "FxiOS/": "Firefox",
    "Firefox/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
"""By a sign of it. Many have the signs of those below them, too."""

_SYSTEMS: Final[Mapping[str, str]] = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Macintosh": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}
"""The same of systems."""


def browser_text(user_agent: str) -> str:
    """The browser and its system; what it says of itself where that isn't known, or "?"."""
    browser = next((name for sign, name in _BROWSERS.items() if sign in user_agent), None)
    system = next((name for sign, name in _SYSTEMS.items() if sign in user_agent), None)
    if browser is None or system is None:
        return user_agent or "?"
    return _("{browser} on {system}").format(browser=browser, system=system)
