"""What pages and moves read and write in few statements is what the models hold."""

from uuid import uuid4

import pytest
from django.db.models import F, Q

from games.models import (
    Draft,
    Event,
    Game,
    Ignore,
    Message,
    MutedGame,
    Note,
    OutboxEmail,
    OutboxPush,
    PrivateMessage,
    Redaction,
    Seat,
    SiteState,
    Sitting,
    ThreadMember,
    TimeGrant,
    User,
    Visit,
)
from games.services import outbox, site_state
from games.services.accounts.queries import own_games, your_turn
from games.services.chat import queries as talk
from games.services.chat.thread_queries import threads_at
from games.services.game import replay
from games.services.game.moves import at_table
from games.services.game.queries.own_notes import Kept, Notebook, game_and_notebook, read_notebook
from tests.support.promising import in_order, moves, sitter
from tests.support.tables import DAY, MONDAY, long_game, open_table, seat_of, seats_to_move
from tests.support.whispering import whisper

pytestmark = pytest.mark.django_db
PEOPLE = ("Anna", "Boris", "Clara")


def columns(row):
    return row and {
        field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields
    }


@pytest.fixture
def game():
    return open_table(*PEOPLE)


def test_a_started_game_that_is_locked(game):
    waiting = open_table("Dora", size=3)
    anna = User.objects.get(name="Anna")
    for which in ({"pk": game.pk}, {"token": game.token}):
        with at_table(anna, MONDAY, **which) as turn:
            assert columns(turn.game) == columns(Game.objects.get(pk=game.pk))
    for which in ({"pk": waiting.pk}, {"token": waiting.token}, {"pk": 0}, {"token": "x"}):
        with pytest.raises(Game.DoesNotExist), at_table(anna, MONDAY, **which):
            pass


def test_a_table_with_what_its_reader_has_left_there(game):
    anna, boris = (User.objects.get(name=name) for name in ("Anna", "Boris"))
    about = {"game": game, "user": anna}
    Visit.objects.create(last_event=3, last_message=7, at=MONDAY, **about)
    Note.objects.create(text="Boris owes me 3000.", at=MONDAY, **about)
    for kind, phase_no in (("answer", game.phase_no), ("talk", 0)):
        fields = {"text": kind}
        Draft.objects.create(about=kind, phase_no=phase_no, fields=fields, at=MONDAY, **about)
    MutedGame.objects.create(**about)
    found, notebook = game_and_notebook(game.token, anna)
    assert columns(found) == columns(Game.objects.get(pk=game.pk))
    assert columns(found.host) == columns(game.host)
    assert notebook == Notebook(
        visited=True,
        last_event=3,
        last_message=7,
        notes="Boris owes me 3000.",
        move=Kept({"text": "answer"}, MONDAY),
        message=Kept({"text": "talk"}, MONDAY),
        muted=True,
    )
    assert read_notebook(game, anna) == notebook
    assert read_notebook(game, boris) == game_and_notebook(game.token, None)[1] == Notebook()
    Draft.objects.filter(about="answer").update(phase_no=game.phase_no - 1)
    assert read_notebook(game, anna) == notebook._replace(move=None)


def test_own_games_with_what_happened_there_last(game):
    waiting = open_table("Dora", size=3)
    dora = waiting.host
    Seat.objects.filter(pk=seat_of(game, "Clara").pk).update(user=dora)
    moves(game, None)
    over = open_table("Emil", "Fanny", "Georg")
    over.seats.filter(user__name="Emil").update(user=dora)
    Game.objects.filter(pk=over.pk).update(status="finished", deadline_at=None)
    read = own_games.own_games(dora)
    assert {one.own.game_id for one in read} == {game.pk, waiting.pk}
    for one in read:
        assert columns(one.own) == columns(Seat.objects.get(pk=one.own.pk))
        assert columns(one.own.game) == columns(Game.objects.get(pk=one.own.game_id))
        seats = list(one.own.game.seats.select_related("user").order_by("number", "pk"))
        assert [columns(seat) for seat in one.seats] == [columns(seat) for seat in seats]
        assert [columns(seat.user) for seat in one.seats] == [columns(seat.user) for seat in seats]
    told = Event.objects.filter(kind__in=own_games.LATEST_SHOWN)
    for one in read:
        last = told.filter(game=one.own.game_id).order_by("seq").last()
        assert one.last == last
    assert any(one.last for one in read)


def row_of(event):
    return replay.EventRow(
        event.seq, event.phase_no, event.kind, event.payload, event.cause, event.at
    )


def test_games_that_are_over(game):
    anna = User.objects.get(name="Anna")
    assert list(own_games.over_games(anna)) == []
    Sitting.objects.filter(user=anna).update(ended_at=MONDAY)
    other = open_table("Dora", "Emil", "Fanny")
    Seat.objects.filter(pk=seat_of(other, "Dora").pk).update(user=anna)
    Sitting.objects.filter(seat=seat_of(other, "Anna")).update(user=anna)
    Game.objects.filter(pk=other.pk).update(
        status="finished", finished_at=MONDAY - DAY, deadline_at=None
    )
    is_over = Q(ended_at__isnull=False) | Q(seat__game__status__in=Game.OVER)
    sittings = Sitting.objects.filter(is_over, user=anna)
    assert len(sittings) == 2
    assert list(own_games.over_games(anna)) == sorted(sittings, key=lambda one: one.seat.game.pk)


