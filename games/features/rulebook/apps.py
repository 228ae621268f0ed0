from games import extensions


class Rulebook(extensions.Feature):
    name = "games.features.rulebook"
    urls = "games.features.rulebook.urls"
    links = {
        "rules": "rules",
        "rules of an edition": "edition_rules",
        "rules of a table": "table_rules",
    }
