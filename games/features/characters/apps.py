from games import extensions


class Characters(extensions.Feature):
    name = "games.features.characters"
    urls = "games.features.characters.urls"
    links = {"portrait of a character": "portrait"}
