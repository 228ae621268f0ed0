"""The kinds of email are listed in services/email/kinds.py alone: a new one needs no migration."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0001_squashed_0038'),
    ]

    operations = [
        migrations.AlterField(
            model_name='outboxmail',
            name='kind',
            field=models.CharField(max_length=20, verbose_name='kind'),
        ),
    ]
