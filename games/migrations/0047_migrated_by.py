from django.db import migrations, models

VERSION = models.CharField(max_length=40, blank=True, default="", db_default="")


class Migration(migrations.Migration):
    """Columns of the one row about the site: which version has migrated the database."""

    dependencies = [
        ("games", "0046_words_of_profiles"),
    ]

    operations = [
        migrations.AddField("sitestate", "migrated_by", VERSION),
        migrations.AddField("sitestate", "migrated_commit", VERSION),
        migrations.AddField("sitestate", "migrated_at", models.DateTimeField(null=True)),
        migrations.AddField("sitestate", "works_with", VERSION),
    ]
