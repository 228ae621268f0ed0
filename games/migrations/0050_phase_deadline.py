from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0024_names_of_fields")]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="phase_deadline_at",
            field=models.DateTimeField(null=True),
        ),
    ]
