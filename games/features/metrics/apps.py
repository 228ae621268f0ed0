from games import extensions


class Metrics(extensions.Feature):
    name = "games.features.metrics"
