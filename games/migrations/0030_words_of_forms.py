from django.db import migrations, models


class Migration(migrations.Migration):
    """Words of labels and help texts; nothing in the database changes."""

    dependencies = [
        ("games", "0029_email_senders"),
    ]

    operations = [
        migrations.AlterField(
            model_name="game",
            name="press",
            field=models.CharField(
                choices=[
                    ("public", "everyone can read everything"),
                    ("private", "players can also talk privately"),
                    ("none", "no messages, only offers"),
                ],
                db_default="public",
                default="public",
                max_length=10,
                verbose_name="press",
            ),
        ),
        migrations.AlterField(
            model_name="user",
            name="email",
            field=models.EmailField(
                error_messages={"unique": "An account with this address already exists."},
                help_text="Must be in lowercase. Only moderators can see it.",
                max_length=254,
                unique=True,
                verbose_name="email address",
            ),
        ),
        migrations.AlterField(
            model_name="user",
            name="language",
            field=models.CharField(
                blank=True,
                choices=[("en", "English"), ("de", "Deutsch"), ("ru", "Русский")],
                default="",
                help_text="For pages and emails. If no language is chosen, the browser's is used.",
                max_length=8,
                verbose_name="language",
            ),
        ),
        migrations.AlterField(
            model_name="user",
            name="name",
            field=models.CharField(
                help_text="This is what everyone sees instead of your email address.",
                max_length=40,
                verbose_name="public name",
            ),
        ),
    ]
