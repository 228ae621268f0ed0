from django.db import migrations, models


class Migration(migrations.Migration):
    """Moves keep since when they were due and until when. Of earlier ones it isn't known."""

    dependencies = [
        ("games", "0038_consequences_of_reports"),
    ]

    operations = [
        migrations.AddField(
            model_name="move",
            name="to_move_since",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="move",
            name="deadline_at",
            field=models.DateTimeField(null=True),
        ),
    ]
