"""What moderators may do about two accounts that may be one person's."""

from typing import Final

from django.utils.translation import gettext_lazy

from games.admin.actions.row import Action
from games.features.duplicates.decisions import clear_pair
from games.features.duplicates.forms import ClearForm

ON_PAIRS: Final = (
    Action(
        "pair.clear",
        gettext_lazy("Dismiss a possible duplicate account"),
        gettext_lazy("It's fine for these two to share a browser. Nobody is notified."),
        gettext_lazy("{whom} are no longer listed as a possible duplicate. Nobody is notified."),
        ClearForm,
        clear_pair,
    ),
)
