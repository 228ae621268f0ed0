from django.conf import settings

from games import extensions


class Sentry(extensions.Feature):
    name = "games.features.sentry"

    def ready(self) -> None:
        """Every process sends what breaks in it, from here on."""
        if dsn := str(settings.SENTRY_DSN):  # type: ignore[misc] # mypy can't see it
            from games.features.sentry import events

            events.send_to(dsn)
