from games import extensions


class Crests(extensions.Feature):
    name = "games.features.crests"
    urls = "games.features.crests.urls"
    links = {"own crest": "crest", "picture of a crest": "crest_picture"}
    crest_of = "games.features.crests.heraldry.crest_of"
    parts = {"report_in_admin": "games.features.crests.views.as_reported"}
