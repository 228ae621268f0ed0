from django.db import migrations, models

# Whoever has taken over a seat belongs to its conversations from now on, as whoever does it later:
# they have read all there is, and may read nothing of it.
JOIN_CONVERSATIONS = """
INSERT INTO games_threadmember (thread_id, user_id, seat_number, last_read, since)
SELECT thread.id, seat.user_id, seat.number, thread.length, thread.length
FROM games_thread thread
JOIN games_seat seat ON seat.game_id = thread.game_id AND seat.user_id IS NOT NULL
    AND thread.seats @> to_jsonb(seat.number)
WHERE NOT EXISTS (
    SELECT FROM games_threadmember member
    WHERE member.thread_id = thread.id AND member.user_id = seat.user_id
)
"""


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0018_guide_closed"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="threadmember",
            options={"ordering": ["seat_number", "pk"]},
        ),
        migrations.RemoveConstraint(
            model_name="threadmember",
            name="thread_member_once",
        ),
        migrations.AddField(
            model_name="privatemessage",
            name="unknown_to",
            field=models.JSONField(db_default=[], default=list),
        ),
        migrations.AddField(
            model_name="threadmember",
            name="since",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddConstraint(
            model_name="threadmember",
            constraint=models.UniqueConstraint(
                fields=("thread", "seat_number", "user"), name="thread_member_person_once"
            ),
        ),
        migrations.RunSQL(JOIN_CONVERSATIONS, migrations.RunSQL.noop),
    ]
