from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0033_invitations_of_each"),
    ]

    operations = [
        migrations.AddField(
            model_name='message',
            name='act',
            field=models.CharField(
                blank=True,
                choices=[('renamed', 'the table was renamed'), ('note_removed', 'the note was removed')],
                default='',
                editable=False,
                max_length=20,
                verbose_name='act',
            ),
        ),
        migrations.AddField(
            model_name='report',
            name='table_words',
            field=models.TextField(blank=True, default='', verbose_name='name and note of the table'),
            preserve_default=False,
        ),
        migrations.RemoveConstraint(model_name='report', name='report_of_person_once'),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(
                condition=Q(('message', None), ('state__in', ['open', 'taken']), ('table_words', '')),
                fields=('reporter', 'person'),
                name='report_of_person_once',
            ),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(
                condition=Q(('state__in', ['open', 'taken']), ~Q(('table_words', ''))),
                fields=('reporter', 'game'),
                name='report_of_table_once',
            ),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.CheckConstraint(
                condition=Q(('table_words', ''), Q(('game__isnull', False), ('message', None)), _connector='OR'),
                name='report_of_table_at_table',
            ),
        ),
    ]
