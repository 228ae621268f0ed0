from games import extensions

STAYS = frozenset({extensions.Case.ADDRESS, extensions.Case.SECOND_FACTOR})


class Calendar(extensions.Feature):
    name = "games.features.calendar"
    urls = "games.features.calendar.urls"
    parts = {"notifications": "games.features.calendar.views.section"}
    ways_in = (extensions.WayIn("games.features.calendar.feed.turn_off", STAYS),)
