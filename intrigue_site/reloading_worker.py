"""A Celery worker for developers, which starts anew when code changes."""

from django.utils import autoreload

from intrigue_site.celery import app


def work() -> None:
    # One process only: it runs beside the thread that watches the files.
    app.worker_main(["worker", "--pool", "solo", "--loglevel", "info", "--without-mingle"])


if __name__ == "__main__":
    autoreload.run_with_reloader(work)
