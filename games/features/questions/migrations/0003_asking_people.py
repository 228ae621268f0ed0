from django.db import migrations, models


class Migration(migrations.Migration):
    """Moderators begin threads, too; nothing changes in the database."""

    dependencies = [("questions", "0002_from_addresses")]

    operations = [
        migrations.AlterField(
            "question",
            "kind",
            models.CharField(
                choices=[
                    ("game", "A question about a game"),
                    ("clock", "Why did the clock play for me?"),
                    ("email", "An email didn't arrive"),
                    ("access", "Trouble signing in"),
                    ("other", "Something else"),
                    ("report", "About a report"),
                    ("person", "A message from the moderators"),
                ],
                max_length=10,
            ),
        ),
    ]
