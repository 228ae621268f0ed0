import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """What a decision on a report brings the person, what the reporter reads, shorter on appeal."""

    dependencies = [
        ("games", "0037_factor_resets"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="report",
            name="report_appeal_has_moment",
        ),
        migrations.RemoveConstraint(
            model_name="report",
            name="report_closed_or_not",
        ),
        migrations.AddField(
            model_name="report",
            name="to_reporter",
            field=models.TextField(
                blank=True,
                db_default="",
                default="",
                max_length=500,
                verbose_name="answer to the reporter",
            ),
        ),
        migrations.AddField(
            model_name="sanction",
            name="report",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="sanctions",
                to="games.report",
                verbose_name="report",
            ),
        ),
        migrations.AlterField(
            model_name="report",
            name="state",
            field=models.CharField(
                choices=[
                    ("open", "waiting for a moderator"),
                    ("taken", "in review"),
                    ("rejected", "dismissed"),
                    ("upheld", "upheld"),
                    ("appealed", "upheld, appeal pending"),
                    ("confirmed", "upheld, and confirmed on appeal"),
                    ("shortened", "upheld, and shortened on appeal"),
                    ("taken_back", "upheld, then reversed"),
                ],
                default="open",
                max_length=10,
                verbose_name="state",
            ),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state__in", ["appealed", "confirmed", "shortened"]), _negated=True),
                    ("appealed_at__isnull", False),
                    _connector="OR",
                ),
                name="report_appeal_has_moment",
            ),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("closed_at__isnull", False),
                        ("state__in", ["confirmed", "shortened", "taken_back"]),
                    ),
                    models.Q(
                        models.Q(
                            ("state__in", ["confirmed", "shortened", "taken_back"]), _negated=True
                        ),
                        ("closed_at", None),
                    ),
                    _connector="OR",
                ),
                name="report_closed_or_not",
            ),
        ),
    ]
