from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0036_phase_deadline")]

    operations = [
        migrations.AddField("tick", "interval", models.DurationField(null=True)),
    ]
