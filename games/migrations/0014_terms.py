from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0013_exports_and_retention"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="accepted_terms",
            field=models.CharField(db_default="", default="", editable=False, max_length=16),
        ),
        migrations.AddField(
            model_name="user",
            name="accepted_terms_at",
            field=models.DateTimeField(default=None, editable=False, null=True),
        ),
    ]
