"""The desk at the same moment as other moderators, the players and the clock: each thing once."""

from datetime import timedelta
from functools import partial

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.utils import timezone

from games.models import AuditLine, FactorReset, Game, Move, OutboxEmail, User
from games.services import outbox
from games.services.accounts import factor_resets
from games.services.email import delivery
from games.services.game import seats
from games.services.game.verify import verify_game
from games.services.moderation.actions import accounts, everything, mail, site, timing
from games.services.moderation.actions import rewind as rewind_actions
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.person_action import latest_action
from games.services.moderation.actions.requests import ActionRequest, GameRequest, PersonRequest
from games.services.operations import clock, sample_games
from tests.support.client import person, verified
from tests.support.moderators import administrator, moderator
from tests.support.races import assert_whole, doing, handing_in, race, rounds_of, sweeping
from tests.support.reporting import named
from tests.support.tables import DAY, open_table, seats_to_move, table_settings, tick

pytestmark = [pytest.mark.full, pytest.mark.counts, pytest.mark.django_db(transaction=True)]

ROUNDS = 3
EACH = 4


def request_of(about: User, who: User) -> PersonRequest:
    return PersonRequest(about.pk, who, "Spam.", latest_action(about, who), timezone.now())


def test_a_reset_is_confirmed_by_one_of_two_or_stopped_or_done_by_the_clock():
    nadja, otto, paula = (administrator(name) for name in ("Nadja", "Otto", "Paula"))
    sides = ("administrators", "person", "clock")
    for number, (chance, wins) in enumerate(rounds_of(*sides, least=ROUNDS)):
        rosa = verified(f"Rosa{number}")
        TOTP.activate(rosa, generate_totp_secret())
        accounts.reset_factor(request_of(rosa, nadja))
        now = timezone.now()
        later = now + FactorReset.WAIT
        gave = race(
            {
                "administrators": [
                    doing(accounts.forget_factor, request_of(rosa, who)) for who in (otto, paula)
                ],
                "person": [partial(factor_resets.stop_own, rosa, now)],
                "clock": [partial(factor_resets.do_due, later)] * 2,
            },
            chance,
        )
        won = [name for name, done in gave.items() if any(done)]
        assert [sum(done) for done in gave.values() if any(done)] == [1]
        wins[won[0]] += 1
        assert Authenticator.objects.filter(user=rosa).exists() == (won == ["person"])
        assert not FactorReset.objects.exists()
        lines = list(AuditLine.objects.filter(person=rosa).order_by("pk").values_list("action"))
        ended = "person.stop-reset" if won == ["person"] else "person.forget-factor"
        assert lines == [("person.reset-factor",), (ended,)]


def test_the_seats_of_somebody_are_freed_once_while_they_play_and_the_clock_goes_on():
    """Of two moderators one does it; a game that moves on at that moment is left, and said so."""
    marta, nora = moderator("Marta"), moderator("Nora")
    for number, (chance, wins) in enumerate(rounds_of("Marta", "Nora", "player", least=ROUNDS)):
        victor, now = person(f"Victor{number}"), timezone.now()
        others = [person(f"{name}{number}") for name in ("Anna", "Boris")]
        settings = table_settings(name="Uno", size=3)
        games = [sample_games.open_table(settings, victor, *others, now=now) for _ in range(2)]
        game = games[0]
        seat, phase = seats_to_move(game)[0], game.phase_no
        due = game.deadline_at
        tick(due)
        results: dict[str, object] = {}

        def clearing(who: User, request: PersonRequest, player: str, kept=results) -> bool:
            def clear() -> None:
                kept[who.name] = everything.clear_up(request, seats=player, where="all")

            return doing(clear)()

        requests = {who: request_of(victor, who) for who in (marta, nora)}
        sides = {
            "Marta": [partial(clearing, marta, requests[marta], "free")],
            "Nora": [partial(clearing, nora, requests[nora], "courtier")],
            "player": [handing_in(game, seat, phase, due) for _ in range(EACH)],
            "clock": [sweeping(due)] * 2,
        }
        gave = race(sides, chance)
        [won] = [name for name in ("Marta", "Nora") if gave[name] == [True]]
        wins[won] += 1
        wins["player"] += sum(gave["player"])
        left = AuditLine.objects.filter(person=victor, action__startswith="game.")
        assert len(results[won].refused) == 2 - left.count()
        assert set(left.values_list("who", "game").distinct()) == set(
            left.values_list("who", "game")
        )
        for one in games:
            one.refresh_from_db()
            seated = one.seats.filter(user=victor).exists()
            assert seated != left.filter(game=one, who=won).exists()
            assert_whole(one)
            assert verify_game(one.pk) == []
        assert Move.objects.filter(game=game, phase_no=phase, seat=seat).count() <= 1


