from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0035_votes_ask_absent_players")]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="phase_deadline_at",
            field=models.DateTimeField(null=True),
        ),
    ]
