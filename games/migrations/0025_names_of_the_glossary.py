import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

RENAMED = [
    ("game", "note", "description"),
    ("game", "answer_seconds", "move_seconds"),
    ("game", "again_of", "rematch_of"),
    ("game", "resting_since", "dormant_since"),
    ("game", "house_players_allowed", "computer_players_allowed"),
    ("seat", "house_player", "computer_player"),
    ("seat", "asked_phase", "to_move_phase"),
    ("seat", "asked_at", "deadline_set_at"),
    ("seat", "question_at", "to_move_since"),
    ("user", "unwanted_mails", "unwanted_emails"),
    ("user", "digest_mails", "digest_emails"),
    ("outboxpush", "mail", "email"),
    ("inboundemail", "asked", "understood"),
    ("inboundemail", "answer", "response"),
    ("export", "asked_at", "requested_at"),
    ("timegrant", "asked_by", "requested_by"),
]

NAMED_ANEW = [
    migrations.RemoveConstraint(
        model_name="game",
        name="game_deadline_exactly_while_going_on",
    ),
    migrations.RemoveConstraint(
        model_name="game",
        name="game_rests_while_running",
    ),
    migrations.RemoveConstraint(
        model_name="outboxpush",
        name="push_once",
    ),
    migrations.RemoveConstraint(
        model_name="outboxpush",
        name="push_of_mail_or_alarm",
    ),
    migrations.RemoveConstraint(
        model_name="seat",
        name="seat_person_or_house",
    ),
    migrations.RemoveIndex(
        model_name="game",
        name="game_resting",
    ),
    migrations.AlterField(
        model_name="event",
        name="cause",
        field=models.CharField(
            choices=[
                ("rules", "the rules"),
                ("player", "the player"),
                ("clock", "the clock"),
                ("house", "the computer player"),
                ("substitute", "the substitute"),
                ("moderator", "a moderator"),
                ("table", "a table vote"),
                ("host", "the host"),
            ],
            max_length=10,
            verbose_name="cause",
        ),
    ),
    migrations.AlterField(
        model_name="inboundemail",
        name="person",
        field=models.ForeignKey(
            null=True,
            on_delete=django.db.models.deletion.CASCADE,
            related_name="inbound_emails",
            to=settings.AUTH_USER_MODEL,
        ),
    ),
    migrations.AlterField(
        model_name="move",
        name="cause",
        field=models.CharField(
            choices=[
                ("rules", "the rules"),
                ("player", "the player"),
                ("clock", "the clock"),
                ("house", "the computer player"),
                ("substitute", "the substitute"),
                ("moderator", "a moderator"),
                ("table", "a table vote"),
                ("host", "the host"),
            ],
            max_length=10,
        ),
    ),
    migrations.AlterField(
        model_name="outboxemail",
        name="game",
        field=models.ForeignKey(
            null=True,
            on_delete=django.db.models.deletion.PROTECT,
            related_name="emails",
            to="games.game",
            verbose_name="game",
        ),
    ),
    migrations.AlterField(
        model_name="outboxemail",
        name="person",
        field=models.ForeignKey(
            null=True,
            on_delete=django.db.models.deletion.CASCADE,
            related_name="emails",
            to=settings.AUTH_USER_MODEL,
            verbose_name="person",
        ),
    ),
    migrations.AlterField(
        model_name="seat",
        name="computer_player",
        field=models.CharField(blank=True, max_length=20, verbose_name="computer player"),
    ),
    migrations.AlterField(
        model_name="staffnote",
        name="person",
        field=models.ForeignKey(
            on_delete=django.db.models.deletion.CASCADE,
            related_name="staff_notes",
            to=settings.AUTH_USER_MODEL,
        ),
    ),
    migrations.AlterField(
        model_name="vote",
        name="kind",
        field=models.CharField(
            choices=[
                ("pause", "pause the game"),
                ("resume", "resume the game"),
                ("extend", "extra time"),
                ("replace", "replace an absent player with a computer player"),
                ("end", "end the game early"),
                ("rewind", "rewind the game"),
            ],
            max_length=10,
            verbose_name="kind",
        ),
    ),
    migrations.AddIndex(
        model_name="game",
        index=models.Index(
            condition=models.Q(("dormant_since__isnull", False)),
            fields=["dormant_since"],
            name="game_resting",
        ),
    ),
    migrations.AddConstraint(
        model_name="game",
        constraint=models.CheckConstraint(
            condition=models.Q(
                models.Q(
                    ("deadline_at__isnull", False),
                    ("dormant_since", None),
                    ("parked_at", None),
                    ("paused_at", None),
                    ("status", "running"),
                ),
                models.Q(
                    models.Q(
                        models.Q(("status", "running"), _negated=True),
                        ("parked_at__isnull", False),
                        ("paused_at__isnull", False),
                        ("dormant_since__isnull", False),
                        _connector="OR",
                    ),
                    ("deadline_at", None),
                ),
                _connector="OR",
            ),
            name="game_deadline_exactly_while_going_on",
        ),
    ),
    migrations.AddConstraint(
        model_name="game",
        constraint=models.CheckConstraint(
            condition=models.Q(("dormant_since", None), ("status", "running"), _connector="OR"),
            name="game_rests_while_running",
        ),
    ),
    migrations.AddConstraint(
        model_name="outboxpush",
        constraint=models.UniqueConstraint(fields=("email", "subscription"), name="push_once"),
    ),
    migrations.AddConstraint(
        model_name="outboxpush",
        constraint=models.CheckConstraint(
            condition=models.Q(
                models.Q(("alarm", ""), ("email__isnull", False)),
                models.Q(("email", None), models.Q(("alarm", ""), _negated=True)),
                _connector="OR",
            ),
            name="push_of_mail_or_alarm",
        ),
    ),
    migrations.AddConstraint(
        model_name="seat",
        constraint=models.CheckConstraint(
            condition=models.Q(("user", None), ("computer_player", ""), _connector="OR"),
            name="seat_person_or_house",
        ),
    ),
]
"""What PostgreSQL has renamed with the columns by itself, and names that only Python knows."""


class Migration(migrations.Migration):
    """Tables and columns are called what the glossary calls them. Nothing is copied."""

    dependencies = [
        ("games", "0024_answered_elsewhere"),
    ]

    operations = [
        migrations.RenameModel("OutboxMail", "OutboxEmail"),
        migrations.RenameModel("InboundMail", "InboundEmail"),
        migrations.RenameModel("PersonNote", "StaffNote"),
        *[migrations.RenameField(*names) for names in RENAMED],
        migrations.SeparateDatabaseAndState(state_operations=NAMED_ANEW),
    ]
