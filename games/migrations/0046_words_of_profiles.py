from django.db import migrations, models


class Migration(migrations.Migration):
    """Words of two help texts; nothing in the database changes."""

    dependencies = [
        ("games", "0045_replies_about_topics"),
    ]

    operations = [
        migrations.AlterField(
            model_name="user",
            name="language",
            field=models.CharField(
                blank=True,
                choices=[("en", "English"), ("de", "Deutsch"), ("ru", "Русский")],
                default="",
                help_text="For pages and emails. If none is chosen, the browser's language is used.",
                max_length=8,
                verbose_name="language",
            ),
        ),
        migrations.AlterField(
            model_name="user",
            name="name",
            field=models.CharField(
                help_text="Other players see this name, but never your email address.",
                max_length=40,
                verbose_name="public name",
            ),
        ),
    ]
