from django.conf import settings
from django.db import migrations, models


def mark_co_players(apps, schema_editor):
    """Invitations to "the same again": each is of a player of the game before, known by name."""
    Invitation = apps.get_model('games', 'Invitation')
    Seat = apps.get_model('games', 'Seat')
    player = Seat.objects.filter(
        game=models.OuterRef('game__again_of'), user__email=models.OuterRef('email')
    )
    Invitation.objects.filter(models.Exists(player)).update(by_name=True)


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0032_no_time_too_far_away"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='NoMoreInvitations',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64, unique=True)),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name='invitation',
            name='by_name',
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.RunPython(mark_co_players, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name='invitation', name='invitation_once'),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.UniqueConstraint(
                fields=('game', 'email', 'invited_by', 'by_name'), name='invitation_once'
            ),
        ),
        migrations.AddIndex(
            model_name='invitation',
            index=models.Index(fields=['email', 'created_at'], name='invitation_of_address'),
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(fields=['author', 'at'], name='message_of_author'),
        ),
    ]
