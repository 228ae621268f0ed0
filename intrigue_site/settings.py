"""All settings. What differs between installations comes from the environment.

docs/settings.md says what each variable means. What a feature alone needs is in its settings.py.
"""

from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import environ
from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP
from kombu import Queue
from kombu.transport import TRANSPORT_ALIASES

from intrigue_site import release
from intrigue_site.email_service import events_by, mail_server, service_at
from intrigue_site.environment import flag, number, secret, text

env = environ.Env()


def listed(variable: str) -> list[str]:
    """The names in a variable, with commas between, and spaces where people like them."""
    return [name.strip() for name in env.list(variable, default=[]) if name.strip()]


def host_of(site: str) -> str:
    """The host in the address of the site, which has nothing but a scheme, a host and a port."""
    with suppress(ValueError):
        parts = urlsplit(site)
        _ = parts.port
        bare = {f"{scheme}://{parts.netloc}" for scheme in ("http", "https")}
        if parts.hostname and "@" not in parts.netloc and site in bare:
            return parts.hostname
    raise ImproperlyConfigured(
        "SITE_URL must be the address of the site and nothing more, such as "
        f"https://intrigue.example.org, not {site}."
    )


BASE_DIR = Path(__file__).resolve().parent.parent
LEGAL_DIR = text("LEGAL_DIR")
VAR_DIR = Path(text("VAR_DIR", str(BASE_DIR / "var")))
VERSION = release.VERSION
COMMIT = release.COMMIT
WORKS_WITH = release.WORKS_WITH

DEBUG = flag("DEBUG")
DEMO = flag("DEMO")
HTTPS = not (DEBUG or DEMO)
# Browsers take such cookies over https and from this very host only, never from a neighbouring one.
COOKIE_PREFIX = "__Host-" if HTTPS else ""

# Tools such as `adjudicate` need no key; what serves people refuses to start without a strong one.
SECRET_KEY = secret("SECRET_KEY")
SITE_URL = text("SITE_URL", "http://localhost:8000").rstrip("/")
SITE_HOST = host_of(SITE_URL)

# As secret as SECRET_KEY. Push services may turn to the contact.
PUSH_KEY = secret("PUSH_KEY")
PUSH_CONTACT = SITE_URL if SITE_URL.startswith("https://") else f"mailto:intrigue@{SITE_HOST}"
# Push services in one's own network, which are at no public address: their ports by host name.
PUSH_PRIVATE_HOSTS: dict[str, int] = {}
ALLOWED_HOSTS = listed("ALLOWED_HOSTS") or [SITE_HOST]
CSRF_TRUSTED_ORIGINS = [SITE_URL]

# In the order in which their parts stand on a page.
FEATURES = (
    "live",
    "push",
    "calendar",
    "characters",
    "charts",
    "crests",
    "duplicates",
    "export",
    "guide",
    "inbound",
    "metrics",
    "pictures",
    "previews",
    "provider",
    "questions",
    "rulebook",
    "sentry",
    "simulate",
)
FEATURES_OFF = listed("FEATURES_OFF")
if unknown := set(FEATURES_OFF).difference(FEATURES):
    raise ImproperlyConfigured(
        f"FEATURES_OFF: there is no {', '.join(sorted(unknown))}, only {', '.join(FEATURES)}."
    )

FEATURES_ON = [f"games.features.{name}" for name in FEATURES if name not in FEATURES_OFF]

INSTALLED_APPS = [
    "games",
    *FEATURES_ON,
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",  # its tables, also without the feature that fills them
    "allauth.usersessions",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "django.forms",
]

MIDDLEWARE = [
    "games.edge.RequestId",
    "games.probed.Probed",
    "games.middleware.OwnPort",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Pages; the files above are compressed when they are collected. The token against forged
    # requests is masked anew for each page, so compressing it tells nothing (BREACH). Django adds
    # up to 100 random bytes, which only hampers comparing lengths: somebody who sees the
    # traffic and makes a player load one page very often could in theory tell how well what they
    # wrote in the chat matches the rest of the page. Pages are a fifth as long for it.
    "django.middleware.gzip.GZipMiddleware",
    "games.edge.SoundBody",
    "games.edge.NotStored",
    "games.edge.OnlyLooking",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "games.unavailable.Upgrading",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "games.middleware.OwnLanguage",
    "games.middleware.LastingSession",
    "games.middleware.StaffSecondFactor",
    "games.middleware.Gate",
    "games.middleware.EmailIsDown",
    "games.maintenance.ReadOnly",
    "games.unavailable.Unavailable",
]

ROOT_URLCONF = "intrigue_site.urls"
# The site lies at the root of its host, whatever a header says: addresses that were made in one
# request are remembered for others (games/markup/environment.py).
FORCE_SCRIPT_NAME = ""
WSGI_APPLICATION = "intrigue_site.wsgi.application"

