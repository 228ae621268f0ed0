from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """Moderators find email by Message-ID and address. Without a transaction: moves write email."""

    atomic = False

    dependencies = [
        ("games", "0039_time_of_moves"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="outboxemail",
            index=models.Index(
                condition=models.Q(("message_id", ""), _negated=True),
                fields=["message_id"],
                name="outbox_message_id",
            ),
        ),
        AddIndexConcurrently(
            model_name="outboxemail",
            index=models.Index(
                condition=models.Q(("person", None)), fields=["address"], name="outbox_address"
            ),
        ),
    ]
