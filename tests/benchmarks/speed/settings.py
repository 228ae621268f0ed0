"""The settings of production; only the files for browsers are collected in a folder of our own."""

import os

from intrigue_site.settings import *  # noqa: F403

STATIC_ROOT = os.environ["BENCH_STATIC"]
