"""E and F: the mail server is away, hangs, refuses and drops."""

import time

import pytest

from tests.faults.checker import Figures, conclude, left
from tests.faults.site import Site, running_site

pytestmark = [pytest.mark.full, pytest.mark.slow, pytest.mark.counts, pytest.mark.django_db]

DAYS = 3 * 24 * 3600
PASS_SECONDS = 2.5
"""How long the site may work between two moves of the stored times."""
TRIED_FOR_MINUTES = 60
OUT_WITHIN_MINUTES = 15
HELD_UP_SECONDS = 60
NAMES = ("anna", "boris", "clara", "david")


@pytest.mark.parametrize(("minutes", "step"), [(30, 1), (300, 10)])
@pytest.mark.long
def test_e_the_mail_server_is_away(prepared, figures, minutes, step):
    """Nobody waits for hours: between two looks all stored times move back."""
    with running_site(prepared, games=1, seconds=DAYS) as site:
        site.sink.refuse_connections()
        site.seed(games=6, seconds=DAYS)
        for _ in range(minutes // step):
            minutes_pass(site, step)
        waiting = not_sent(site)
        site.sink.listen()
        after, late = 0, 0
        while not_sent(site) and after < TRIED_FOR_MINUTES:
            minutes_pass(site, 1)
            after += 1
            late = not_sent(site) if after == OUT_WITHIN_MINUTES else late
        text = conclude(site)
    text.wrong[f"not out {OUT_WITHIN_MINUTES} min after its return"] = late
    text.seen["emails that waited"] = waiting
    text.seen["minutes from its return to the last mail"] = after
    figures(f"E mail server away {minutes} min", text)


def minutes_pass(site: Site, minutes: int) -> None:
    """The clock ticks meanwhile: its ticks stay where they are."""
    time.sleep(PASS_SECONDS)
    site.database.age(60 * minutes, "games_tick", "tick")


def not_sent(site: Site) -> int:
    """Mail that is to go out, now or later."""
    return site.database.number(
        "SELECT count(*) FROM games_outboxemail WHERE status IN ('ready', 'sending')"
    )


def addresses(site: Site, games: int) -> list[str]:
    """Those of the people of the games that are seeded next."""
    first = site.database.number("SELECT max(id) FROM games_game")
    return [f"{name}.{first + number}@example.org" for number in range(games) for name in NAMES]


@pytest.mark.long
def test_f1_recipients_hang(prepared, figures):
    with running_site(prepared, games=1, seconds=DAYS) as site:
        hanging = addresses(site, 8)[::2]
        site.sink.how = dict.fromkeys(hanging, "hang")
        before = site.ticks()
        site.seed(games=8, seconds=DAYS)
        began = time.monotonic()
        held_up = left(lambda: good_not_sent(site, hanging), HELD_UP_SECONDS)
        good_left_after = time.monotonic() - began
        ticks = site.ticks() - before
        site.sink.how = {}
        for _ in range(3):
            minutes_pass(site, 2)
        text = conclude(site)
    text.wrong["good emails held up"] = held_up
    text.wrong["no ticks"] = int(not ticks)
    text.seen |= {
        "recipients that hang": len(hanging),
        "last good mail after": f"{good_left_after:.1f} s",
        "ticks meanwhile": ticks,
    }
    figures("F1 recipients that hang", text)


def good_not_sent(site: Site, hanging: list[str]) -> int:
    return site.database.number(
        "SELECT count(*) FROM games_outboxemail m JOIN games_user p ON p.id = m.person_id"
        " WHERE m.status IN ('ready', 'sending') AND NOT p.email = ANY (%s)",
        hanging,
    )


@pytest.mark.long
def test_f2_recipients_are_refused_and_connections_drop(prepared, figures):
    with running_site(prepared, games=1, seconds=DAYS) as site:
        people = addresses(site, 8)
        final = {people[0]: "rcpt 550", people[4]: "data 554"}
        passing = {people[8]: "rcpt 451", people[12]: "data 452", people[16]: "drop"}
        site.sink.how = final | passing
        site.seed(games=8, seconds=DAYS)
        for _ in range(8):
            minutes_pass(site, 30)
        copies = len(site.sink.taken) - len({mail.message_id for mail in site.sink.taken})
        site.sink.how = final
        for _ in range(8):
            minutes_pass(site, 6 * 60)
        text = conclude(site)
        text.add(answers_of_the_server(site, final, passing))
    # No email can reach an address that is refused for good; everybody else has to be told.
    text.wrong["your turn lost"] -= int(str(text.seen["turns of rejected addresses"]))
    text.seen["copies while the connection dropped"] = copies
    text.seen["given up"] = text.wrong.pop("emails given up")
    figures("F2 recipients refused, connections dropped", text)


def answers_of_the_server(site: Site, final: dict[str, str], passing: dict[str, str]) -> Figures:
    """A final refusal is not tried again; whoever was refused for a while has all their mail."""
    figures = Figures()
    for address, how in final.items():
        tries = site.sink.tries[address, how]
        figures.seen[f"tries of {how}"] = tries
        figures.wrong[f"tried again after {how}"] = max(0, tries - count(site, address))
    for address, how in passing.items():
        figures.seen[f"tries of {how}"] = site.sink.tries[address, how]
        figures.wrong[f"not sent after {how}"] = count(
            site, address, "AND status NOT IN ('sent', 'dropped')"
        )
    refused = [mail for mail in final if count(site, mail, "AND kind = 'your_turn'")]
    figures.seen["turns of rejected addresses"] = len(refused)
    return figures


def count(site: Site, address: str, more: str = "") -> int:
    return site.database.number(
        "SELECT count(*) FROM games_outboxemail WHERE person_id ="
        f" (SELECT id FROM games_user WHERE email = %s) {more}",
        address,
    )


@pytest.mark.parametrize("games", [500, 2000])
@pytest.mark.long
def test_f3_many_deadlines_in_one_second(prepared, figures, games):
    """Each default is played once; the mail of them all leaves."""
    with running_site(prepared, games=1, seconds=DAYS, size=3) as site:
        copy_first_game(site, games - 1)
        began = time.monotonic()
        site.database.make_due(
            "SELECT DISTINCT ON (game_id) id FROM games_seat WHERE deadline_at IS NOT NULL"
        )
        played = "SELECT count(*) FROM games_move WHERE cause = 'clock'"
        late = left(lambda: games - site.database.number(played), 300)
        seconds = time.monotonic() - began
        emails = left(lambda: not_sent(site), 600)
        text = conclude(site)
        text.wrong["played more than once"] = max(0, site.database.number(played) - games)
    text.wrong |= {"not played": late, "emails not out": emails}
    text.seen |= {"deadlines": games, "all played after": f"{seconds:.1f} s"}
    text.seen["all mail out after"] = f"{time.monotonic() - began:.1f} s"
    figures(f"F3 {games} deadlines in one second", text)


def copy_first_game(site: Site, times: int) -> None:
    """So many more games of the same people: to open them one by one would take minutes."""
    columns = {
        table: ", ".join(
            f'"{name}"'
            for (name,) in site.database.rows(
                "SELECT column_name FROM information_schema.columns WHERE table_schema = 'public'"
                " AND table_name = %s AND NOT column_name = ANY (%s)",
                table,
                ["id", "token", "opening_token", "game_id"],
            )
        )
        for table in ("games_game", "games_seat", "games_event")
    }
    game = columns["games_game"]
    site.database.run(
        f"INSERT INTO games_game (token, {game}) SELECT substr(md5(random()::text), 1, 16), {game}"
        f" FROM games_game, generate_series(1, {times}) WHERE id = 1",
        *(
            f"INSERT INTO {table} (game_id, {columns[table]}) SELECT copy.id, {text} FROM {table} t"
            f" CROSS JOIN games_game copy WHERE t.game_id = 1 AND copy.id > 1"
            for table in ("games_seat", "games_event")
            for text in [", ".join(f"t.{name}" for name in columns[table].split(", "))]
        ),
    )
