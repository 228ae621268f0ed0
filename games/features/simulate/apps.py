from games import extensions


class Simulate(extensions.Feature):
    name = "games.features.simulate"
