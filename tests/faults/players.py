"""People who play as long as they are let, post twice at times, and try again where it failed."""

import threading
import time
from collections import Counter
from contextlib import suppress
from random import Random

import psycopg

from tests.faults.site import Site
from tests.faults.web import ASKED, UNANSWERED, Answer, Browser, Question, Request, fill_in
from tests.support.patience import PATIENCE_SECONDS, wait_until

SILENT_PERCENT = 20
"""How many questions nobody answers, so that the clock plays a default."""
DOUBLE_PERCENT = 10
PAGE_PERCENT = 10
LATEST_SECOND = 0.15
"""How long after a form the same form may follow."""
RETRY_SECONDS = 0.5
FEWEST_QUESTIONS = 3
MOST_BUSY = 50
"""At most one of so many requests may be told that its table is busy."""
MORE_TABLES = {"games": 6, "seconds": 30}


class Players:
    """A context: some threads play while it lasts; what they handed in is in `answers`."""

    def __init__(self, site: Site, threads: int = 3, pause: float = 0.15, seed: int = 1) -> None:
        self.site = site
        self.pause = pause
        self.answers: list[Answer] = []
        self.requests: list[Request] = []
        self.failures: list[BaseException] = []
        self.spared: set[int] = set()
        self._seen: set[tuple[int, int]] = set()
        self._lock = threading.Lock()
        self._end = threading.Event()
        self._threads = [
            threading.Thread(target=self._play, args=[Random(seed * 100 + number)], daemon=True)
            for number in range(threads)
        ]

    def __enter__(self) -> "Players":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._end.set()
        for thread in self._threads:
            thread.join()

    def acknowledged(self) -> int:
        return sum(answer.is_acknowledged for answer in list(self.answers))

    def statuses(self, what: str = "post") -> Counter[int]:
        return Counter(request.status for request in list(self.requests) if request.what == what)

    def unanswered(self) -> int:
        """How many posts and pages got nothing, an error, or that the database is away.

        Two clicks at the same moment wait for each other: on a busy machine, the second one may be
        told to try again. But of those, no more than one in fifty counts as answered.
        """
        requests = list(self.requests)
        failed = [one for one in requests if one.status in {UNANSWERED, 500, 503}]
        busy = sum(one.is_busy for one in failed)
        return len(failed) - min(busy, len(requests) // MOST_BUSY)

    def browser(self, question: Question) -> Browser:
        return Browser(self.site.web_port, self.site.people[question.user])

    def questions(self, more: str = "true") -> list[Question]:
        """What is asked now, of people who have a browser here."""
        rows = self.site.database.rows(ASKED.format(more=more))
        return [found for row in rows if (found := Question(*row)).user in self.site.people]

    def hand_in(self, answer: Answer) -> Request:
        """Post it once more."""
        request = self.browser(answer.question).post(answer)
        answer.text.append(request.status)
        self.requests.append(request)
        return request

    def insist(self, answer: Answer) -> None:
        """Post the same form again until it is answered: nobody knows what became of it."""
        end = time.monotonic() + PATIENCE_SECONDS
        while self.hand_in(answer).status in {UNANSWERED, 500, 502, 503}:
            assert time.monotonic() < end, f"Never answered: {answer.text}"
            time.sleep(RETRY_SECONDS)

    def play_on(self, answers: int = 5) -> None:
        """Answers are taken again, and the clock ticks."""
        self.answer(answers)
        self.site.wait_for_ticks()

    def answer(self, answers: int = 5) -> None:
        """So many more are taken."""
        wait_until(self.site.database.answers)
        before = self.acknowledged()
        wait_until(lambda: self.failures or self._have_answered(before + answers))

    def _have_answered(self, answers: int) -> bool:
        """Whether so many were acknowledged; new tables are opened where nobody is asked any more.

        On a slow machine most deadlines pass, and whoever misses twice is not asked again.
        """
        if self.acknowledged() >= answers:
            return True
        asked = {(question.seat, question.phase_no) for question in self.questions()}
        if len(asked - self._seen) < FEWEST_QUESTIONS:
            self.site.seed(**MORE_TABLES)
        return False

    def _play(self, chance: Random) -> None:
        try:
            while not self._end.wait(self.pause * chance.random()):
                with suppress(psycopg.OperationalError):  # the database may be what is broken
                    self._one_turn(chance)
        except BaseException as failure:  # noqa: BLE001 (it is told in the test's own thread)
            self.failures.append(failure)

    def _one_turn(self, chance: Random) -> None:
        found = self._next(chance)
        if found is None:
            return
        if chance.randrange(100) < PAGE_PERCENT:
            self.requests.append(self.browser(found).get(found))
        answer = fill_in(found, chance)
        self.answers.append(answer)
        if chance.randrange(100) < DOUBLE_PERCENT:
            self._twice(answer, chance.random() * LATEST_SECOND)
        else:
            self.insist(answer)

    def _next(self, chance: Random) -> Question | None:
        """A question that is to be answered, and that no other thread has taken."""
        rows = self.site.database.rows(ASKED.format(more="true") + " ORDER BY random() LIMIT 8")
        for row in rows:
            found = Question(*row)
            asked = (found.seat, found.phase_no)
            with self._lock:
                new = asked not in self._seen and found.game not in self.spared
                self._seen.add(asked)
            if new and found.user in self.site.people and chance.randrange(100) >= SILENT_PERCENT:
                return found
        return None

    def _twice(self, answer: Answer, after: float) -> None:
        """The same form from two connections, as by a double click."""
        second = threading.Timer(after, self.insist, [answer])
        second.start()
        self.insist(answer)
        second.join()
