from games import extensions


class Guide(extensions.Feature):
    name = "games.features.guide"
    urls = "games.features.guide.urls"
    links = {"first game": "first_game"}
    parts = {"game": "games.features.guide.panel.panel"}