_CONTEXT_PROCESSORS = [
    "django.template.context_processors.request",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
    "games.context.csrf_input",
    "games.context.waiting",
    "games.context.site_news",
    "games.context.legal_pages",
    "games.context.about_sign_ins",
    "games.context.server_time",
    "games.context.site_url",
    "games.context.table_title",
    "games.context.theme",
    "games.context.watching",
]

# Pages and email are Jinja2's; what Django and allauth bring along is Django's.
TEMPLATES = [
    {
        "NAME": "pages",
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates" / "pages"],
        "APP_DIRS": True,
        "OPTIONS": {
            "environment": "games.markup.environment.environment",
            "context_processors": _CONTEXT_PROCESSORS,
        },
    },
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": _CONTEXT_PROCESSORS,
        },
    },
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"


def database_at(address: str, variable: str) -> dict[str, object]:
    """Django's settings for the database at this address, which stood in the variable."""
    with suppress(ValueError):
        if urlsplit(address).scheme in {"postgresql", "postgres"}:
            return {"OPTIONS": {}, **environ.Env.db_url_config(address)}
    # Without the address itself, which may have a password.
    example = "postgresql://intrigue:PASSWORD@HOST:5432/intrigue"
    raise ImproperlyConfigured(f"{variable} must be an address such as {example}.")


# The database. The services open their own transactions: one for each thing that happens. Its time
# limits are set by `manage.py migrate`, for the role (games/services/timeouts.py).
direct = secret("DATABASE_DIRECT_URL")
DATABASE_DIRECT = database_at(direct, "DATABASE_DIRECT_URL") if direct else {}
DATABASES = {
    "default": {
        **database_at(secret("DATABASE_URL") or "postgresql://localhost/intrigue", "DATABASE_URL"),
        "ATOMIC_REQUESTS": False,
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        # A pooler may give each transaction another connection: no cursor outlives one.
        "DISABLE_SERVER_SIDE_CURSORS": True,
    },
}
# Planning takes PostgreSQL longer than answering, so each connection prepares what it asks often.
# Not behind a pooler, which may give each transaction another connection.
BINDING = {"server_side_binding": True, "prepare_threshold": None if direct else 5}
DATABASES["default"]["OPTIONS"] |= BINDING  # type: ignore[operator]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Limits on signing in are counted here, for all web processes together; also while the broker is
# away. Nothing else is kept in it (django-allauth knows no other cache), and what counts is never
# dropped. A migration makes the table. How the site stands is read for every page: each process
# remembers it for a few seconds.
CACHES: dict[str, dict[str, object]] = {
    "default": {
        "BACKEND": "intrigue_site.limits.LimitsCache",
        "LOCATION": "cache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
    "process": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "TIMEOUT": 5},
}

# Language and time. Instants are kept in UTC; everybody reads them in their own zone.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("ru", "Русский")]
LOCALE_PATHS = [BASE_DIR / "locale"]
# Who is signed in keeps the choice in their profile, everybody else in this cookie.
LANGUAGE_COOKIE_NAME = f"{COOKIE_PREFIX}django_language"
THEME_COOKIE_NAME = f"{COOKIE_PREFIX}theme"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
USE_TZ = True
TIME_ZONE = text("TIME_ZONE", "UTC")
try:
    ZoneInfo(TIME_ZONE)
except (ZoneInfoNotFoundError, OSError, ValueError):
    raise ImproperlyConfigured(
        f"TIME_ZONE must be the name of a time zone, such as Europe/Berlin, not {TIME_ZONE}."
    ) from None
# A link that somebody wrote without its scheme is taken for https.
URLIZE_ASSUME_HTTPS = True

# Files for browsers.
STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles" if HTTPS else None
# Where nothing is collected, the files are served from where they lie.
WHITENOISE_USE_FINDERS = not HTTPS
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if HTTPS
        else "django.contrib.staticfiles.storage.StaticFilesStorage",
    },
}

# People. A session outlasts a game: it ends after four months without a visit.
AUTH_USER_MODEL = "games.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "games:home"
LOGOUT_REDIRECT_URL = "games:home"
# Before somebody signs in a session lasts an hour.
SESSION_ENGINE = "games.session_store"
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid"
SESSION_COOKIE_AGE = 120 * 24 * 3600
# games.middleware.LastingSession prolongs it once a day, instead of a write with every request.
SESSION_SAVE_EVERY_REQUEST = False

