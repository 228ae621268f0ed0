from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0050_phase_deadline")]

    operations = [
        migrations.AddField("tick", "interval", models.DurationField(null=True)),
    ]
