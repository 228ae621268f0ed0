"""Names of people and tables in email."""

from django.template import Library

from games.markup.names import named, with_names
from games.presentation.text.direction import isolated

register = Library()
register.filter("named", named)
register.filter("with_names", with_names)
register.filter("isolated", isolated)
