from games import extensions


class Pictures(extensions.Feature):
    name = "games.features.pictures"
    urls = "games.features.pictures.urls"
    links = {
        "picture of the site": "site_card",
        "picture of a table": "picture",
        "picture of an invitation": "invitation_picture",
    }
