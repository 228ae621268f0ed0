from games import extensions


class Charts(extensions.Feature):
    name = "games.features.charts"
    urls = "games.features.charts.urls"
    links = {"charts": "charts"}
