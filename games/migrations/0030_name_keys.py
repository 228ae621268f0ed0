from django.db import migrations, models

from games.names import key_of


def settle_names(apps, schema_editor):
    """Give everybody the key of their name, the first to have it as it is.

    Who has a name like it keeps the name, with a key that no name has: no key has a line break.
    A sign-up that was never confirmed holds no name.
    """
    User = apps.get_model("games", "User")
    never_here = set(User.objects.filter(last_login=None).values_list("pk", flat=True))
    confirmed, unconfirmed = set(), set()
    # allauth's own table, by its name: a dependency on its migrations would be a circle with theirs.
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('account_emailaddress')")
        if cursor.fetchone()[0]:
            cursor.execute("SELECT user_id, verified FROM account_emailaddress")
            for pk, verified in cursor.fetchall():
                (confirmed if verified else unconfirmed).add(pk)
    seen = set()
    for person in User.objects.order_by("pk").iterator():
        played = person.is_staff or person.sittings.exists()
        if person.pk in (unconfirmed & never_here) - confirmed and not played:
            continue
        key = key_of(person.name)
        person.name_key = key if key not in seen else f"{key}\n{person.pk}"
        seen.add(key)
        person.save(update_fields=["name_key"])


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0029_no_version_of_the_rules"),
    ]
    operations = [
        migrations.AddField("user", "name_key", models.TextField(default=None, editable=False, null=True)),
        migrations.RunPython(settle_names, migrations.RunPython.noop, elidable=True),
        migrations.RemoveConstraint("user", "user_name_once"),
        migrations.AlterField(
            "user", "name",
            models.CharField(
                help_text="What everybody sees. Not your address.", max_length=40, verbose_name="public name"
            ),
        ),
        migrations.AlterField(
            "user", "name_key",
            models.TextField(default=None, editable=False, null=True, unique=True),
        ),
    ]
