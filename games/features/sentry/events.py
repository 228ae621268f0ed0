"""What breaks, as a Sentry gets it: no more than the log says (games/logs.py).

It gets what is logged as an error, and what ends a process. Of each event only what is named here
leaves: neither request nor person, no local variables, nothing of the machine; and all words of
exceptions and messages are cleaned as in the log.
"""

import logging
from typing import Any, Final

import sentry_sdk
from django.conf import settings
from sentry_sdk.integrations.atexit import AtexitIntegration
from sentry_sdk.integrations.dedupe import DedupeIntegration
from sentry_sdk.integrations.excepthook import ExcepthookIntegration
from sentry_sdk.integrations.logging import LoggingIntegration
from sentry_sdk.types import Event, Hint

from games import logs

OF_EVENTS: Final = ("event_id", "timestamp", "level", "platform", "release", "logger")
OF_FRAMES: Final = (
    "filename", "module", "function", "lineno", "in_app",
    "context_line", "pre_context", "post_context",
)  # fmt: skip

ONCE_A_MINUTE: Final = logs.OnceAMinute()


def send_to(dsn: str) -> None:
    """Send what breaks in this process to this address, from now on."""
    sentry_sdk.init(
        dsn=dsn,
        release=settings.VERSION,
        before_send=stripped,
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[
            LoggingIntegration(level=None, event_level=logging.ERROR),
            ExcepthookIntegration(),
            DedupeIntegration(),
            AtexitIntegration(callback=lambda _pending, _timeout: None),
        ],
        include_local_variables=False,
        send_default_pii=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        send_client_reports=False,
    )


def stripped(event: Event, hint: Hint) -> Event | None:
    """The event with nothing secret; None if it says nothing new, or is no fault of the site."""
    record = hint.get("log_record")
    work = logs.current.get()
    if record is not None:
        if getattr(record, "status_code", 500) < 500 or not ONCE_A_MINUTE.filter(record):
            return None
        work = logs.work_of(record)
    secrets = logs.secrets_of(work.request)
    sent: dict[str, Any] = {key: event[key] for key in OF_EVENTS if key in event}
    sent["tags"] = {"request": work.id}
    match = work.request.resolver_match if work.request is not None else None
    if match is not None:
        sent["transaction"] = match.view_name
    if record is not None:
        sent["logentry"] = {"formatted": logs.cleaned(record.getMessage(), secrets)}
    if "exception" in event:
        failures = event["exception"]["values"]
        sent["exception"] = {"values": [_failure(failure, secrets) for failure in failures]}
    return sent  # type: ignore[return-value]


def _failure(failure: dict[str, Any], secrets: list[str]) -> dict[str, Any]:
    """An exception or one of its causes."""
    trace = failure.get("stacktrace") or {}
    return {
        "type": failure.get("type"),
        "module": failure.get("module"),
        "value": logs.cleaned(str(failure.get("value") or ""), secrets),
        "stacktrace": {
            "frames": [
                {key: frame[key] for key in OF_FRAMES if key in frame}
                for frame in trace.get("frames", [])
            ]
        },
    }