def test_games_in_which_somebody_is_to_move(game):
    second, third, paused = (open_table(*(f"{one} {n}" for one in PEOPLE)) for n in range(3))
    anna = User.objects.get(name="Anna")
    for table in (game, second, third, paused):
        seat = seats_to_move(table)[0]
        table.seats.filter(user=anna).exclude(pk=seat.pk).update(user=None)
        Seat.objects.filter(pk=seat.pk).update(user=anna)
    Game.objects.filter(pk=paused.pk).update(paused_at=MONDAY, deadline_at=None)
    Seat.objects.filter(game=second).update(deadline_at=F("deadline_at") - DAY / 2)
    waiting = your_turn.waiting_games(anna)
    assert [one.token for one in waiting] == [second.token, game.token, third.token]
    for one, table in zip(waiting, (second, game, third), strict=True):
        seat = seat_of(table, "Anna")
        assert one == (
            table.token, table.name, seat.deadline_at, seat.deadline_version, seat.deadline_set_at,
            table.pk, seat.number, table.move_seconds,
        )  # fmt: skip


@pytest.fixture
def talked(game):
    """All have written, one message was removed; Anna has read one and ignores Clara."""
    anna, boris, clara = (User.objects.get(name=name) for name in PEOPLE)
    rows = [
        Message.objects.create(game=game, author=author, text=f"{n}", token=uuid4(), at=MONDAY)
        for n, author in enumerate((anna, boris, clara, boris, None))
    ]
    Redaction.objects.create(message=rows[3], text="3", reason="Be polite.", at=MONDAY)
    Ignore.objects.create(user=anna, ignored=clara, at=MONDAY)
    Visit.objects.create(game=game, user=anna, last_message=rows[0].pk, at=MONDAY)
    return game


@pytest.mark.parametrize(("before", "most"), [(None, None), (3, None), (None, 2)])
def test_the_messages(talked, before, most):
    anna = User.objects.get(name="Anna")
    numbers = list(Message.objects.order_by("pk").values_list("pk", flat=True))
    before = before and numbers[before]
    rows = Message.objects.filter(game=talked).order_by("-pk").select_related("author")
    rows = (rows if before is None else rows.filter(pk__lt=before))[:most]
    lines = talk.messages_of(talked, anna, most=most, before=before)
    fresh = set(talk.unread_messages(talked, anna).values_list("pk", flat=True))
    ignored = set(anna.ignores.values_list("ignored", flat=True))
    assert [
        (line.number, line.person_id, line.removed, line.ignored, line.unread) for line in lines
    ] == [
        (
            row.pk,
            row.author_id,
            Redaction.objects.filter(message=row).exists(),
            row.author_id in ignored,
            row.pk in fresh,
        )
        for row in rows
    ]


@pytest.mark.full
def test_how_many_messages_somebody_has_not_read(talked):
    """In front of all and in threads, at each table."""
    game = open_table("Dora", "Emil", "Fanny", press="private")
    one, two, three = in_order(game)
    for others in ((one, two), (one, three), (two, one)):
        whisper(game, *others)
    reader = sitter(game, one)
    Seat.objects.filter(pk=seat_of(talked, "Anna").pk).update(user=reader)
    unread = dict.fromkeys((talked.pk, game.pk), 0)
    for table in (talked, game):
        unread[table.pk] += talk.unread(table, reader)
    for member in ThreadMember.objects.filter(user=reader):
        others = PrivateMessage.objects.filter(thread=member.thread).exclude(author=reader)
        left = others.filter(number__gt=member.last_read).count()
        unread[game.pk] += left
        [line] = [one for one in threads_at(game, reader) if one.token == member.thread.token]
        assert line.unread == left
    assert unread == {talked.pk: 5, game.pk: 1}
    assert talk.unread_counts(reader) == unread


def test_what_is_written_for_the_browsers_of_whom_an_email_is_to(game, settings):
    """For each of theirs, and not again for an email that was there."""
    settings.PUSH_KEY = "one"
    anna, boris, _clara = (User.objects.get(name=name) for name in PEOPLE)
    for name in "ab":
        anna.push_subscriptions.create(endpoint=f"https://push.example/{name}", created_at=MONDAY)
    OutboxEmail.objects.all().delete()
    for _ in range(2):
        for reader in (anna, boris):
            outbox.enqueue("game_over", game=game, person=reader, now=MONDAY)
    mail = OutboxEmail.objects.get(person=anna)
    rows = OutboxPush.objects.order_by("subscription")
    assert [columns(row) | {"id": None} for row in rows] == [
        columns(OutboxPush(email=mail, subscription=one, not_before=MONDAY))
        for one in anna.push_subscriptions.order_by("pk")
    ]


@pytest.mark.full
def test_the_latest_events():
    long = long_game("Anna", "Boris")
    last = long.events.latest("seq").seq
    for since in (None, last - 200, 0):
        start = last - replay.LATEST if since is None else min(since, last - replay.LATEST)
        kept = long.events.filter(Q(seq__gt=start) | Q(kind__in=replay.LASTING_EVENTS))
        read = replay.latest_event_rows(long, since)
        assert read == [row_of(event) for event in kept.order_by("seq")]
        assert (len(read) == last) is (since == 0)


def test_how_the_site_stands():
    assert site_state.read() == site_state.Site()
    names = site_state.Site._fields[:-1]
    texts = {name: MONDAY if name.endswith(("since", "until", "_at")) else name for name in names}
    texts["maintenance_read_only"] = True
    SiteState.objects.create(**texts)
    TimeGrant.objects.create(
        kind="hours", hours=1, starts_at=MONDAY, ends_at=MONDAY, why="x", finished_at=MONDAY
    )
    assert site_state.read() == site_state.Site(**texts, time_is_given=False)
    TimeGrant.objects.update(finished_at=None)
    assert site_state.read() == site_state.Site(**texts, time_is_given=True)
