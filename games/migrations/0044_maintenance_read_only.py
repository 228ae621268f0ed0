from django.db import migrations, models


class Migration(migrations.Migration):
    """Moderators can act during a maintenance, unless it is begun as read-only."""

    dependencies = [
        ("games", "0043_words_of_descriptions"),
    ]

    operations = [
        migrations.AddField(
            model_name="sitestate",
            name="maintenance_read_only",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
