"""The settings of a table in words."""

from collections.abc import Collection
from datetime import timedelta
from typing import Final

from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from games.engine.editions import EDITIONS, Options, OptionValue
from games.presentation.text.words import listed, money

WEEKDAYS: Final = (
    pgettext_lazy("weekday", "Monday"),
    pgettext_lazy("weekday", "Tuesday"),
    pgettext_lazy("weekday", "Wednesday"),
    pgettext_lazy("weekday", "Thursday"),
    pgettext_lazy("weekday", "Friday"),
    pgettext_lazy("weekday", "Saturday"),
    pgettext_lazy("weekday", "Sunday"),
)

OPTION_LABELS: Final = {
    "rounds": gettext_lazy("Rounds"),
    "bribing": gettext_lazy("Bribing"),
    "refund_losers": gettext_lazy("The losers of a conflict get their bribes back"),
    "distinct_palaces": gettext_lazy("Applicants sent in the same turn go to different palaces"),
    "internal_order": gettext_lazy("Order of internal conflicts, by salary"),
    "defender_bribe": gettext_lazy("The resident's bribe"),
    "attackers": gettext_lazy("Attackers who may win an internal conflict"),
    "broke": gettext_lazy("If a player can't pay the minimum"),
    "promises": gettext_lazy("Palace owners' promises for the current turn"),
    "uncontested_min_bribe": gettext_lazy("Minimum bribe for uncontested applicants"),
}

VALUE_LABELS: Final = {
    "sequential": pgettext_lazy("bribing", "one after another, openly"),
    "simultaneous": pgettext_lazy("bribing", "sealed, all at once (faster, but a different game)"),
    "False": gettext_lazy("no"),
    "True": gettext_lazy("yes"),
    "ascending": pgettext_lazy("order of conflicts", "lowest first"),
    "descending": pgettext_lazy("order of conflicts", "highest first"),
    "required": pgettext_lazy("the resident's bribe", "must be paid"),
    "optional": pgettext_lazy("the resident's bribe", "optional"),
    "any": pgettext_lazy("attackers", "any of them"),
    "highest": pgettext_lazy("attackers", "only the highest bribe"),
    "bank": pgettext_lazy("who cannot pay", "the bank pays the rest"),
    "free": pgettext_lazy("promises", "can be broken"),
    "binding": pgettext_lazy("promises", "binding once accepted"),
    "debt": pgettext_lazy("who cannot pay", "the player goes into debt"),
}

PRESS_LABELS: Final = {
    "private": gettext_lazy("In public and privately"),
    "public": gettext_lazy("Only in public: everyone can read everything"),
    "none": gettext_lazy("No messages, only offers"),
}

THREADS_SHOWN: Final = {
    False: gettext_lazy("nobody else knows"),
    True: gettext_lazy("everyone sees who talks with whom"),
}

THREADS_PUBLISHED: Final = {
    False: gettext_lazy("stay private"),
    True: gettext_lazy("can be read by everyone"),
}

PROMISES_COUNT: Final = {
    True: gettext_lazy("are included in the players' profiles"),
    False: gettext_lazy("stay at this table"),
}

COMPUTER_PLAYERS_ALLOWED: Final = {
    True: gettext_lazy("may take free seats when the host starts the game"),
    False: gettext_lazy("none: the game starts when the table is full"),
}

NEWCOMERS: Final = {
    True: pgettext_lazy("newcomers", "are welcome"),
    False: pgettext_lazy("newcomers", "can't take a seat"),
}

LANGUAGE_NAMES: Final = {
    "en": pgettext_lazy("language", "English"),
    "de": pgettext_lazy("language", "German"),
    "ru": pgettext_lazy("language", "Russian"),
}

COMPUTER_PLAYER_NAMES: Final = {
    "default": pgettext_lazy("computer player", "default"),
    "random": pgettext_lazy("computer player", "random"),
    "courtier": pgettext_lazy("computer player", "courtier"),
    "teacher": pgettext_lazy("computer player", "teacher"),
}

COMPUTER_PLAYER_LABELS: Final = {
    "default": gettext_lazy("default: always plays the default move"),
    "random": gettext_lazy("random: plays random legal moves"),
    "courtier": gettext_lazy("courtier: plays to win"),
}


