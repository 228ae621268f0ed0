from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0026_mail_server"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='game',
            name='game_deadline_exactly_while_going_on',
        ),
        migrations.AddField(
            model_name='game',
            name='resting_since',
            field=models.DateTimeField(null=True, verbose_name='resting since'),
        ),
        migrations.AlterField(
            model_name='game',
            name='status',
            field=models.CharField(choices=[('waiting', 'waiting for players'), ('running', 'running'), ('finished', 'finished'), ('cancelled', 'cancelled'), ('abandoned', 'abandoned')], default='waiting', max_length=10, verbose_name='state'),
        ),
        migrations.AlterField(
            model_name='outboxmail',
            name='kind',
            field=models.CharField(choices=[('invitation', 'an invitation'), ('game_started', 'the game has started'), ('your_turn', 'your turn'), ('reminder', 'reminder'), ('last_reminder', 'last reminder'), ('default_played', 'a default was played for you'), ('marked_absent', 'you were marked absent'), ('substitute_wanted', 'a substitute is wanted'), ('mention', 'you were spoken to'), ('game_over', 'the game is over'), ('table_closed', 'the table was closed'), ('table_news', 'somebody changed something at the table'), ('vote', 'the table votes'), ('referee', 'the referee wrote'), ('game_rests', 'the game rests'), ('game_parked', 'a game was parked'), ('report', 'a report waits for a moderator'), ('appeal', 'an appeal waits for a moderator'), ('report_decided', 'what came of a report'), ('appeal_decided', 'what came of an appeal'), ('conduct', "a moderator's decision about you")], max_length=20, verbose_name='kind'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('resting_since__isnull', False)), fields=['resting_since'], name='game_resting'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('deadline_at__isnull', False), ('parked_at', None), ('paused_at', None), ('resting_since', None), ('status', 'running')), models.Q(models.Q(models.Q(('status', 'running'), _negated=True), ('parked_at__isnull', False), ('paused_at__isnull', False), ('resting_since__isnull', False), _connector='OR'), ('deadline_at', None)), _connector='OR'), name='game_deadline_exactly_while_going_on'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('resting_since', None), ('status', 'running'), _connector='OR'), name='game_rests_while_running'),
        ),
    ]
