from django.db import migrations, models


class Migration(migrations.Migration):
    """The settings of a waiting table can change. Until now, none have."""

    dependencies = [
        ("games", "0032_named_to_strangers"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="settings_version",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="seat",
            name="agreed_settings",
            field=models.JSONField(null=True),
        ),
    ]
