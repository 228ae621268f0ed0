from django.utils.translation import gettext_lazy

from games import extensions

VIEWS = "games.features.previews.views"


class Previews(extensions.Feature):
    name = "games.features.previews"
    admin_pages = (
        extensions.AdminPage(
            "emails/",
            f"{VIEWS}.emails",
            "email_previews",
            gettext_lazy("Emails with sample content"),
            of_site=True,
        ),
        extensions.AdminPage(
            "emails/<slug:kind>/<slug:language>/", f"{VIEWS}.email", "email_preview"
        ),
        extensions.AdminPage(
            "emails/<slug:kind>/<slug:language>/html/", f"{VIEWS}.email_html", "email_preview_html"
        ),
    )
