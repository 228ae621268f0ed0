from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations
from django.db.models import CheckConstraint, F, Q

NOT_RUNNING = """
UPDATE games_game
SET parked_at = NULL, dormant_since = NULL, paused_at = NULL, paused_until = NULL,
    talk_until = NULL, talk_seconds_left = NULL
WHERE status <> 'running' AND num_nonnulls(
    parked_at, dormant_since, paused_at, paused_until, talk_until, talk_seconds_left
) > 0
"""

# Until now a game that was parked in a pause lost the pause; its players kept what was left.
PARKED_IN_A_PAUSE = """
UPDATE games_game game
SET paused_at = latest.at, paused_until = (latest.payload->>'until')::timestamptz
FROM games_event latest
WHERE game.status = 'running' AND game.parked_at IS NOT NULL AND game.paused_at IS NULL
AND (
    game.talk_seconds_left IS NOT NULL AND game.dormant_since IS NULL
    OR EXISTS (
        SELECT FROM games_seat seat WHERE seat.game_id = game.id AND seat.seconds_left IS NOT NULL
    )
)
AND latest.game_id = game.id AND latest.kind = 'GamePaused' AND latest.seq = (
    SELECT max(event.seq) FROM games_event event
    WHERE event.game_id = game.id AND event.kind IN ('GamePaused', 'GameResumed')
)
"""

# None of these was ever written, as far as we know.
TALK_WHILE_STOPPED = """
UPDATE games_game
SET talk_until = NULL, talk_seconds_left = greatest(
    0, extract(epoch FROM talk_until - least(paused_at, dormant_since))
)::integer
WHERE talk_until IS NOT NULL AND (paused_at IS NOT NULL OR dormant_since IS NOT NULL)
"""
TALK_WHILE_GOING_ON = """
UPDATE games_game
SET talk_until = coalesce(talk_until, now() + talk_seconds_left * interval '1 second'),
    deadline_at = coalesce(talk_until, now() + talk_seconds_left * interval '1 second'),
    talk_seconds_left = NULL
WHERE deadline_at IS NOT NULL AND (talk_seconds_left IS NOT NULL OR talk_until <> deadline_at)
"""
TALK_TWICE = """
UPDATE games_game SET talk_seconds_left = NULL
WHERE talk_until IS NOT NULL AND talk_seconds_left IS NOT NULL
"""
PAUSE_ENDS_BEFORE_IT_BEGAN = """
UPDATE games_game SET paused_until = paused_at + interval '1 second'
WHERE paused_until <= paused_at
"""
DEADLINE_AND_TIME_LEFT = """
UPDATE games_seat SET seconds_left = NULL
WHERE deadline_at IS NOT NULL AND seconds_left IS NOT NULL
"""

REPAIRS = (
    NOT_RUNNING, TALK_WHILE_STOPPED, TALK_WHILE_GOING_ON, TALK_TWICE,
    PAUSE_ENDS_BEFORE_IT_BEGAN, DEADLINE_AND_TIME_LEFT,
)  # fmt: skip

IS_STOPPED = ~Q(parked_at=None, dormant_since=None, paused_at=None)
GOES_ON = Q(status="running") & ~IS_STOPPED

GAME_CONSTRAINTS = (
    CheckConstraint(
        condition=Q(status="running")
        | Q(
            parked_at=None,
            dormant_since=None,
            paused_at=None,
            paused_until=None,
            talk_until=None,
            talk_seconds_left=None,
        ),
        name="game_clock_while_running",
    ),
    CheckConstraint(
        condition=GOES_ON & Q(deadline_at__isnull=False) | ~GOES_ON & Q(deadline_at=None),
        name="game_deadline_exactly_while_going_on",
    ),
    CheckConstraint(
        condition=Q(paused_until=None)
        | Q(paused_at__isnull=False, paused_until__gt=F("paused_at")),
        name="game_pause_ends_after_it_began",
    ),
    CheckConstraint(
        condition=Q(talk_until=None, talk_seconds_left=None)
        | Q(talk_until__isnull=False, talk_seconds_left=None, dormant_since=None, paused_at=None)
        & (Q(parked_at__isnull=False) | Q(talk_until=F("deadline_at")))
        | Q(talk_until=None, talk_seconds_left__isnull=False) & IS_STOPPED,
        name="game_talk_ends_with_its_deadline_or_waits",
    ),
)


class Migration(migrations.Migration):
    """What can't be of the clock of a game can't be written. Old rows are checked by the next."""

    dependencies = [
        ("games", "0025_names_of_the_glossary"),
    ]

    operations = [
        *(migrations.RunSQL(repair, migrations.RunSQL.noop) for repair in REPAIRS),
        *(
            migrations.RemoveConstraint(model_name="game", name=name)
            for name in (
                "game_deadline_exactly_while_going_on",
                "game_paused_while_running",
                "game_rests_while_running",
            )
        ),
        migrations.RunSQL(PARKED_IN_A_PAUSE, migrations.RunSQL.noop),
        *(
            AddConstraintNotValid(model_name="game", constraint=constraint)
            for constraint in GAME_CONSTRAINTS
        ),
        AddConstraintNotValid(
            model_name="seat",
            constraint=CheckConstraint(
                condition=Q(deadline_at=None) | Q(seconds_left=None),
                name="seat_deadline_or_time_left",
            ),
        ),
    ]
