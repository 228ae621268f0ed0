from django.db import migrations, models


class Migration(migrations.Migration):
    """Any number of processes send email: who they are, and who has claimed what."""

    dependencies = [
        ("games", "0028_waits_for_replies"),
    ]

    operations = [
        migrations.CreateModel(
            name="EmailSender",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("worker", models.CharField(max_length=255, unique=True)),
                ("lives_until", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="outboxemail",
            name="claimed_by",
            field=models.BigIntegerField(null=True),
        ),
    ]
