"""Notifications in browsers: nobody has subscribed yet."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0008_profiles"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="unwanted_pushes",
            field=models.JSONField(
                blank=True,
                db_default=models.Value([], models.JSONField()),
                default=list,
                editable=False,
            ),
        ),
        migrations.CreateModel(
            name="PushSubscription",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("endpoint", models.CharField(max_length=1000, unique=True)),
                ("p256dh", models.CharField(max_length=100)),
                ("auth", models.CharField(max_length=40)),
                ("session_key", models.CharField(max_length=40)),
                ("browser", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="push_subscriptions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "push subscription",
                "verbose_name_plural": "push subscriptions",
            },
        ),
        migrations.CreateModel(
            name="OutboxPush",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("not_before", models.DateTimeField()),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                (
                    "mail",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.outboxmail",
                    ),
                ),
                (
                    "subscription",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.pushsubscription",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["not_before"], name="push_ready")],
                "constraints": [
                    models.UniqueConstraint(fields=("mail", "subscription"), name="push_once")
                ],
            },
        ),
    ]
