from django.db import migrations, models


class Migration(migrations.Migration):
    """Reports have a kind, chosen by whoever reports; it starts as "other"."""

    dependencies = [
        ("games", "0035_words_of_names"),
    ]

    operations = [
        migrations.AddField(
            model_name="report",
            name="kind",
            field=models.CharField(
                choices=[
                    ("threat", "threat or hate"),
                    ("insult", "insult"),
                    ("accounts", "two accounts, or agreements across games"),
                    ("advertising", "advertising"),
                    ("name", "name or crest"),
                    ("other", "something else"),
                ],
                db_default="other",
                default="other",
                max_length=11,
                verbose_name="kind",
            ),
        ),
    ]
