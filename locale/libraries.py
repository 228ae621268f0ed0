"""Sentences of Django and django-allauth that need another translation than theirs, or have none.

Never imported: `bin/messages` finds them here.
"""

from django.utils.translation import gettext_noop as _

# In an instant, "чт 26 ноября": Django's Russian writes the days of the week with a capital.
_("Mon")
_("Tue")
_("Wed")
_("Thu")
_("Fri")
_("Sat")
_("Sun")
