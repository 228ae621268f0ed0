"""What workers and beats do, how long all processes take to start, and their memory."""

import time
from datetime import timedelta
from statistics import median, quantiles

import psycopg
from django.utils import timezone

from games.services.operations import clock
from tests.benchmarks.speed import throughput
from tests.benchmarks.speed.figures import Figures
from tests.benchmarks.speed.in_process import counted
from tests.benchmarks.speed.stage import Stage
from tests.support.patience import wait_until
from tests.support.tables import tick

WORKERS = ("worker1", "worker2", "worker3", "worker4")
BY = {1: "_one_worker", 2: "", 4: "_four_workers"}
"""How the names of figures about deadlines end."""

LONGEST = 1800
"""Seconds after which what has not been done is given up."""

DUE = """
WITH due AS (
    SELECT DISTINCT ON (seat.game_id) seat.id, seat.game_id,
        %(at)s + interval '1 second' * random() AS at
    FROM games_seat seat WHERE seat.game_id = ANY(%(games)s) AND seat.deadline_at IS NOT NULL
    ORDER BY seat.game_id, seat.number),
seats AS (UPDATE games_seat seat SET deadline_at = due.at, remind_at = NULL FROM due
    WHERE seat.id = due.id)
UPDATE games_game game SET deadline_at = due.at FROM due WHERE game.id = due.game_id
"""
PLAYED = """
SELECT count(*), count(DISTINCT game_id) FROM games_move
WHERE game_id = ANY(%s) AND cause = 'clock'
"""
TICKED = "SELECT at FROM games_tick WHERE name = 'sweep'"
READY = """
UPDATE games_outboxemail SET status = 'ready', attempts = 0, sent_at = NULL, claimed_at = NULL,
    message_id = '', not_before = now()
WHERE id IN (SELECT mail.id FROM games_outboxemail mail
    JOIN games_seat seat ON seat.game_id = mail.game_id AND seat.user_id = mail.person_id
    WHERE mail.game_id = ANY(%s) AND mail.kind = 'your_turn' AND seat.deadline_at IS NOT NULL
        AND seat.to_move_phase = mail.phase_no AND seat.deadline_version = mail.deadline_version
    ORDER BY mail.id)
"""
UNSENT = """
SELECT count(*) FROM games_outboxemail
WHERE game_id = ANY(%(games)s) AND kind = 'your_turn' AND created_at > %(since)s
    AND status IN ('ready', 'sending')
"""
DELAYS = """
SELECT extract(epoch FROM sent_at - created_at)::float FROM games_outboxemail
WHERE game_id = ANY(%(games)s) AND kind = 'your_turn' AND created_at > %(since)s
    AND sent_at IS NOT NULL
ORDER BY id
"""
SENDER = """
SELECT sender.id, split_part(sender.worker, '@', 1)
FROM games_outboxemail mail JOIN games_emailsender sender ON sender.id = mail.claimed_by
WHERE mail.status = 'sending'
"""
CLAIMED = "SELECT id FROM games_outboxemail WHERE status = 'sending' AND claimed_by = %s"
UNSENT_OF = "SELECT count(*) FROM games_outboxemail WHERE id = ANY(%s) AND status <> 'sent'"
NOTHING_TO_SEND = (
    "UPDATE games_outboxemail SET status = 'sent' WHERE status IN ('ready', 'sending')"
)


def idle_sweep(figures: Figures, runs: int) -> None:
    """The clock looks for what is due, and nothing is."""
    tick(timezone.now())
    cpu, wall = [], []
    for _ in range(runs):
        began, began_cpu = time.perf_counter(), time.process_time()
        if clock.sweep(now=timezone.now()):
            raise SystemExit("Something was due.")
        wall.append(1000 * (time.perf_counter() - began))
        cpu.append(1000 * (time.process_time() - began_cpu))
    with counted() as queries:
        clock.sweep(now=timezone.now())
    figures.add_batches("idle_sweep.cpu_ms", cpu)
    figures.add_batches("idle_sweep.wall_ms", wall)
    figures.add("idle_sweep.queries", len(queries))


def deadlines(stage: Stage, figures: Figures, games: list[int], workers: int, cookie: str) -> None:
    """The deadlines of all these games pass within one second, while somebody reads pages."""
    name = f"deadlines_{len(games)}{BY[workers]}"
    with stage.connect() as db, stage.running("web", "beat", *WORKERS[:workers]):
        db.execute(NOTHING_TO_SEND)
        _wait_for_a_tick(db)
        due = timezone.now() + timedelta(seconds=1)
        db.execute(DUE, {"at": due, "games": games})
        pages = []
        while (done := _played(db, games)) < len(games):
            pages.append(stage.get("/", cookie)[1])
            late = (timezone.now() - due).total_seconds()
            if late > LONGEST:
                raise SystemExit(f"Only {done} of {len(games)} deadlines after {LONGEST} s.")
            time.sleep(0.2)
        late = (timezone.now() - due).total_seconds()
    figures.add(f"{name}_seconds", late, 1 / late)
    figures.add_batches(f"{name}_page_p50_ms", [1000 * seconds for seconds in pages])
    p95 = quantiles([*pages, *pages], n=20, method="inclusive")[18]
    figures.add(f"{name}_page_p95_ms", 1000 * p95, 0.2)


