from games import extensions

HERE = "tests.features.tiny"


class Tiny(extensions.Feature):
    name = HERE
    parts = dict.fromkeys(
        ("home", "tables", "lobby", "game", "person", "profile", "notifications"),
        f"{HERE}.here.part",
    )
    game_over = f"{HERE}.here.game_over"
    channel = f"{HERE}.here.PIGEON"
