from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import AddIndexConcurrently
from django.contrib.postgres.search import SearchVector
from django.db import migrations


class Migration(migrations.Migration):
    """Moderators find games by words of the description. Without a transaction: games go on."""

    atomic = False

    dependencies = [
        ("games", "0042_no_new_accounts"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="game",
            index=GinIndex(
                SearchVector("description", config="simple"), name="game_description_words"
            ),
        ),
    ]
