"""The lines of the game log: there are hundreds on a page, and a template takes its time."""

from collections.abc import Iterable

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.services.game.queries.log import LogLine


def log_lines(lines: Iterable[LogLine], history: str, here: int | str = "") -> SafeString:
    """The items of a list of log lines, each with a link to its step below `history`.

    `here` is the number of the event that the page is about, "" if it is about none.
    """
    return format_html_join(
        "\n", "{}", ((_line(line, history, line.seq == here),) for line in lines)
    )


def _line(line: LogLine, history: str, is_here: bool) -> SafeString:  # noqa: FBT001
    marks = ""
    if line.cause:
        marks += format_html("\n<em>({})</em>", line.cause)
    if line.decisive:
        marks += format_html('\n<span class="mark decisive">{}</span>', line.decisive)
    if line.abandoned:
        marks += format_html("\n<em>{}</em>", _("discarded"))
    if line.reason:
        marks += format_html("\n<br><q>{}</q>", line.reason)
    if line.fresh:
        marks += format_html('\n<span class="mark new">{}</span>', _("new"))
    if is_here:
        marks += format_html('\n<span class="mark">{}</span>', _("this step"))
    return format_html(
        '<li id="event-{}"{}>\n<a href="{}{}/"{}{}>'
        '<time datetime="{}" title="{}">{}</time></a>{}</li>',
        line.seq,
        SafeString(' class="fresh"' if line.fresh else ""),
        history,
        line.seq,
        format_html(' class="by {}"', line.colour) if line.colour else "",
        SafeString(' aria-current="step"' if is_here else ""),
        line.iso,
        line.when,
        format_html("<del>{}</del>", line.text) if line.abandoned else escape(line.text),
        SafeString(marks),
    )
