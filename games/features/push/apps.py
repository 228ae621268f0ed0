from games import extensions

HERE = "games.features.push"


class Push(extensions.Feature):
    name = HERE
    urls = f"{HERE}.urls"
    parts = {"head": f"{HERE}.views.head", "notifications": f"{HERE}.views.section"}
    channel = f"{HERE}.channel.PUSH"
    work = (extensions.Work(f"{HERE}.delivery.is_any_waiting", f"{HERE}.tasks.push"),)
    waiting = f"{HERE}.delivery.waiting"
    outdated = f"{HERE}.delivery.outdated"
    findings = f"{HERE}.keys.findings"

    def ready(self) -> None:
        from games.features.push import receivers  # noqa: F401 (importing connects them)
