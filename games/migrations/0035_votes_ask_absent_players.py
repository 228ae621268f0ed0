from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0034_reports_of_tables")]

    operations = [
        migrations.AddField(
            model_name="vote",
            name="asks_absent",
            field=models.BooleanField(default=False, verbose_name="absent players are asked too"),
        ),
    ]
