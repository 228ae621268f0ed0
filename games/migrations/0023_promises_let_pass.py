from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0022_names_when_reported"),
    ]

    operations = [
        migrations.AddField(
            model_name="sitting",
            name="promises_let_pass",
            field=models.PositiveSmallIntegerField(null=True),
        ),
    ]
