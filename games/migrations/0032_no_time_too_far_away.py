from datetime import timedelta

from django.db import migrations
from django.utils import timezone

FURTHEST = timedelta(days=5 * 366)
INSTANTS = {
    'User': ('muted_until', 'suspended_until'),
    'Sanction': ('until',),
    'Game': ('deadline_at', 'paused_until'),
    'Seat': ('deadline_at', 'remind_at'),
    'SiteState': ('notice_until', 'no_new_games_until', 'maintenance_until'),
}


def bring_nearer(apps, schema_editor):
    """Times that no page can show in every zone, such as 9999-12-31: five years from now instead.

    Nothing is read, only written: Python cannot even read some of them.
    """
    furthest = timezone.now() + FURTHEST
    for model, columns in INSTANTS.items():
        rows = apps.get_model('games', model).objects
        for column in columns:
            rows.filter(**{f'{column}__gt': furthest}).update(**{column: furthest})
    days_off = apps.get_model('games', 'DaysOff').objects
    days_off.filter(last_day__gt=furthest.date()).delete()


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0031_held_sanctions"),
    ]

    operations = [
        migrations.RunPython(bring_nearer, migrations.RunPython.noop),
    ]
