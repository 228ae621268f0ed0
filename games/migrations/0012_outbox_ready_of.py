from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """In a migration of its own and without a transaction: moves write email meanwhile."""

    atomic = False

    dependencies = [
        ("games", "0011_notifications"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="outboxmail",
            index=models.Index(
                condition=models.Q(("status", "ready")), fields=["person"], name="outbox_ready_of"
            ),
        ),
    ]
