"""Times in which the clock did not tick, and games that get their time later."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0024_names_of_fields")]

    operations = [
        migrations.CreateModel(
            name="Outage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField()),
            ],
            options={
                "verbose_name": "outage of the clock",
                "verbose_name_plural": "outages of the clock",
                "ordering": ["since", "pk"],
            },
        ),
        migrations.AddField("timegrant", "waiting", models.JSONField(default=list)),
    ]