ACCOUNT_ADAPTER = "games.accounts.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "games.forms.account.SignInForm",
    "signup": "games.forms.account.SignUpForm",
    "change_email": "games.forms.account.MistypedAddressForm",
    "request_login_code": "games.forms.account.SignInCodeForm",
    "reset_password": "games.forms.account.ForgottenPasswordForm",
    "add_email": "games.forms.account.OwnAddressForm",
}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_CHANGE = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
# How long the codes are valid, as their emails say. Each can be tried three times.
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = 15 * 60
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 3 * 60
ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = 3 * 60
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_CHANGE_EMAIL = True
# The owner of an account gets email about each change to it that another could have made.
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_RATE_LIMITS: dict[str, str] | bool = {
    # How many codes and the like one address is emailed, at anybody's request (games/accounts.py),
    # and how many at that of somebody signed in there before, which no stranger can use up.
    "mail": "3/m/key,20/d/key",
    "email_known": "5/h/key",
    # So these are counted by address there, and only by the client here.
    "request_login_code": "20/m/ip",
    "reset_password": "20/m/ip",
    # What is typed by somebody signed out is kept (games/views/resend.py): a row for each.
    "keep_typed": "30/10m/ip",
    # Guests, who try a first game without an account; a school has one address.
    "guest": "60/d/key",
    # Questions to the moderators from people without an account, by network.
    "question": "5/h/key,20/d/key",
    # Names that are completed while one types: few letters are asked for at a time.
    "complete_names": "60/m/key,1000/d/key",
    # Of each emailed code three guesses are counted before they are compared, however many at once.
    "guess_code": "3/h/key",
}
MFA_ADAPTER = "games.accounts.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_FORMS = {
    "authenticate": "games.forms.account.SecondFactorForm",
    "reauthenticate": "games.forms.account.SecondFactorAgainForm",
    "add_webauthn": "games.forms.passkeys.AddPasskeyForm",
    "edit_webauthn": "games.forms.passkeys.RenamePasskeyForm",
    "login_webauthn": "games.forms.passkeys.PasskeySignInForm",
    "authenticate_webauthn": "games.forms.passkeys.PasskeyForm",
    "reauthenticate_webauthn": "games.forms.passkeys.PasskeyAgainForm",
}
# A passkey is one because the device asks for a finger, a face or a PIN.
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_USER_VERIFICATION = "required"
# Signing in with a passkey takes two requests, a school has one address, and nothing is guessed.
MFA_RATE_LIMITS: dict[str, str] | bool = {"webauthn_login": "60/m/ip"}
MFA_TOTP_ISSUER = "Intrigue"
# A clock of a phone that is a little off is no reason to keep somebody out.
MFA_TOTP_TOLERANCE = 1
# In the demo a visitor looks at the admin without an authenticator app.
STAFF_NEED_SECOND_FACTOR = not DEMO
SIGN_UP = text("SIGN_UP", "open")
if SIGN_UP not in {"open", "invited"}:
    raise ImproperlyConfigured("SIGN_UP must be open or invited.")
# Who may find games and watch them, and whether search engines may list what they find.
WATCHING = text("WATCHING", "members" if SIGN_UP == "invited" else "anyone")
if WATCHING not in {"anyone", "members"}:
    raise ImproperlyConfigured("WATCHING must be anyone or members.")
ROBOTS = flag("ROBOTS")
# Pages of tables for one network, in each process, and lists of tables; an open page of a game asks
# twice a minute.
WATCHED_A_MINUTE = 240
LISTED_A_MINUTE = 60
ALLAUTH_TRUSTED_PROXY_COUNT = number("TRUSTED_PROXIES", 0, least=0, most=9)

# Security. Whether sub-domains and the browsers' preload lists follow is the domain owner's choice.
SECURE_CSP = {
    "default-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
}
SECURE_SSL_REDIRECT = HTTPS
# Whoever watches the server asks it directly, not by the proxy that speaks https.
SECURE_REDIRECT_EXEMPT = [r"^health/$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrftoken"
CSRF_COOKIE_SECURE = HTTPS
DEVICE_COOKIE_NAME = f"{COOKIE_PREFIX}device"
CSRF_FAILURE_VIEW = "games.views.errors.csrf_failure"
X_FRAME_OPTIONS = "DENY"
if ALLAUTH_TRUSTED_PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# What is sent to the site: forms of text, the longest of which is a player's notes. Files of a form
# are read into memory at most, and no page asks for one.
DATA_UPLOAD_MAX_MEMORY_SIZE = 500_000
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]

# The log goes to stderr: warnings and errors of web, worker, beat and commands. Django's warnings
# about single requests, such as for a page that does not exist, stay out: the proxy logs those.
# JSON is for machines, which get a line for each request, too.
LOG_FORMAT = text("LOG_FORMAT", "text")
if LOG_FORMAT not in {"text", "json"}:
    raise ImproperlyConfigured("LOG_FORMAT must be text or json.")
