from django.db import migrations, models


class Migration(migrations.Migration):
    """Tables say when strangers may look; those that there are as until now: afterwards."""

    dependencies = [
        ("games", "0033_settings_changed"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="strangers",
            field=models.CharField(
                choices=[
                    ("nobody", "never"),
                    ("afterwards", "when it's over, with the link"),
                    ("everyone", "at any time"),
                ],
                db_default="afterwards",
                default="afterwards",
                max_length=10,
                verbose_name="people without an account can look at the game",
            ),
        ),
    ]
