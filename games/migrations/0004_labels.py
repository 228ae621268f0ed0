# Labels only: the database stays as it is.

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0003_cache_and_roles"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="sitting",
            options={
                "ordering": ["pk"],
                "verbose_name": "seat history entry",
                "verbose_name_plural": "seat history",
            },
        ),
        migrations.AlterField(
            model_name="order",
            name="kind",
            field=models.CharField(
                choices=[
                    ("bribe", "a bribe"),
                    ("decision", "a decision"),
                    ("sending", "scholars to send"),
                ],
                max_length=10,
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
                    ("taken_back", "upheld, then reversed"),
                ],
                default="open",
                max_length=10,
                verbose_name="state",
            ),
        ),
        migrations.AlterField(
            model_name="seat",
            name="asked_phase",
            field=models.PositiveIntegerField(default=0, verbose_name="last active phase"),
        ),
        migrations.AlterField(
            model_name="user",
            name="language",
            field=models.CharField(
                blank=True,
                choices=[("en", "English"), ("de", "Deutsch"), ("ru", "Русский")],
                default="",
                help_text="For pages and emails. If none is chosen, the browser's language is used.",
                max_length=8,
                verbose_name="language",
            ),
        ),
    ]
