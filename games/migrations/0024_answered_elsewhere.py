from django.db import migrations, models

ON_ONE_LINE = """
UPDATE games_game
SET name = btrim(regexp_replace(name, E'[\\u0001-\\u001f\\u007f-\\u009f\\u2028\\u2029]+', ' ', 'g'))
WHERE name ~ E'[\\u0001-\\u001f\\u007f-\\u009f\\u2028\\u2029]'
"""


class Migration(migrations.Migration):
    """Invitations that were answered by another one; names of tables without breaks of lines."""

    dependencies = [
        ("games", "0023_promises_let_pass"),
    ]

    operations = [
        migrations.AlterField(
            model_name="invitation",
            name="status",
            field=models.CharField(
                choices=[
                    ("open", "not answered"),
                    ("accepted", "accepted"),
                    ("declined", "declined"),
                    ("elsewhere", "not answered"),
                ],
                default="open",
                max_length=10,
                verbose_name="state",
            ),
        ),
        migrations.RunSQL(ON_ONE_LINE, migrations.RunSQL.noop),
    ]
