from django.db import migrations, models


class Migration(migrations.Migration):
    """Choices of what moderators do to tables that wait; nothing in the database changes."""

    dependencies = [
        ("games", "0040_mail_desk"),
    ]

    operations = [
        migrations.AlterField(
            model_name="invitation",
            name="status",
            field=models.CharField(
                choices=[
                    ("open", "not answered"),
                    ("accepted", "accepted"),
                    ("declined", "declined"),
                    ("elsewhere", "not answered"),
                    ("withdrawn", "withdrawn by a moderator"),
                ],
                default="open",
                max_length=10,
                verbose_name="state",
            ),
        ),
        migrations.AlterField(
            model_name="message",
            name="act",
            field=models.CharField(
                blank=True,
                choices=[
                    ("renamed", "the table was renamed"),
                    ("note_removed", "the description was removed"),
                    ("handed_over", "the table was given to another host"),
                    ("started", "the game was started with computer players"),
                ],
                default="",
                editable=False,
                max_length=20,
                verbose_name="action",
            ),
        ),
    ]
