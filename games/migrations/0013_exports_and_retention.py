"""Files with all data of a person: nobody has asked for one yet.

And until when private talk is kept: nothing has been announced yet.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0012_outbox_ready_of"),
    ]

    operations = [
        migrations.CreateModel(
            name="Export",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("asked_at", models.DateTimeField()),
                ("not_before", models.DateTimeField()),
                ("made_at", models.DateTimeField(null=True)),
                ("content", models.BinaryField(null=True)),
                (
                    "user",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="export",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="thread",
            name="kept_until",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="thread",
            name="emptied_at",
            field=models.DateTimeField(null=True),
        ),
    ]
