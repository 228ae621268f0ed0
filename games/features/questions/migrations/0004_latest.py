from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """Moderators read the latest questions by an index. Without a transaction: questions go on."""

    atomic = False

    dependencies = [("questions", "0003_asking_people")]

    operations = [
        AddIndexConcurrently(
            model_name="question",
            index=models.Index(fields=["-last_at", "-id"], name="question_latest"),
        ),
    ]
