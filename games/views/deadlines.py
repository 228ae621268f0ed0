"""How deadlines work, for players: one page, open to everybody."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.forms.table import MOVE_TIMES
from games.models import Game
from games.presentation.text.tables import time_text_lazy
from games.services.accounts import guests
from games.services.game import absence, deadlines, extra_time, tally
from games.services.lobby.settings import MOST_TALK, ONE_HOUR, TableSettings
from games.views.access import GUESTS, OWING, open_to

NUMBERS: Final = {
    **MOVE_TIMES,
    **absence.RULE._asdict(),
    "share": round(100 * deadlines.REMIND_AT),
    "again": time_text_lazy(deadlines.REMIND_AGAIN),
    "days_off": TableSettings.days_off,
    "yes": tally.LEAST_YES,
    "times": extra_time.MOST_TIMES,
    "talk": MOST_TALK // ONE_HOUR,
    "given_up": Game.LONGEST_DORMANCY.days,
    "kept": guests.KEPT_FOR.days,
}
"""What the site keeps to, by its name in the sentences."""


@open_to(GUESTS, *OWING)
@require_safe
def how_deadlines_work(request: HttpRequest) -> HttpResponse:
    """Everything a player has to know about time."""
    return render(request, "site/deadlines.html", NUMBERS)
