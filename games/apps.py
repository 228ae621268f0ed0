"""The app as Django loads it."""

from django.apps import AppConfig


class Games(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games import checks  # noqa: F401 (importing registers them)
