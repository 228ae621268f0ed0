"""Nothing ever read the version of a game's rules: a rule that changes becomes an option."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0028_rest_where_nobody_is_left"),
    ]

    operations = [
        migrations.RemoveField(
            model_name="game",
            name="rules_version",
        ),
    ]
