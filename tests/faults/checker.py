"""What the site did, told by those outside it: what was acknowledged, the mail server, our logs."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from statistics import quantiles

from tests.faults.players import Players
from tests.faults.site import Site, manage
from tests.faults.web import Answer
from tests.support.patience import PATIENCE_SECONDS, wait_until

OVERDUE = """
SELECT count(*) FROM games_game WHERE status = 'running' AND deadline_at < now() - interval '3 s'
"""
GAPS = """
SELECT count(*) FROM (SELECT game_id FROM games_event GROUP BY game_id
    HAVING count(*) <> max(seq) OR min(seq) <> 1) AS gaps
"""
TWICE = """
SELECT count(*) FROM (SELECT FROM games_move WHERE NOT abandoned
    GROUP BY game_id, phase_no, seat_id HAVING count(*) > 1) AS twice
"""
DEFAULTS = """
SELECT extract(epoch FROM move.at - asked.deadline_at)::float8 FROM faults.move move
JOIN LATERAL (SELECT deadline_at, absent FROM faults.deadline
    WHERE seat_id = move.seat_id AND phase_no = move.phase_no
        AND deadline_at IS NOT NULL AND at < move.at
    ORDER BY id DESC LIMIT 1) asked ON true
WHERE move.cause = 'clock' AND NOT asked.absent
"""
LONGEST_GAP = """
SELECT coalesce(max(extract(epoch FROM gap)), 0)::float8
FROM (SELECT at - lag(at) OVER (ORDER BY id) AS gap FROM faults.tick) AS gaps
"""
MAILS = """
SELECT m.id, m.kind, m.status, m.message_id, m.game_id, m.person_id, m.phase_no,
    coalesce(p.email, m.address)
