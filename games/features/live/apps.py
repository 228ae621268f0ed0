from games import extensions

HERE = "games.features.live"


class Live(extensions.Feature):
    name = HERE
    parts = {"head": f"{HERE}.page.head"}
    serve = f"{HERE}.publisher.connect"
    findings = f"{HERE}.publisher.findings"
