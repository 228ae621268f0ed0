from games import extensions


class Calendar(extensions.Feature):
    name = "games.features.calendar"
    urls = "games.features.calendar.urls"
    parts = {"notifications": "games.features.calendar.views.section"}
