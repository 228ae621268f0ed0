from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0021_email_outages'),
    ]

    operations = [
        migrations.AddField(
            model_name='sitting',
            name='promises_let_pass',
            field=models.PositiveSmallIntegerField(null=True),
        ),
    ]
