from django.db import migrations, models


class Migration(migrations.Migration):
    """Words of a help text; nothing in the database changes."""

    dependencies = [
        ("games", "0034_strangers"),
    ]

    operations = [
        migrations.AlterField(
            model_name="user",
            name="name",
            field=models.CharField(
                help_text="The other players see this name, and never your email address.",
                max_length=40,
                verbose_name="public name",
            ),
        ),
    ]
