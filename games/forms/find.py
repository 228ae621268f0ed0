"""What somebody looks for in the lists of tables."""

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy

from games.presentation.text.nouns import EDITION_NAMES
from games.services.lobby.lists import PACE_NAMES, Pace, Wanted

ANY = ("", gettext_lazy("any"))


class FindForm(forms.Form):
    """An edition, a pace and a language, or any. Any other value in an address counts as any."""

    edition = forms.ChoiceField(
        label=gettext_lazy("Edition"), choices=[ANY, *EDITION_NAMES.items()], required=False
    )
    pace = forms.ChoiceField(
        label=gettext_lazy("Pace"), choices=[ANY, *PACE_NAMES.items()], required=False
    )

    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        choices=[ANY, *settings.LANGUAGES],
        required=False,
    )

    @property
    def wants_anything(self) -> bool:
        """Whether nothing in particular is looked for."""
        return self.wanted == Wanted()

    @property
    def wanted(self) -> Wanted:
        self.full_clean()
        pace = self.cleaned_data.get("pace")
        return Wanted(
            edition=self.cleaned_data.get("edition", ""),
            pace=Pace(pace) if pace else None,
            language=self.cleaned_data.get("language", ""),
        )
