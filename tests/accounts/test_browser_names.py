"""What people call the browsers in which they are signed in."""

import pytest

from games.presentation.text.browsers import browser_text


@pytest.mark.parametrize(
    ("user_agent", "text"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/131.0 Safari/537.36", "Chrome on Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/131.0 Safari/537.36 Edg/131.0", "Edge on Windows"),
        ("Mozilla/5.0 (iPhone; like Mac OS X) Version/18.1 Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Android 15; Mobile) Firefox/132.0", "Firefox on Android"),
        ("Library", "Library"),
        ("", "?"),
    ],
)
def test_a_browser_is_called_by_its_name_and_system(user_agent, text):
    assert browser_text(user_agent) == text
