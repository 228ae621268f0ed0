"""The words of a page, and which of them are in Latin letters: those were not translated."""

import re
from html.parser import HTMLParser

LATIN = re.compile(r"[A-Za-z]{2,}")
# Names of the site, of editions, of languages, of zones and of formats.
NAMES = re.compile(
    r"Intrigue|Mayfair|F\.X\. Schmid|English|Deutsch|UTC|Europe/Vienna|QR|HTML|JSON"
    r"|E-mail|JavaScript|cookie|IP|Home|End|https?://\S+|\S+@\S+"
    r"|\d+\.\d+\.\d+\S*( \([0-9a-f]{12}\))?"  # versions
)
TOLD = ("aria-label", "title", "placeholder", "alt", "data-told", "summary")


class Words(HTMLParser):
    """Everything of a page that is read or read out; time zones and codes are what they are."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.silent = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        zones = (tag, given.get("name")) == ("select", "time_zone")
        if tag in {"script", "style", "code"} or zones:
            self.silent = tag
        self.words += [given[name] for name in TOLD if given.get(name)]

    def handle_endtag(self, tag):
        self.silent = "" if tag == self.silent else self.silent

    def handle_data(self, data):
        if not self.silent and data.strip():
            self.words.append(data)
