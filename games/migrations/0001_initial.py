"""All tables of the game."""

import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
import django.db.models.functions.comparison
import django.db.models.functions.text
import django.utils.timezone
import games.models.game
import games.models.people
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="NoMoreInvitations",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=64, unique=True)),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Outage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField()),
            ],
            options={
                "verbose_name": "clock outage",
                "verbose_name_plural": "clock outages",
                "ordering": ["since", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Tick",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=20, unique=True)),
                ("at", models.DateTimeField()),
                ("interval", models.DurationField(null=True)),
            ],
            options={
                "verbose_name": "tick",
                "verbose_name_plural": "ticks",
            },
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                (
                    "last_login",
                    models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                ),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "email",
                    models.EmailField(
                        error_messages={"unique": "An account with this address already exists."},
                        help_text="In lowercase. Only moderators see it.",
                        max_length=254,
                        unique=True,
                        verbose_name="email address",
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        help_text="This is what everyone sees, not your email address.",
                        max_length=40,
                        verbose_name="public name",
                    ),
                ),
                (
                    "name_key",
                    models.TextField(default=None, editable=False, null=True, unique=True),
                ),
                (
                    "time_zone",
                    models.CharField(
                        choices=games.models.people.time_zones,
                        default="UTC",
                        help_text="Deadlines are shown in this time zone.",
                        max_length=64,
                        verbose_name="time zone",
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        blank=True,
                        choices=[("en", "English"), ("de", "Deutsch"), ("ru", "Русский")],
                        default="",
                        help_text="For pages and emails. If none is chosen, the browser's language.",
                        max_length=8,
                        verbose_name="language",
                    ),
                ),
                ("unwanted_mails", models.JSONField(blank=True, default=list)),
                ("is_staff", models.BooleanField(default=False, verbose_name="moderator")),
                ("is_active", models.BooleanField(default=True, verbose_name="active")),
                (
                    "date_joined",
                    models.DateTimeField(
                        default=django.utils.timezone.now, verbose_name="joined on"
                    ),
                ),
                ("warned", models.BooleanField(default=False)),
                (
                    "muted_until",
                    models.DateTimeField(blank=True, null=True, verbose_name="muted until"),
                ),
                (
                    "suspended_until",
                    models.DateTimeField(blank=True, null=True, verbose_name="suspended until"),
                ),
                (
                    "needs_second_factor",
                    models.BooleanField(
                        default=False, verbose_name="must use two-factor authentication"
                    ),
                ),
                (
                    "refused_email",
                    models.EmailField(
                        blank=True, default="", max_length=254, verbose_name="rejected address"
                    ),
                ),
                (
                    "refused_email_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="rejected on"),
                ),
                (
                    "refused_email_why",
                    models.CharField(
                        blank=True,
                        default="",
                        max_length=200,
                        verbose_name="reason for the rejection",
                    ),
                ),
                ("sessions_ended", models.PositiveIntegerField(default=0)),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "person",
                "verbose_name_plural": "people",
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(
                        django.contrib.postgres.search.SearchVector(
                            "name", "email", config="simple"
                        ),
                        name="user_words",
                    ),
                    models.Index(
                        condition=models.Q(("refused_email", ""), _negated=True),
                        fields=["-refused_email_at"],
                        name="user_refused",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("email", django.db.models.functions.text.Lower(models.F("email")))
                        ),
                        name="user_email_in_small_letters",
                        violation_error_message="Please write the address in lowercase.",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Acquaintance",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=200)),
                ("declared_at", models.DateTimeField()),
                ("confirmed_at", models.DateTimeField(null=True)),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.comparison.Least("person", "other"),
                        django.db.models.functions.comparison.Greatest("person", "other"),
                        name="acquaintance_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("person", models.F("other")), _negated=True),
                        name="acquaintance_of_somebody_else",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Block",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "blocked",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "blocker",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="blocks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("blocker", "blocked"), name="block_once"),
                    models.CheckConstraint(
                        condition=models.Q(("blocker", models.F("blocked")), _negated=True),
                        name="block_somebody_else",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "token",
                    models.CharField(
                        default=games.models.game.new_token,
                        editable=False,
                        max_length=32,
                        unique=True,
                        verbose_name="link",
                    ),
                ),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                (
                    "edition",
                    models.CharField(
                        choices=[
                            ("mayfair-2005", "Intrigue, Mayfair 2005"),
                            ("fx-schmid-1994", "Intrige, F.X. Schmid 1994"),
                            ("russian", "Интрига, Russian rules"),
                            ("reference-manual", "Intrigue, reference manual"),
                        ],
                        max_length=40,
                        verbose_name="edition",
                    ),
                ),
                (
                    "options",
                    models.JSONField(blank=True, default=dict, verbose_name="rule options"),
                ),
                ("size", models.PositiveSmallIntegerField(verbose_name="seats")),
                ("note", models.CharField(blank=True, max_length=500, verbose_name="description")),
                ("listed", models.BooleanField(default=False, verbose_name="listed")),
                ("house_players_allowed", models.BooleanField(default=True)),
                (
                    "absent_player",
                    models.CharField(
                        default="default",
                        max_length=20,
                        verbose_name="who plays for absent players",
                    ),
                ),
                ("answer_seconds", models.PositiveIntegerField(verbose_name="time per move")),
                (
                    "time_zone",
                    models.CharField(default="UTC", max_length=64, verbose_name="time zone"),
                ),
                ("no_play_days", models.JSONField(blank=True, default=list)),
                ("fixed_hour", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("days_off", models.PositiveSmallIntegerField(default=7, verbose_name="days off")),
                ("guided", models.BooleanField(default=False)),
                ("opening_token", models.UUIDField(editable=False, null=True, unique=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting for players"),
                            ("running", "running"),
                            ("finished", "finished"),
                            ("cancelled", "cancelled"),
                            ("abandoned", "abandoned"),
                        ],
                        default="waiting",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("seed", models.BigIntegerField()),
                ("state", models.JSONField(null=True)),
                ("phase_no", models.PositiveIntegerField(default=0, verbose_name="phase")),
                ("phase_opened_at", models.DateTimeField(null=True)),
                ("deadline_at", models.DateTimeField(null=True, verbose_name="deadline")),
                ("attempts", models.PositiveSmallIntegerField(default=0, verbose_name="attempts")),
                ("retry_at", models.DateTimeField(null=True, verbose_name="next attempt")),
                ("parked_at", models.DateTimeField(null=True, verbose_name="parked since")),
                ("paused_at", models.DateTimeField(null=True, verbose_name="paused since")),
                ("paused_until", models.DateTimeField(null=True, verbose_name="paused until")),
                ("resting_since", models.DateTimeField(null=True, verbose_name="dormant since")),
                (
                    "closed_to_newcomers",
                    models.BooleanField(default=False, verbose_name="closed to newcomers"),
                ),
                ("error", models.TextField(blank=True, verbose_name="error")),
                ("created_at", models.DateTimeField(verbose_name="opened on")),
                ("started_at", models.DateTimeField(null=True, verbose_name="started on")),
                ("finished_at", models.DateTimeField(null=True, verbose_name="ended on")),
                (
                    "again_of",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to="games.game",
                    ),
                ),
                (
                    "host",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="hosted_games",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="host",
                    ),
                ),
            ],
            options={
                "verbose_name": "game",
                "verbose_name_plural": "games",
                "permissions": [
                    ("moderate_game", "Can keep order at games"),
                    ("administer_site", "Can keep order on the site"),
                ],
                "indexes": [
                    models.Index(
                        condition=models.Q(("deadline_at__isnull", False)),
                        fields=["deadline_at"],
                        name="game_due",
                    ),
                    models.Index(
                        condition=models.Q(("paused_until__isnull", False)),
                        fields=["paused_until"],
                        name="game_pause_over",
                    ),
                    models.Index(
                        condition=models.Q(("resting_since__isnull", False)),
                        fields=["resting_since"],
                        name="game_resting",
                    ),
                    models.Index(fields=["status", "-id"], name="game_status_newest"),
                    django.contrib.postgres.indexes.GinIndex(
                        django.contrib.postgres.search.SearchVector("name", config="simple"),
                        name="game_words",
                    ),
                    models.Index(
                        condition=models.Q(("parked_at__isnull", False)),
                        fields=["parked_at"],
                        name="game_parked",
                    ),
                    models.Index(
                        condition=models.Q(("paused_at__isnull", False)),
                        fields=["paused_at"],
                        name="game_paused",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("size__gte", 3), ("size__lte", 5)),
                        name="game_3_to_5_seats",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("fixed_hour", None), ("fixed_hour__lte", 23), _connector="OR"
                        ),
                        name="game_hour_of_the_day",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("deadline_at__isnull", False),
                                ("parked_at", None),
                                ("paused_at", None),
                                ("resting_since", None),
                                ("status", "running"),
                            ),
                            models.Q(
                                models.Q(
                                    models.Q(("status", "running"), _negated=True),
                                    ("parked_at__isnull", False),
                                    ("paused_at__isnull", False),
                                    ("resting_since__isnull", False),
                                    _connector="OR",
                                ),
                                ("deadline_at", None),
                            ),
                            _connector="OR",
                        ),
                        name="game_deadline_exactly_while_going_on",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("paused_at", None), ("paused_until", None)),
                            models.Q(
                                ("parked_at", None),
                                ("paused_at__isnull", False),
                                ("status", "running"),
                            ),
                            _connector="OR",
                        ),
                        name="game_paused_while_running",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("resting_since", None), ("status", "running"), _connector="OR"
                        ),
                        name="game_rests_while_running",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("status__in", ("waiting", "cancelled")),
                            ("state__isnull", False),
                            _connector="OR",
                        ),
                        name="game_started_has_state",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.PositiveIntegerField(verbose_name="step")),
                ("phase_no", models.PositiveIntegerField(verbose_name="phase")),
                ("kind", models.CharField(max_length=40, verbose_name="kind")),
                ("payload", models.JSONField()),
                (
                    "cause",
                    models.CharField(
                        choices=[
                            ("rules", "the rules"),
                            ("player", "the player"),
                            ("clock", "the clock"),
                            ("house", "the house player"),
                            ("substitute", "the substitute"),
                            ("moderator", "a moderator"),
                            ("table", "a table vote"),
                            ("host", "the host"),
                        ],
                        max_length=10,
                        verbose_name="cause",
                    ),
                ),
                ("at", models.DateTimeField(verbose_name="time")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
            ],
            options={
                "verbose_name": "event",
                "verbose_name_plural": "events",
                "ordering": ["game", "seq"],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "seq"), name="event_numbered_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Draft",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "about",
                    models.CharField(
                        choices=[("answer", "answer"), ("talk", "chat message")], max_length=10
                    ),
                ),
                ("phase_no", models.PositiveIntegerField(default=0)),
                ("fields", models.JSONField(default=dict)),
                ("at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drafts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drafts",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("game", "user", "about"), name="draft_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="AuditLine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(verbose_name="time")),
                ("who", models.CharField(max_length=60, verbose_name="who")),
                ("action", models.CharField(max_length=30, verbose_name="what")),
                ("reason", models.CharField(blank=True, max_length=500, verbose_name="reason")),
                ("before", models.JSONField(blank=True, default=dict, verbose_name="before")),
                ("after", models.JSONField(blank=True, default=dict, verbose_name="after")),
                (
                    "moderator",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="audit_lines",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="audit_lines",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
            ],
            options={
                "verbose_name": "audit log entry",
                "verbose_name_plural": "audit log",
                "ordering": ["-pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("person__isnull", False)),
                        fields=["person", "-id"],
                        name="audit_person",
                    ),
                    models.Index(
                        django.db.models.functions.text.Lower("who"),
                        models.OrderBy(models.F("id"), descending=True),
                        name="audit_who",
                    ),
                    models.Index(fields=["action", "-id"], name="audit_action"),
                    models.Index(fields=["at"], name="audit_at"),
                    django.contrib.postgres.indexes.GinIndex(
                        django.contrib.postgres.search.SearchVector("reason", config="simple"),
                        name="audit_words",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="HeldSanction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.CharField(max_length=64)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("warning", "a warning"),
                            ("mute", "muted"),
                            ("suspension", "suspended"),
                            ("ban", "banned"),
                        ],
                        max_length=10,
                    ),
                ),
                ("reason", models.CharField(max_length=500)),
                ("at", models.DateTimeField()),
                ("until", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["until"], name="held_sanction_until"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("address", "kind"), name="held_sanction_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("email", models.EmailField(max_length=254, verbose_name="address")),
                (
                    "token",
                    models.CharField(
                        default=games.models.game.new_token,
                        editable=False,
                        max_length=32,
                        unique=True,
                    ),
                ),
                ("by_name", models.BooleanField(default=False, editable=False)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "not answered"),
                            ("accepted", "accepted"),
                            ("declined", "declined"),
                        ],
                        default="open",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("created_at", models.DateTimeField(verbose_name="sent on")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "invited_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="invited by",
                    ),
                ),
            ],
            options={
                "verbose_name": "invitation",
                "verbose_name_plural": "invitations",
                "ordering": ["pk"],
                "indexes": [
                    models.Index(fields=["email", "created_at"], name="invitation_of_address"),
                    django.contrib.postgres.indexes.GinIndex(
                        django.contrib.postgres.search.SearchVector("email", config="simple"),
                        name="invitation_words",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "email", "invited_by", "by_name"), name="invitation_once"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MailServer",
            fields=[
                (
                    "id",
                    models.PositiveSmallIntegerField(
                        default=1, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("unavailable_since", models.DateTimeField(null=True)),
                ("tried_at", models.DateTimeField(null=True)),
                ("error", models.TextField(blank=True)),
                ("last_sent_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("id", 1)), name="mail_server_one_row"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat_number", models.PositiveSmallIntegerField(null=True, verbose_name="seat")),
                ("text", models.TextField(max_length=2000, verbose_name="text")),
                ("round", models.PositiveSmallIntegerField(null=True, verbose_name="round")),
                (
                    "turn_of",
                    models.PositiveSmallIntegerField(
                        null=True, verbose_name="seat whose turn it was"
                    ),
                ),
                ("by_referee", models.BooleanField(default=False, verbose_name="by the referee")),
                (
                    "act",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("renamed", "the table was renamed"),
                            ("note_removed", "the description was removed"),
                        ],
                        default="",
                        editable=False,
                        max_length=20,
                        verbose_name="action",
                    ),
                ),
                ("token", models.UUIDField(unique=True)),
                ("at", models.DateTimeField(verbose_name="time")),
                (
                    "author",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="author",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="messages",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
            ],
            options={
                "verbose_name": "message",
                "verbose_name_plural": "messages",
                "ordering": ["pk"],
                "indexes": [
                    models.Index(fields=["game", "id"], name="message_of_game"),
                    models.Index(fields=["author", "at"], name="message_of_author"),
                    django.contrib.postgres.indexes.GinIndex(
                        django.contrib.postgres.search.SearchVector("text", config="simple"),
                        name="message_words",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MutedGame",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="muted_games",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("user", "game"), name="muted_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField(max_length=10000)),
                ("at", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notes",
                        to="games.game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("game", "user"), name="note_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="OutboxMail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=20, verbose_name="kind")),
                ("address", models.EmailField(blank=True, max_length=254, verbose_name="address")),
                ("phase_no", models.PositiveIntegerField(default=0)),
                ("deadline_version", models.PositiveIntegerField(default=0)),
                ("about", models.BigIntegerField(default=0)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("ready", "waiting to be sent"),
                            ("sending", "being sent"),
                            ("sent", "sent"),
                            ("dropped", "not sent: no longer relevant"),
                            ("failed", "failed"),
                            ("suspended", "not sent: address rejected"),
                        ],
                        default="ready",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0, verbose_name="attempts")),
                ("not_before", models.DateTimeField(verbose_name="not before")),
                ("claimed_at", models.DateTimeField(null=True)),
                ("sent_at", models.DateTimeField(null=True, verbose_name="sent on")),
                (
                    "message_id",
                    models.CharField(blank=True, max_length=320, verbose_name="Message-ID"),
                ),
                ("error", models.TextField(blank=True, verbose_name="error")),
                ("created_at", models.DateTimeField(verbose_name="written on")),
                (
                    "game",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="mails",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mails",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "email",
                "verbose_name_plural": "emails",
                "indexes": [
                    models.Index(fields=["kind", "-id"], name="outbox_kind_newest"),
                    models.Index(
                        condition=models.Q(("status", "ready")),
                        fields=["not_before"],
                        name="outbox_ready",
                    ),
                    models.Index(
                        condition=models.Q(("status", "failed")),
                        fields=["-created_at"],
                        name="outbox_failed",
                    ),
                    models.Index(
                        condition=models.Q(("status", "sending")),
                        fields=["claimed_at"],
                        name="outbox_sending",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=(
                            "game",
                            "phase_no",
                            "deadline_version",
                            "kind",
                            "person",
                            "address",
                            "about",
                        ),
                        name="mail_once",
                        nulls_distinct=False,
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("address", ""), ("person__isnull", False)),
                            models.Q(("person", None), models.Q(("address", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="mail_to_person_or_address",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PersonNote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField(max_length=2000)),
                ("at", models.DateTimeField()),
                (
                    "author",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notes_about",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Reason",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.PositiveIntegerField(verbose_name="step")),
                ("text", models.CharField(max_length=500, verbose_name="text")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reasons",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
            ],
            options={
                "verbose_name": "reason",
                "verbose_name_plural": "reasons",
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(
                        django.contrib.postgres.search.SearchVector("text", config="simple"),
                        name="reason_words",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "seq"), name="reason_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("token", models.UUIDField(editable=False, unique=True)),
                (
                    "table_words",
                    models.TextField(blank=True, verbose_name="name and description of the table"),
                ),
                ("text", models.TextField(blank=True, max_length=2000, verbose_name="why")),
                ("at", models.DateTimeField(verbose_name="time")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "waiting for a moderator"),
                            ("taken", "taken by a moderator"),
                            ("rejected", "dismissed"),
                            ("upheld", "upheld"),
                            ("appealed", "upheld, appeal pending"),
                            ("confirmed", "upheld, and confirmed on appeal"),
                            ("taken_back", "upheld, then reversed"),
                        ],
                        default="open",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("outcome", models.TextField(blank=True, max_length=500, verbose_name="decision")),
                ("decided_at", models.DateTimeField(null=True, verbose_name="decided on")),
                ("appeal", models.TextField(blank=True, max_length=2000, verbose_name="appeal")),
                ("appealed_at", models.DateTimeField(null=True, verbose_name="appealed on")),
                (
                    "last_word",
                    models.TextField(blank=True, max_length=500, verbose_name="final decision"),
                ),
                ("closed_at", models.DateTimeField(null=True, verbose_name="closed on")),
                (
                    "closed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="closed by",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reports",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reports",
                        to="games.message",
                        verbose_name="message",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="owner",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="reports_about",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="reported person",
                    ),
                ),
                (
                    "reporter",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="reports_made",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="reported by",
                    ),
                ),
            ],
            options={
                "verbose_name": "report",
                "verbose_name_plural": "reports",
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["open", "taken", "appealed"])),
                        fields=["at"],
                        name="report_waiting",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(
                            ("message__isnull", False), ("state__in", ["open", "taken"])
                        ),
                        fields=("reporter", "message"),
                        name="report_of_message_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(
                            ("message", None), ("state__in", ["open", "taken"]), ("table_words", "")
                        ),
                        fields=("reporter", "person"),
                        name="report_of_person_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(
                            ("state__in", ["open", "taken"]),
                            models.Q(("table_words", ""), _negated=True),
                        ),
                        fields=("reporter", "game"),
                        name="report_of_table_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("table_words", ""),
                            models.Q(("game__isnull", False), ("message", None)),
                            _connector="OR",
                        ),
                        name="report_of_table_at_table",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reporter", models.F("person")), _negated=True),
                        name="report_of_another",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("message", None), ("game__isnull", False), _connector="OR"
                        ),
                        name="report_message_at_table",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "open"), _negated=True),
                            ("owner", None),
                            _connector="OR",
                        ),
                        name="report_open_without_owner",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("decided_at", None), ("state__in", ["open", "taken"])),
                            models.Q(
                                models.Q(("state__in", ["open", "taken"]), _negated=True),
                                ("decided_at__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="report_decided_or_not",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state__in", ["appealed", "confirmed"]), _negated=True),
                            ("appealed_at__isnull", False),
                            _connector="OR",
                        ),
                        name="report_appeal_has_moment",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("closed_at__isnull", False),
                                ("state__in", ["confirmed", "taken_back"]),
                            ),
                            models.Q(
                                models.Q(("state__in", ["confirmed", "taken_back"]), _negated=True),
                                ("closed_at", None),
                            ),
                            _connector="OR",
                        ),
                        name="report_closed_or_not",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Redaction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("who", models.CharField(max_length=60, verbose_name="removed by")),
                ("reason", models.CharField(max_length=500, verbose_name="reason")),
                ("text", models.TextField(blank=True, verbose_name="text")),
                ("at", models.DateTimeField(verbose_name="time")),
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="redaction",
                        to="games.message",
                        verbose_name="message",
                    ),
                ),
                (
                    "moderator",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="moderator",
                    ),
                ),
                (
                    "report",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="redactions",
                        to="games.report",
                        verbose_name="report",
                    ),
                ),
            ],
            options={
                "verbose_name": "removed message",
                "verbose_name_plural": "removed messages",
                "indexes": [
                    models.Index(
                        condition=models.Q(("text", ""), _negated=True),
                        fields=["at"],
                        name="redaction_kept",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Sanction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("warning", "a warning"),
                            ("mute", "muted"),
                            ("suspension", "suspended"),
                            ("ban", "banned"),
                        ],
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                ("reason", models.CharField(max_length=500, verbose_name="reason")),
                ("at", models.DateTimeField(verbose_name="time")),
                ("until", models.DateTimeField(null=True, verbose_name="until")),
                ("ended_at", models.DateTimeField(null=True, verbose_name="lifted on")),
                ("seen_at", models.DateTimeField(null=True, verbose_name="read on")),
                ("appeal", models.TextField(blank=True, max_length=2000, verbose_name="appeal")),
                ("appealed_at", models.DateTimeField(null=True, verbose_name="appealed on")),
                ("answer", models.CharField(blank=True, max_length=500, verbose_name="answer")),
                ("answered_at", models.DateTimeField(null=True, verbose_name="answered on")),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="decided by",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sanctions",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "sanction",
                "verbose_name_plural": "sanctions",
                "ordering": ["-pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("answered_at", None), ("appealed_at__isnull", False)),
                        fields=["appealed_at"],
                        name="sanction_appeals",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(
                            ("ended_at", None), models.Q(("kind", "warning"), _negated=True)
                        ),
                        fields=("person", "kind"),
                        name="sanction_one_at_a_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind__in", ("warning", "ban")), ("until", None)),
                            models.Q(
                                ("kind__in", ("mute", "suspension")), ("until__gt", models.F("at"))
                            ),
                            _connector="OR",
                        ),
                        name="sanction_ends_or_not",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("answered_at", None), ("appeal", ""), ("appealed_at", None)),
                            models.Q(
                                ("appealed_at__isnull", False),
                                models.Q(("appeal", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="sanction_appealed_in_words",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(null=True, verbose_name="number")),
                (
                    "house_player",
                    models.CharField(blank=True, max_length=20, verbose_name="house player"),
                ),
                ("joined_at", models.DateTimeField(verbose_name="joined on")),
                (
                    "asked_phase",
                    models.PositiveIntegerField(default=0, verbose_name="last to move in phase"),
                ),
                ("asked_at", models.DateTimeField(null=True)),
                ("deadline_at", models.DateTimeField(null=True, verbose_name="deadline")),
                (
                    "deadline_version",
                    models.PositiveIntegerField(default=0, verbose_name="deadlines so far"),
                ),
                ("full_time", models.BooleanField(default=True)),
                ("phase_deadline_at", models.DateTimeField(null=True)),
                ("remind_at", models.DateTimeField(null=True, verbose_name="reminder")),
                ("seconds_left", models.PositiveIntegerField(null=True)),
                ("missed", models.JSONField(default=list)),
                ("last_miss_at", models.DateTimeField(null=True)),
                ("absent_since", models.DateTimeField(null=True, verbose_name="absent since")),
                ("days_off_left", models.PositiveSmallIntegerField(default=0)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="seats",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "seat",
                "verbose_name_plural": "seats",
                "ordering": ["number", "pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("remind_at__isnull", False)),
                        fields=["remind_at"],
                        name="seat_reminder",
                    ),
                    models.Index(
                        condition=models.Q(("absent_since__isnull", False)),
                        fields=["absent_since"],
                        name="seat_absent",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "number"), name="seat_number_once"),
                    models.UniqueConstraint(fields=("game", "user"), name="seat_person_once"),
                    models.CheckConstraint(
                        condition=models.Q(("user", None), ("house_player", ""), _connector="OR"),
                        name="seat_person_or_house",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Order",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("bribe", "a bribe"),
                            ("decision", "a decision"),
                            ("sending", "a sending"),
                        ],
                        max_length=10,
                    ),
                ),
                ("scholar", models.CharField(blank=True, max_length=40)),
                ("formula", models.JSONField()),
                ("wait_if_addressed", models.BooleanField(default=False)),
                ("made_at", models.DateTimeField()),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="orders",
                        to="games.seat",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("seat", "kind", "scholar"), name="order_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Move",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("phase_no", models.PositiveIntegerField()),
                ("move", models.JSONField()),
                ("by_order", models.BooleanField(default=False)),
                ("abandoned", models.BooleanField(default=False)),
                (
                    "cause",
                    models.CharField(
                        choices=[
                            ("rules", "the rules"),
                            ("player", "the player"),
                            ("clock", "the clock"),
                            ("house", "the house player"),
                            ("substitute", "the substitute"),
                            ("moderator", "a moderator"),
                            ("table", "a table vote"),
                            ("host", "the host"),
                        ],
                        max_length=10,
                    ),
                ),
                ("token", models.UUIDField(null=True, unique=True)),
                ("at", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="moves",
                        to="games.game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="moves",
                        to="games.seat",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "phase_no", "seat"), name="move_once_for_phase_and_seat"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Miss",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("phase_no", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="misses",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="misses",
                        to="games.seat",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("seat", "phase_no"), name="miss_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="DaysOff",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("first_day", models.DateField(verbose_name="first day")),
                ("last_day", models.DateField(verbose_name="last day")),
                ("announced_at", models.DateTimeField(verbose_name="announced on")),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="days_off",
                        to="games.seat",
                        verbose_name="seat",
                    ),
                ),
            ],
            options={
                "verbose_name": "days off",
                "verbose_name_plural": "days off",
                "ordering": ["first_day", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("last_day__gte", models.F("first_day"))),
                        name="days_off_in_order",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SecretsRevealed",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("balances", models.BooleanField(default=False)),
                ("orders", models.BooleanField(default=False)),
                ("notes", models.BooleanField(default=False)),
                ("reason", models.CharField(max_length=500)),
                ("at", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="secrets_revealed",
                        to="games.game",
                    ),
                ),
                (
                    "moderator",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "revealed secrets",
                "verbose_name_plural": "revealed secrets",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("balances", True), ("orders", True), ("notes", True), _connector="OR"
                        ),
                        name="secrets_revealed_something",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SharedBrowser",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("last_at", models.DateTimeField()),
                ("cleared_at", models.DateTimeField(null=True)),
                (
                    "first",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("cleared_at", None)),
                        fields=["-last_at"],
                        name="shared_browser_open",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("first", "second"), name="shared_browser_once"),
                    models.CheckConstraint(
                        condition=models.Q(("first__lt", models.F("second"))),
                        name="shared_browser_pair",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SignIn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("device", models.CharField(max_length=32)),
                ("address", models.GenericIPAddressField()),
                ("agent", models.CharField(max_length=200)),
                ("first_at", models.DateTimeField()),
                ("last_at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sign_ins",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["device"], name="sign_in_device"),
                    models.Index(fields=["address"], name="sign_in_address"),
                    models.Index(fields=["last_at"], name="sign_in_last"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "device", "address"), name="sign_in_once"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SiteState",
            fields=[
                (
                    "id",
                    models.PositiveSmallIntegerField(
                        default=1, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("notice", models.TextField(blank=True, max_length=1000)),
                ("notice_until", models.DateTimeField(null=True)),
                ("no_new_games_since", models.DateTimeField(null=True)),
                ("no_new_games_until", models.DateTimeField(null=True)),
                ("no_new_games_why", models.CharField(blank=True, max_length=500)),
                ("maintenance_since", models.DateTimeField(null=True)),
                ("maintenance_until", models.DateTimeField(null=True)),
                ("maintenance_why", models.CharField(blank=True, max_length=500)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", 1)), name="site_state_one_row")
                ],
            },
        ),
        migrations.CreateModel(
            name="Sitting",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("began_at", models.DateTimeField(verbose_name="since")),
                ("ended_at", models.DateTimeField(null=True, verbose_name="until")),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sittings",
                        to="games.seat",
                        verbose_name="seat",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="sittings",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "seat tenure",
                "verbose_name_plural": "seat tenures",
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None)),
                        fields=("seat",),
                        name="sitting_one_at_a_time",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TimeGrant",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("hours", "extra hours"),
                            ("downtime", "downtime"),
                            ("maintenance", "maintenance"),
                        ],
                        max_length=20,
                    ),
                ),
                ("hours", models.PositiveSmallIntegerField(default=0)),
                ("starts_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField()),
                ("why", models.CharField(max_length=500)),
                ("token", models.UUIDField(null=True, unique=True)),
                ("last_game_id", models.BigIntegerField(default=0)),
                ("games_expected", models.PositiveIntegerField(default=0)),
                ("games_done", models.PositiveIntegerField(default=0)),
                ("games_moved", models.PositiveIntegerField(default=0)),
                ("waiting", models.JSONField(default=list)),
                ("failures", models.JSONField(default=list)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)),
                        fields=["id"],
                        name="time_grant_open",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("hours__gt", 0),
                                ("kind", "hours"),
                                ("starts_at", models.F("ends_at")),
                            ),
                            models.Q(
                                models.Q(("kind", "hours"), _negated=True),
                                ("hours", 0),
                                ("starts_at__lte", models.F("ends_at")),
                            ),
                            _connector="OR",
                        ),
                        name="time_grant_hours_or_period",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Visit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("last_message", models.BigIntegerField(default=0)),
                ("last_event", models.PositiveIntegerField(default=0)),
                ("at", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="visits",
                        to="games.game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="visits",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("game", "user"), name="visit_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Vote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("pause", "pause the game"),
                            ("resume", "resume the game"),
                            ("extend", "extra time"),
                            ("replace", "replace an absent player with a house player"),
                            ("end", "end the game early"),
                            ("rewind", "rewind the game"),
                        ],
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                (
                    "amount",
                    models.PositiveSmallIntegerField(null=True, verbose_name="days or hours"),
                ),
                ("seat_number", models.PositiveSmallIntegerField(null=True, verbose_name="seat")),
                ("to_seq", models.PositiveIntegerField(null=True, verbose_name="back to step")),
                ("opened_at", models.DateTimeField(verbose_name="opened on")),
                ("closes_at", models.DateTimeField(verbose_name="closes on")),
                (
                    "asks_absent",
                    models.BooleanField(default=False, verbose_name="absent players can vote too"),
                ),
                ("closed_at", models.DateTimeField(null=True, verbose_name="closed on")),
                ("passed", models.BooleanField(null=True, verbose_name="passed")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="votes",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "opened_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "vote",
                "verbose_name_plural": "votes",
                "ordering": ["pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("closed_at", None)),
                        fields=["closes_at"],
                        name="vote_open",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("closed_at", None)),
                        fields=("game", "kind"),
                        name="vote_one_of_a_kind",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("closed_at", None), ("passed", None)),
                            models.Q(("closed_at__isnull", False), ("passed__isnull", False)),
                            _connector="OR",
                        ),
                        name="vote_open_or_decided",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Ballot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("yes", models.BooleanField()),
                ("at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "vote",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ballots",
                        to="games.vote",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("vote", "user"), name="ballot_once"),
                ],
            },
        ),
    ]
