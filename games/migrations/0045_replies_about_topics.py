from django.db import migrations, models


class Migration(migrations.Migration):
    """Replies by email to what is about no table. The rows are those of a week."""

    dependencies = [
        ("games", "0044_maintenance_read_only"),
    ]

    operations = [
        migrations.AddField(
            model_name="inboundemail",
            name="topic",
            field=models.CharField(blank=True, db_default="", default="", max_length=40),
        ),
        migrations.AddField(
            model_name="inboundemail",
            name="address",
            field=models.EmailField(blank=True, db_default="", default="", max_length=254),
        ),
        migrations.RemoveConstraint(
            model_name="inboundemail",
            name="inbound_once",
        ),
        migrations.AddConstraint(
            model_name="inboundemail",
            constraint=models.UniqueConstraint(
                fields=("person", "game", "thread", "topic", "message_id"),
                nulls_distinct=False,
                name="inbound_once_in_each",
            ),
        ),
    ]
