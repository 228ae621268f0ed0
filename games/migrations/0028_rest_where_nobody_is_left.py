"""Paused games in which nobody is left rest from now on, and whoever sat there is told.

Those that are not paused rest with the first sweep, which finds them due.
"""

from django.db import migrations
from django.utils import timezone


def let_them_rest(apps, schema_editor):
    Game, Seat = apps.get_model("games", "Game"), apps.get_model("games", "Seat")
    now = timezone.now()
    present = Seat.objects.filter(user__isnull=False, absent_since=None).values("game")
    paused = Game.objects.filter(status="running", paused_at__isnull=False)
    for game in paused.exclude(pk__in=present).defer("state").select_for_update():
        Game.objects.filter(pk=game.pk).update(resting_since=now)
        Seat.objects.filter(game=game).update(seconds_left=None)
        _tell(apps, game, now)


def _tell(apps, game, now):
    Event, Sitting = apps.get_model("games", "Event"), apps.get_model("games", "Sitting")
    OutboxMail = apps.get_model("games", "OutboxMail")
    last = Event.objects.filter(game=game).order_by("-seq").first()
    if last is None:
        return
    rested = Event.objects.create(
        game=game, seq=last.seq + 1, phase_no=game.phase_no, kind="GameRested", payload={},
        cause="rules", at=now,
    )
    sittings = Sitting.objects.filter(seat__game=game).order_by("seat_id", "-began_at", "-pk")
    for sitting in sittings.distinct("seat_id").select_related("user"):
        if sitting.user is not None and sitting.user.is_active:
            OutboxMail.objects.create(
                kind="game_rests", person=sitting.user, game=game, phase_no=game.phase_no,
                about=rested.seq, not_before=now, created_at=now,
            )


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0027_games_that_rest"),
    ]

    operations = [
        migrations.RunPython(let_them_rest, migrations.RunPython.noop),
    ]
