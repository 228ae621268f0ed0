from django.db import migrations, models


class Migration(migrations.Migration):
    """People are asked whether strangers may read their names; until then nobody may."""

    dependencies = [
        ("games", "0031_conditions_to_join"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="named_to_strangers",
            field=models.BooleanField(default=None, editable=False, null=True),
        ),
    ]
