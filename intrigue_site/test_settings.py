"""The settings of the tests: those of the site, without https and without slow passwords.

The database and the broker get their addresses from fixtures, see tests/conftest.py.
"""

import os

# Past a pooler is a site, and no database of a test: neither here nor in a process of a test.
os.environ.pop("DATABASE_DIRECT_URL", None)

from intrigue_site.settings import *  # noqa: F403

SECRET_KEY = "a key for the tests only, which nobody has to keep secret, 0123456789"  # noqa: S105
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]

SECURE_SSL_REDIRECT = False
SESSION_COOKIE_SECURE = False
CSRF_COOKIE_SECURE = False
# Browsers take cookies with the prefix __Host- over https only.
SESSION_COOKIE_NAME = "sessionid"
CSRF_COOKIE_NAME = "csrftoken"
LANGUAGE_COOKIE_NAME = "django_language"
THEME_COOKIE_NAME = "theme"
DEVICE_COOKIE_NAME = "device"

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STATIC_ROOT = None
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# What a process remembers is forgotten between tests (tests/conftest.py), never during a slow one.
LOCMEM = "django.core.cache.backends.locmem.LocMemCache"
CACHES = CACHES | {"process": {"BACKEND": LOCMEM, "TIMEOUT": None}}  # noqa: F405
# The limits are tested where they are the subject; elsewhere they would depend on the other tests.
ACCOUNT_RATE_LIMITS = False
MFA_RATE_LIMITS = False
WATCHED_A_MINUTE = LISTED_A_MINUTE = 1_000_000
# So is the second factor of moderators.
STAFF_NEED_SECOND_FACTOR = False
