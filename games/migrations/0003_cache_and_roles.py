"""What a new site needs besides its tables: that of the cache, and the roles of moderators."""

from django.core.management import call_command
from django.db import migrations

PERMISSIONS = {
    "moderate_game": "Can keep order at games",
    "administer_site": "Can keep order on the site",
}
ROLES = {
    "moderator": ["moderate_game"],
    "administrator": ["moderate_game", "administer_site"],
}


def create_cache_table(apps, schema_editor):
    """Make the table of the database cache, so that `migrate` is all that a new site needs."""
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


def make_roles(apps, schema_editor):
    """The groups; their permissions are made here, since Django makes them after all migrations."""
    kind, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(
        app_label="games", model="game"
    )
    made = {
        codename: apps.get_model("auth", "Permission").objects.get_or_create(
            codename=codename, content_type=kind, defaults={"name": name}
        )[0]
        for codename, name in PERMISSIONS.items()
    }
    for role, permissions in ROLES.items():
        group, _ = apps.get_model("auth", "Group").objects.get_or_create(name=role)
        group.permissions.add(*(made[codename] for codename in permissions))


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("games", "0002_events_and_audit_are_append_only"),
    ]

    operations = [
        migrations.RunPython(create_cache_table),
        migrations.RunPython(make_roles),
    ]
