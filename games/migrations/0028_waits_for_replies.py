from django.db import migrations, models


class Migration(migrations.Migration):
    """Computer players can wait for a reply. In running games, none does yet."""

    dependencies = [
        ("games", "0027_game_clock_of_all"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat", name="reply_until", field=models.DateTimeField(null=True)
        ),
    ]