def _wait_for_a_tick(db: psycopg.Connection) -> None:
    """Until a sweep has just been: so a deadline always waits equally long for the next."""
    before = db.execute(TICKED).fetchone()
    wait_until(lambda: db.execute(TICKED).fetchone() != before)


def _played(db: psycopg.Connection, games: list[int]) -> int:
    """How many of the games have had their default played; SystemExit if one had two."""
    moves, played = db.execute(PLAYED, (games,)).fetchone()
    if moves != played:
        raise SystemExit(f"{moves} defaults were played in {played} games.")
    return int(played)


def emails(stage: Stage, figures: Figures, games: list[int], workers: int) -> None:
    """So many workers send an email for each of these games."""
    taken = stage.sink.times
    with stage.connect() as db, stage.running("beat", *WORKERS[:workers]):
        db.execute(NOTHING_TO_SEND)
        _wait_for_a_tick(db)
        stage.sink.forget()
        count = db.execute(READY, (games,)).rowcount
        if count < len(games):
            raise SystemExit(f"There are only {count} emails to send.")
        wait_until(lambda: len(taken) >= count, LONGEST)
    if len(stage.sink.ids) != count:
        raise SystemExit(f"{len(stage.sink.ids)} different emails were sent, not {count}.")
    parts = [taken[part * count // 5 : (part + 1) * count // 5] for part in range(5)]
    rates = [(len(part) - 1) / (part[-1] - part[0]) for part in parts]
    noise = (max(rates) - min(rates)) / 2 / median(rates)
    name = "mails_per_second" + ("_two_workers" if workers == 2 else "")
    figures.add(name, (count - 1) / (taken[count - 1] - taken[0]), noise)


def killed_sender(stage: Stage, figures: Figures, games: list[int], runs: int) -> None:
    """How long after a worker was killed another one has sent all that it had claimed."""
    stage.sink.seconds_for_a_mail = 0.05
    seconds = [_seconds_after_a_kill(stage, games) for _ in range(runs)]
    stage.sink.seconds_for_a_mail = 0.0
    figures.add("mail_of_killed_sender_seconds", max(seconds), 1 / max(seconds))


def _seconds_after_a_kill(stage: Stage, games: list[int]) -> float:
    with stage.connect() as db, stage.running("beat", *WORKERS[:2]) as processes:
        db.execute(NOTHING_TO_SEND)
        db.execute(READY, (games,))
        senders: list[tuple[int, str]] = []
        wait_until(lambda: senders.extend(db.execute(SENDER)) or senders)
        sender, worker = senders[0]
        processes[worker].kill()
        killed_at = time.perf_counter()
        claimed = [row[0] for row in db.execute(CLAIMED, (sender,))]
        if not claimed:
            raise SystemExit("The sender was killed when it had claimed nothing.")
        wait_until(lambda: db.execute(UNSENT_OF, (claimed,)).fetchone() == (0,), LONGEST)
        return time.perf_counter() - killed_at


def mail_after_move(stage: Stage, figures: Figures, load: throughput.Load) -> None:
    """How long after the commit of a move its email has left, with a pause between two moves."""
    with stage.connect() as db, stage.running("web", "beat", WORKERS[0]):
        db.execute(NOTHING_TO_SEND)
        since = timezone.now()
        throughput.play(stage, load)
        given = {"games": load.games, "since": since}
        wait_until(lambda: db.execute(UNSENT, given).fetchone() == (0,), LONGEST)
        seconds = [row[0] for row in db.execute(DELAYS, given)]
    throughput.add_spread(figures, "mail_after_move_ms", seconds)


def starts(stage: Stage, figures: Figures, runs: int) -> None:
    """How long web, worker and beat take to be ready, and their memory then."""
    for name in ("web", WORKERS[0], "beat"):
        seconds, memory = [], []
        for _ in range(runs):
            began = time.perf_counter()
            with stage.running(name) as processes:
                seconds.append(time.perf_counter() - began)
                memory.append(processes[name].megabytes())
        told = name.rstrip("1")
        figures.add_samples(f"start.{told}_seconds", seconds)
        figures.add_samples(f"memory.{told}_megabytes", memory)