FROM games_outboxemail m LEFT JOIN games_user p ON p.id = m.person_id
"""
STILL_ASKED = """
SELECT s.game_id, s.user_id, s.to_move_phase FROM games_seat s JOIN games_game g ON g.id = s.game_id
WHERE s.deadline_at IS NOT NULL AND s.user_id IS NOT NULL AND s.absent_since IS NULL
AND g.status = 'running'
"""


@dataclass
class Figures:
    """Counts and times of one scenario; `wrong` are those that have to be 0."""

    wrong: dict[str, int] = field(default_factory=dict)
    seen: dict[str, float | int | str] = field(default_factory=dict)

    def add(self, other: "Figures") -> None:
        self.wrong |= other.wrong
        self.seen |= other.seen

    def assert_sound(self) -> None:
        found = {name: count for name, count in self.wrong.items() if count}
        assert not found, f"{found}; seen: {self.seen}"


def settle(site: Site) -> Figures:
    """Let the clock catch up and all mail leave.

    Then every open question gets a day more, so that nothing moves while it is looked at.
    """
    figures = Figures()
    wait_until(site.database.answers)
    figures.wrong["games not caught up"] = left(lambda: site.database.number(OVERDUE))
    site.database.run(
        "SELECT id FROM games_game WHERE status = 'running' ORDER BY id FOR UPDATE",
        "UPDATE games_seat SET deadline_at = deadline_at + interval '1 day', remind_at = NULL"
        " WHERE deadline_at IS NOT NULL",
        "UPDATE games_game SET deadline_at = deadline_at + interval '1 day'"
        " WHERE deadline_at IS NOT NULL",
    )
    left(lambda: unsent(site, "ready"))
    figures.seen["emails still claimed"] = left(lambda: unsent(site, "sending"), 3)
    figures.wrong["emails claimed by dead senders"] = left(
        lambda: unsent(site, "sending") + unsent(site, "ready"), 20
    )
    return figures


def conclude(site: Site, players: Players | None = None) -> Figures:
    """All figures of a site that is let come to rest."""
    figures = settle(site)
    figures.add(look(site, players))
    return figures


def left(count: Callable[[], int], seconds: float = PATIENCE_SECONDS) -> int:
    """What is left once nothing is, or after so many seconds."""
    end = time.monotonic() + seconds
    while (found := count()) and time.monotonic() < end:
        time.sleep(0.1)
    return found


def unsent(site: Site, status: str) -> int:
    query = "SELECT count(*) FROM games_outboxemail WHERE status = %s AND not_before <= now()"
    return site.database.number(query, status)


def look(site: Site, players: Players | None = None) -> Figures:
    """Everything that can be counted, after `settle`."""
    figures = Figures()
    answers = list(players.answers) if players is not None else []
    figures.seen["kills"] = site.kills
    _look_at_moves(site, answers, figures)
    _look_at_defaults(site, figures)
    _look_at_mail(site, figures)
    _look_at_turns(site, figures)
    figures.wrong["event gaps"] = site.database.number(GAPS)
    figures.wrong["parked"] = site.database.number(
        "SELECT count(*) FROM games_game WHERE parked_at IS NOT NULL"
    )
    text = manage(site.environment, "verify_games").strip().splitlines()[-1]
    figures.seen["verified"] = text
    figures.wrong["not verified"] = int(not text.endswith("with faults: 0."))
    if players is not None:
        _look_at_answers(players, figures)
    return figures


def _look_at_moves(site: Site, answers: list[Answer], figures: Figures) -> None:
    query = "SELECT token, game_id, seat_id, phase_no, cause, move FROM games_move"
    rows = site.database.rows(query)
    by_token = {row[0]: row[1:] for row in rows if row[0] is not None}
    played = Counter((row[1], row[2], _frozen(row[5])) for row in rows)
    acknowledged = [answer for answer in answers if answer.is_acknowledged]
    lost = [answer for answer in acknowledged if answer.token not in by_token]
    placed = [answer for answer in acknowledged if answer.token in by_token]
    figures.seen["acknowledged"] = len(acknowledged)
    figures.seen["after a retry"] = sum(
        answer.text[0] not in {302, 409} for answer in acknowledged if answer.text
    )
    figures.wrong["lost"] = len(lost)
    figures.wrong["duplicated"] = site.database.number(TWICE)
    figures.wrong["misplaced"] = sum(
        not _is_in_place(answer, by_token[answer.token], played) for answer in placed
    )
    figures.wrong["told not played"] = sum(
        answer.text.count(409) for answer in answers if answer.token in by_token
    )


def _is_in_place(answer: Answer, row: tuple, played: Counter) -> bool:
    """Whether the move stands where it was made, as it was made, with those of the same form."""
    game, seat, phase_no, cause, move = row
    asked = answer.question
    return (
        (game, seat, phase_no, cause) == (asked.game, asked.seat, asked.phase_no, "player")
        and _frozen(move) == _frozen(answer.moves[0])
        and all(played[game, seat, _frozen(other)] for other in answer.moves)
    )


def _frozen(move: object) -> str:
    return repr(_sorted(move))


def _sorted(value: object) -> object:
    if isinstance(value, dict):
        return sorted((key, repr(_sorted(inner))) for key, inner in value.items())
    if isinstance(value, list | tuple):
        return [_sorted(inner) for inner in value]
    return value


def _look_at_defaults(site: Site, figures: Figures) -> None:
    late = [seconds for (seconds,) in site.database.rows(DEFAULTS)]
    figures.seen["defaults"] = len(late)
    figures.wrong["early"] = sum(seconds < 0 for seconds in late)
    figures.seen |= {f"late {name}": text for name, text in spread(late).items()}
    figures.seen["longest gap of the clock"] = f"{site.database.value(LONGEST_GAP):.1f} s"


def spread(seconds: Iterable[float]) -> dict[str, str]:
    """The middle, the 95th of 100, and the most."""
    found = sorted(seconds)
    if not found:
        return {}
    parts = quantiles(found, n=20, method="inclusive") if len(found) > 1 else [found[0]] * 19
    text = {"p50": parts[9], "p95": parts[18], "max": found[-1]}
    return {name: f"{value:.2f} s" for name, value in text.items()}


def _look_at_mail(site: Site, figures: Figures) -> None:
    """Every row that says it was sent was taken; what was taken twice is one and the same mail."""
    rows = site.database.rows(MAILS)
    by_id = {row[3]: row for row in rows if row[3]}
    taken = Counter(mail.message_id for mail in site.sink.taken)
    contents = defaultdict(set)
    for mail in site.sink.taken:
        contents[mail.message_id].add(mail.about)
    sent = [row for row in rows if row[2] == "sent"]
    figures.seen["emails"] = len(site.sink.taken)
    figures.seen["repeats (same ID)"] = sum(count - 1 for count in taken.values())
    figures.wrong["emails lost"] = sum(not taken[row[3]] for row in sent)
    figures.wrong["emails of nobody"] = sum(name not in by_id for name in taken)
    figures.wrong["two emails with one ID"] = sum(len(text) > 1 for text in contents.values())
    figures.wrong["emails to somebody else"] = sum(
        mail.message_id in by_id and by_id[mail.message_id][7] != mail.to
        for mail in site.sink.taken
    )
    figures.wrong["emails stuck"] = unsent(site, "sending") + unsent(site, "ready")
    figures.wrong["emails given up"] = sum(row[2] == "failed" for row in rows)


def _look_at_turns(site: Site, figures: Figures) -> None:
    """Whoever is asked was told; what was dropped while they were asked was told otherwise."""
    taken = {mail.message_id for mail in site.sink.taken}
    text = {
        row[4:7] for row in site.database.rows(MAILS) if row[1] == "your_turn" and row[3] in taken
    }
    asked = set(site.database.rows(STILL_ASKED))
    dropped = "SELECT game_id, person_id, phase_no FROM faults.dropped WHERE still_asked"
    figures.wrong["your turn lost"] = len((asked | set(site.database.rows(dropped))) - text)


def _look_at_answers(players: Players, figures: Figures) -> None:
    posts, pages = players.statuses("post"), players.statuses("page")
    figures.seen["posts"] = _text(posts)
    figures.seen["pages"] = _text(pages)
    ok = [request.seconds for request in players.requests if request.status in {200, 302, 409}]
    figures.seen |= {f"answer {name}": text for name, text in spread(ok).items()}
    figures.wrong["500s"] = posts[500] + pages[500]
    figures.wrong["refused as wrong"] = posts[422] + posts[400] + posts[403] + posts[399]
    figures.wrong["players who fell"] = len(players.failures)
    if players.failures:
        raise players.failures[0]


def _text(statuses: Counter[int]) -> str:
    return ", ".join(
        f"{count} of {status or 'no answer'}" for status, count in sorted(statuses.items())
    )
