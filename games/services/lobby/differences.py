"""What differs between the settings of a table before and after, in sentences."""

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.engine.editions import CHOICES, EDITIONS, NUMBERS, Options
from games.models import Game
from games.presentation.text.tables import (
    COMPUTER_PLAYER_LABELS,
    COMPUTER_PLAYERS_ALLOWED,
    NEWCOMERS,
    OPTION_LABELS,
    PRESS_LABELS,
    PROMISES_COUNT,
    THREADS_PUBLISHED,
    THREADS_SHOWN,
    language_name,
    pace_text,
    share_text,
    time_text,
    value_text,
)
from games.presentation.text.words import edition_name
from games.services.lobby.settings import TableSettings

NEED_NO_AGREEMENT: Final = frozenset({"name", "description", "listed", "strangers"})
"""The settings by which nobody plays: they make no difference."""


def differences(before: TableSettings, now: TableSettings) -> list[str]:
    """A sentence for each setting that isn't as it was: "Seats: 4 (before: 5)."

    What a setting is called and chosen as, is as in the form of a table. A setting that means
    nothing either before or now, such as those of private talk where there is none, is left out.
    """
    was, text = dict(_chosen(before)), _("{setting}: {now} (previously: {before}).")
    return [
        text.format(setting=setting, now=chosen, before=was[setting])
        for setting, chosen in _chosen(now)
        if setting in was and was[setting] != chosen
    ]


def _chosen(settings: TableSettings) -> Iterator[tuple[str, str]]:
    """Each setting and what is chosen, in the order of the form."""
    yield _("Edition"), edition_name(settings.edition)
    yield _("Seats"), str(settings.size)
    yield _("Pace"), _pace(settings)
    yield _("Talk during the game"), str(PRESS_LABELS.get(settings.press, settings.press))
    yield from _rules(settings.edition, settings.options)
    yield _("Days off per player"), str(settings.days_off)
    any_share = pgettext("moves made in time", "any share")
    share = share_text(settings.least_in_time) if settings.least_in_time else any_share
    yield _("Moves made in time"), share
    yield _("Newcomers"), str(NEWCOMERS[settings.newcomers_welcome])
    yield _("Computer players"), str(COMPUTER_PLAYERS_ALLOWED[settings.computer_players_allowed])
    yield (
        _("Who plays for an absent player"),
        str(COMPUTER_PLAYER_LABELS.get(settings.absent_player, settings.absent_player)),
    )
    any_language = pgettext("language", "any")
    yield _("Language of the chat"), language_name(settings.language) or any_language
    if settings.press == Game.Press.PRIVATE:
        yield _("Private conversations"), str(THREADS_SHOWN[settings.threads_shown])
        published = THREADS_PUBLISHED[settings.threads_published]
        yield _("Private messages after the game"), str(published)
    no_talk = pgettext("negotiation time", "none")
    talk = time_text(settings.talk_seconds) if settings.talk_seconds else no_talk
    yield _("Negotiation time"), talk
    yield _("Promises kept and broken"), str(PROMISES_COUNT[settings.promises_count])


def _pace(settings: TableSettings) -> str:
    seconds = int(settings.move_time.total_seconds())
    return pace_text(seconds, settings.no_play_days, settings.fixed_hour, settings.time_zone)


def _rules(edition: str, options: Options) -> Iterator[tuple[str, str]]:
    """How bribes are paid, and the other rules, which may be as in the edition."""
    bribing = options.get("bribing", EDITIONS[edition].bribing)
    yield str(OPTION_LABELS["bribing"]), value_text(bribing)
    for option in (*CHOICES, *NUMBERS):
        if option != "bribing":
            as_usual = _("as in the edition")
            chosen = value_text(options[option]) if option in options else as_usual
            yield str(OPTION_LABELS[option]), chosen
