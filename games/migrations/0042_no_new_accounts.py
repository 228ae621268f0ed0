from django.db import migrations, models

WHEN = models.DateTimeField(null=True)
WHY = models.CharField(max_length=500, blank=True, default="", db_default="")


class Migration(migrations.Migration):
    """Columns of the one row about the site."""

    dependencies = [
        ("games", "0041_moderators_and_waiting_tables"),
    ]

    operations = [
        migrations.AddField("sitestate", f"{what}_{column}", field)
        for what in ("no_new_accounts", "no_invitations")
        for column, field in (("since", WHEN), ("until", WHEN), ("why", WHY))
    ]
