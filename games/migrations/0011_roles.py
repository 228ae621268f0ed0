from django.db import migrations

PERMISSIONS = {
    "moderate_game": "Can keep order at games",
    "administer_site": "Can keep order on the site",
}
ROLES = {
    "moderator": ["moderate_game"],
    "administrator": ["moderate_game", "administer_site"],
}


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


def drop_roles(apps, schema_editor):
    apps.get_model("auth", "Group").objects.filter(name__in=ROLES).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0010_audit_is_never_changed"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]
    operations = [migrations.RunPython(make_roles, drop_roles)]
