from games import extensions

HERE = "games.features.live"


class Live(extensions.Feature):
    name = HERE
    parts = {"head": f"{HERE}.page.head"}
    serve = f"{HERE}.publisher.connect"
    findings = f"{HERE}.findings.findings"
    findings_by_web = f"{HERE}.findings.findings_by_web"