LOG_LINE = "games.logs.JsonLine" if LOG_FORMAT == "json" else "games.logs.Line"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": LOG_LINE}},
    "filters": {"once_a_minute": {"()": "games.logs.OnceAMinute"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["once_a_minute"],
        },
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": [], "level": "WARNING"},
        "django.request": {"level": "ERROR"},
        # It warns of each HEAD, such as of those who watch the site: Django leaves the body to it.
        "gunicorn.http.wsgi": {"level": "ERROR"},
        "games.requests": {"level": "INFO" if LOG_FORMAT == "json" else "WARNING"},
        # The live process says by it that it has started: in the format of all lines.
        "uvicorn": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
    },
}

# Mail.
DEFAULT_FROM_EMAIL = text("MAIL_FROM", f"Intrigue <intrigue@{SITE_HOST}>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
MAIL_BOUNCES = text("MAIL_BOUNCES")
EMAIL_URL = secret("EMAIL_URL")
EMAIL_SERVICE = (
    service_at(EMAIL_URL, bounces=MAIL_BOUNCES)
    if EMAIL_URL
    else mail_server(
        host=text("SMTP_HOST", "localhost"),
        port=number("SMTP_PORT", 25, least=1, most=65535),
        user=text("SMTP_USER"),
        password=secret("SMTP_PASSWORD"),
        security=text("SMTP_SECURITY", "none"),
        bounces=MAIL_BOUNCES,
    )
)
if DEMO:
    MAILERS = {
        "default": {
            "BACKEND": "django.core.mail.backends.filebased.EmailBackend",
            "OPTIONS": {"file_path": str(VAR_DIR / "mail")},
        },
    }
else:
    MAILERS = {"default": EMAIL_SERVICE.mailer}
# A service that knows this is believed what it reports (games/views/email_webhooks.py).
EMAIL_EVENTS_SECRET = secret("EMAIL_EVENTS_SECRET")
ANYMAIL = events_by(EMAIL_SERVICE.kind, EMAIL_EVENTS_SECRET)

# The clock and email. What is due stands in the database: a message only nudges, and a lost or
# a surplus one does no harm. None of them has an `expires`, which compares the clocks of machines,
# but those that only make email leave sooner: they must not pile up while no worker runs
# (games/wake.py).
SWEEP_SECONDS = number("SWEEP_SECONDS", 5.0, least=0.1, most=3600.0)
CELERY_BROKER_URL = secret("CELERY_BROKER_URL") or "redis://localhost:6379/0"
if urlsplit(CELERY_BROKER_URL).scheme not in TRANSPORT_ALIASES:
    raise ImproperlyConfigured(
        "CELERY_BROKER_URL must be an address such as redis://:PASSWORD@localhost:6379/0."
    )
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 600,
    # Without a limit, a publish to a hung broker would hold the web request for ever.
    "socket_timeout": 5,
    "socket_connect_timeout": 2,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CHANNEL_ERROR_RETRY = True  # one that is full refuses to write; the worker waits
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SOFT_TIME_LIMIT = 60
CELERY_TASK_TIME_LIMIT = 120
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 30.0
# The queues of the tasks, and the work of each. A worker serves all, but for --queues.
QUEUES = {"celery": "advances games", "mail": "sends and reads email"}
CELERY_TASK_QUEUES = [Queue(name, routing_key=name) for name in QUEUES]
CELERY_TASK_ROUTES = {
    "games.tasks.mail": {"queue": "mail"},
    # Neither a slow push service, nor a large export, nor what others wrote holds up the clock.
    "games.features.*": {"queue": "mail"},
}
# One process for the clock while another sends email, unless --concurrency says otherwise.
CELERY_WORKER_CONCURRENCY = 2
CELERY_IMPORTS = ["intrigue_site.worker_looks"]
CELERY_WORKER_CONSUMER = "intrigue_site.worker_consumer:LastingConsumer"
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
# Kept in memory, since every entry is a plain interval: no file, and any number of beats may run.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "games.tasks.sweep", "schedule": SWEEP_SECONDS},
    # However rare the sweeps are, a mail server that was away is tried every minute.
    "mail": {"task": "games.tasks.mail", "schedule": min(SWEEP_SECONDS, 60.0)},
    # So often that email of a sender that died leaves within ten seconds.
    "email of dead senders": {
        "task": "games.tasks.mail",
        "schedule": min(SWEEP_SECONDS, 2.0),
        "options": {"expires": 3600.0},
    },
    # Every hour, though a day would do: a clock that is started anew counts from its start.
    "trim": {"task": "games.tasks.trim", "schedule": 3600.0},
}

# What features with settings of their own add to these.
for feature in FEATURES_ON:
    if find_spec(f"{feature}.settings"):
        import_module(f"{feature}.settings").add_to(globals())
