from django.core.management import call_command
from django.db import migrations


def create_cache_table(apps, schema_editor):
    """Make the table of the database cache, so that `migrate` is all that a new site needs."""
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


class Migration(migrations.Migration):
    dependencies = [("games", "0001_people")]
    operations = [migrations.RunPython(create_cache_table, migrations.RunPython.noop)]
