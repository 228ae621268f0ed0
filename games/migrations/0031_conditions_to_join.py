from django.db import migrations, models


class Migration(migrations.Migration):
    """What a table asks of those who sit down; all tables that there are ask for nothing."""

    dependencies = [
        ("games", "0030_words_of_forms"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="least_in_time",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="game",
            name="newcomers_welcome",
            field=models.BooleanField(db_default=True, default=True),
        ),
    ]