def test_who_returns_keeps_the_seat_or_has_lost_it():
    """Where they are absent alone: whoever comes back in time isn't hit."""
    marta = moderator("Marta")
    for number, (chance, wins) in enumerate(rounds_of("moderator", "player", least=ROUNDS)):
        game = open_table(*(f"{name}{number}" for name in ("Victor", "Anna", "Boris")))
        victor, now = named(f"Victor{number}"), timezone.now()
        seats.step_aside(game_id=game.pk, user=victor, now=now)
        request = request_of(victor, marta)
        sides = {
            "moderator": [doing(everything.clear_up, request, seats="free", where="absent")],
            "player": [doing(seats.come_back, game_id=game.pk, user=victor, now=now)],
        }
        gave = race(sides, chance)
        freed = AuditLine.objects.filter(game=game, action="game.reopen").count()
        assert freed + sum(gave["player"]) == 1
        wins["moderator" if freed else "player"] += 1
        sitting = game.seats.filter(user=victor)
        assert [one.absent_since for one in sitting] == [None] * (1 - freed)
        assert_whole(game)
        assert verify_game(game.pk) == []


def test_accounts_are_removed_once_and_not_those_that_are_confirmed():
    keepers = [administrator("Nadja"), administrator("Otto")]
    now = timezone.now()
    for number, (chance, wins) in enumerate(rounds_of("Nadja", "Otto", "person", least=ROUNDS)):
        before = AuditLine.objects.count()
        users = [person(f"Spam{number}x{one}") for one in range(3)]
        for user in users:
            EmailAddress.objects.create(user=user, email=user.email, primary=True)
        own = EmailAddress.objects.filter(user=users[0], verified=False)
        period = {"since": now - DAY, "until": now + DAY}
        sides = {
            who.name: [partial(site.remove_accounts, ActionRequest(who, "Spam.", now), **period)]
            for who in keepers
        }
        gave = race(sides | {"person": [lambda own=own: own.update(verified=True)]}, chance)
        confirmed = sum(gave["person"])
        wins["person"] += confirmed
        lines = AuditLine.objects.order_by("pk")[before:]
        wins.update(line.who for line in lines)
        assert [line.after["accounts"] for line in lines] == [3 - confirmed]
        left = User.objects.filter(pk__in=[user.pk for user in users])
        assert list(left) == users[:confirmed]


def test_parked_games_are_taken_up_once_by_one_of_two_moderators():
    marta, nora = moderator("Marta"), moderator("Nora")
    for number, (chance, wins) in enumerate(rounds_of("Marta", "Nora", least=ROUNDS)):
        now = timezone.now()
        games = [
            open_table(*(f"{name}{number}x{one}" for name in ("Anna", "Boris", "Clara")), now=now)
            for one in range(3)
        ]
        error = f"ValueError: {number}"
        same = Game.objects.filter(pk__in=[game.pk for game in games])
        same.update(parked_at=now, deadline_at=None, error=error)
        sides = {}
        for who, first in ((marta, games[0]), (nora, games[2])):
            first.refresh_from_db()
            request = GameRequest(first.pk, who, "Mended.", seen_now(first), now)
            sides[who.name] = [doing(timing.retry_all, request)]
        race(sides | {"clock": [sweeping(now)] * 2}, chance)
        for game in games:
            [line] = AuditLine.objects.filter(game=game)
            wins[line.who] += 1
            game.refresh_from_db()
            assert (game.parked_at, game.error) == (None, "")
            assert game.events.filter(kind="GameTakenUp").count() == 1
            assert verify_game(game.pk) == []


