from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations


class Migration(migrations.Migration):
    """The rows of before obey the constraints on the clock of a game, too."""

    dependencies = [
        ("games", "0026_game_clock"),
    ]

    operations = [
        ValidateConstraint(model_name="game", name="game_clock_while_running"),
        ValidateConstraint(model_name="game", name="game_deadline_exactly_while_going_on"),
        ValidateConstraint(model_name="game", name="game_pause_ends_after_it_began"),
        ValidateConstraint(model_name="game", name="game_talk_ends_with_its_deadline_or_waits"),
        ValidateConstraint(model_name="seat", name="seat_deadline_or_time_left"),
    ]
