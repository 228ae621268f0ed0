"""A scheduler of beat in which the wish to end is lost, as within the reply of a broker."""

import os
import signal
import sys
from contextlib import suppress
from typing import Any

from celery.beat import Scheduler


class Deaf(Scheduler):
    ticks = 0

    def tick(self, *_arguments: Any, **_more: Any) -> float:
        Deaf.ticks += 1
        if Deaf.ticks > 2:
            sys.stdout.write("still here\n")
            sys.stdout.flush()
            os._exit(1)
        with suppress(SystemExit):
            os.kill(os.getpid(), signal.SIGTERM)
        return 0.01