def test_failed_emails_are_sent_once_by_one_of_two_moderators(smtp):
    """Also where they have left again before the second one's turn."""
    marta, nora = moderator("Marta"), moderator("Nora")
    for number, (chance, wins) in enumerate(rounds_of("Marta", "Nora", least=ROUNDS)):
        now = timezone.now()
        for one in range(4):
            outbox.enqueue("address_test", person=person(f"Rosa{number}x{one}"), now=now)
        emails = OutboxEmail.objects.filter(person__name__startswith=f"Rosa{number}x")
        emails.update(status="failed", error="A bug.")
        keys = list(emails.order_by("pk").values_list("pk", flat=True))
        before = AuditLine.objects.count()
        smtp.messages.clear()
        by = {who.name: ActionRequest(who, "Mended.", now) for who in (marta, nora)}
        sides = {
            "Marta": [doing(mail.send_all_again, by["Marta"], emails=keys)],
            "Nora": [doing(mail.send_all_again, by["Nora"], emails=keys[::-1])],
            "senders": [partial(delivery.drain, now=now)] * EACH,
        }
        race(sides, chance)
        delivery.drain(now=now)
        lines = AuditLine.objects.order_by("pk")[before:]
        wins.update(line.who for line in lines)
        assert sorted(line.before["email"] for line in lines) == keys
        assert set(emails.values_list("status", flat=True)) == {"sent"}
        assert sorted(one["To"] for one in smtp.messages) == sorted(
            emails.values_list("person__email", flat=True)
        )


def test_one_failed_email_is_sent_again_by_one_of_two_moderators(smtp):
    marta, nora = moderator("Marta"), moderator("Nora")
    for number, (chance, wins) in enumerate(rounds_of("Marta", "Nora", least=ROUNDS)):
        now = timezone.now()
        outbox.enqueue("address_test", person=person(f"Rosa{number}"), now=now)
        email = OutboxEmail.objects.latest("pk")
        OutboxEmail.objects.filter(pk=email.pk).update(status="failed", error="A bug.")
        smtp.messages.clear()
        about = {"email_id": email.pk, "seen": "failed"}
        sides = {
            who.name: [doing(mail.send_again, ActionRequest(who, "Mended.", now), **about)]
            for who in (marta, nora)
        }
        gave = race(sides | {"senders": [partial(delivery.drain, now=now)] * EACH}, chance)
        delivery.drain(now=now)
        [won] = [name for name in ("Marta", "Nora") if gave[name] == [True]]
        wins[won] += 1
        assert len(smtp.messages) == 1


def test_our_fault_is_taken_back_once_or_the_game_has_gone_on():
    keepers = [moderator("Marta"), moderator("Nora")]
    for number, (chance, wins) in enumerate(
        rounds_of("moderators", "player", "clock", least=ROUNDS)
    ):
        game = open_table(*(f"{name}{number}" for name in ("Anna", "Boris", "Clara")))
        due = game.deadline_at
        tick(due)
        clock.sweep(now=due)
        game.refresh_from_db()
        move = game.moves.latest("pk")
        assert move.cause == "clock"
        seat, phase, now = seats_to_move(game)[0], game.phase_no, game.deadline_at
        tick(now)
        at = now - timedelta(seconds=1)
        sides = {
            "moderators": [
                doing(
                    rewind_actions.was_our_fault,
                    GameRequest(game.pk, who, "Email was down.", seen_now(game), at),
                    move=move.pk,
                )
                for who in keepers
            ],
            "player": [handing_in(game, seat, phase, now) for _ in range(EACH)],
            "clock": [sweeping(now)] * 2,
        }
        gave = race(sides, chance)
        done = sum(gave["moderators"])
        assert done <= 1
        assert game.events.filter(kind="Rewound").count() == done
        causes = [one.cause for one in game.moves.filter(phase_no=phase, seat=seat)]
        assert len(causes) + done == 1
        wins.update(["moderators"] if done else causes)
        assert_whole(game)
        assert verify_game(game.pk) == []