def computer_player_name(computer_player: str) -> str:
    """The name of a computer player: "courtier"; of one that this release doesn't know, its key."""
    return str(COMPUTER_PLAYER_NAMES.get(computer_player, computer_player))


def language_name(language: str) -> str:
    """The name of a language of the site in the reader's own; "" for any other."""
    return str(LANGUAGE_NAMES.get(language, ""))


def option_text(name: str, value: OptionValue) -> str:
    """An option of the rules: "Rounds: 3"; one that this release doesn't know as it is stored."""
    option = OPTION_LABELS.get(name, name)
    return _("{option}: {value}").format(option=option, value=value_text(value))


def value_text(value: OptionValue) -> str:
    """The value of an option; one that this release doesn't know as it is stored."""
    label = VALUE_LABELS.get(str(value))
    return str(label or (money(value) if type(value) is int else value))


def is_sealed(edition: str, options: Options) -> bool:
    """Whether all bribes are paid at once at a table, and not one after another."""
    return options.get("bribing", EDITIONS[edition].bribing) == "simultaneous"


def bribing_text(edition: str, options: Options) -> str:
    """How bribes are paid at a table, as a sentence."""
    if is_sealed(edition, options):
        return _("Bribes are submitted sealed and revealed all at once.")
    return _("Bribes are paid openly, one after another.")


def time_text(length: int | timedelta) -> str:
    """A length of time, or of so many seconds: "24 hours", "2 days", "5 minutes"."""
    seconds = int(length.total_seconds()) if isinstance(length, timedelta) else length
    for unit, of_one in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds % of_one == 0 and (unit != "day" or seconds > of_one):
            return counted(seconds // of_one, unit)
    return counted(seconds, "second")


time_text_lazy = lazy(time_text, str)


def counted(number: int, unit: str) -> str:
    """A length of time in days, hours, minutes or seconds: "1 hour", "2 hours"."""
    match unit:
        case "day":
            text = ngettext("{count} day", "{count} days", number)
        case "hour":
            text = ngettext("{count} hour", "{count} hours", number)
        case "minute":
            text = ngettext("{count} minute", "{count} minutes", number)
        case "second":
            text = ngettext("{count} second", "{count} seconds", number)
        case _:
            raise ValueError(f"No words for the unit {unit!r}.")
    return text.format(count=number)


def length_text(length: timedelta) -> str:
    """About how long a game takes: "A game takes about 3 weeks."."""
    hours, days = round(length / timedelta(hours=1)), round(length / timedelta(days=1))
    weeks, months = round(days / 7), round(days / 30)
    if hours < 48:
        count = max(1, hours)
        text = ngettext(
            "A game takes about {count} hour.", "A game takes about {count} hours.", count
        )
    elif days < 14:
        count = days
        text = ngettext(
            "A game takes about {count} day.", "A game takes about {count} days.", count
        )
    elif days < 60:
        count = weeks
        text = ngettext(
            "A game takes about {count} week.", "A game takes about {count} weeks.", count
        )
    else:
        count = months
        text = ngettext(
            "A game takes about {count} month.", "A game takes about {count} months.", count
        )
    return text.format(count=count)


def pace_text(
    seconds: int, no_play_days: Collection[int], fixed_hour: int | None, zone: str
) -> str:
    """How long a move may take.

    "24 hours per move, not counting Saturday and Sunday, with deadlines at 20:00 Europe/Vienna".
    What are no weekdays, in a broken row, is left out.
    """
    no_play_days = [day for day in sorted(no_play_days) if day in range(len(WEEKDAYS))]
    text = _("{time} per move")
    if no_play_days and fixed_hour is not None:
        text = _("{time} per move, not counting {days}, with deadlines at {hour} {zone}")
    elif no_play_days:
        text = _("{time} per move, not counting {days} ({zone})")
    elif fixed_hour is not None:
        text = _("{time} per move, with deadlines at {hour} {zone}")
    return text.format(
        time=time_text(seconds),
        days=listed(str(WEEKDAYS[day]) for day in no_play_days) if no_play_days else "",
        hour="" if fixed_hour is None else hour_text(fixed_hour),
        zone=zone,
    )


def share_text(percent: int) -> str:
    """A share that is asked for: "at least 90%"."""
    return _("at least {percent}%").format(percent=percent)


share_text_lazy = lazy(share_text, str)


def hour_text(hour: int) -> str:
    """An hour of the day: "08:00"."""
    return f"{hour:02}:00"
