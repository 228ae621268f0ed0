"""Guests; and their games, alone of all, may be removed with their events."""

from django.db import migrations, models

MAY_BE_REMOVED = """
CREATE OR REPLACE FUNCTION games_refuse_change() RETURNS trigger AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (
        SELECT FROM games_game game JOIN games_user host ON host.id = game.host_id
        WHERE game.id = OLD.game_id AND host.is_guest
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'events are never changed';
END
$$ LANGUAGE plpgsql;

DROP TRIGGER games_event_unchanged ON games_event;
CREATE TRIGGER games_event_unchanged
    BEFORE UPDATE OR DELETE ON games_event
    FOR EACH ROW EXECUTE FUNCTION games_refuse_change();
"""

NEVER_REMOVED = """
CREATE OR REPLACE FUNCTION games_refuse_change() RETURNS trigger AS $$
BEGIN
    RAISE EXCEPTION 'events are never changed';
END
$$ LANGUAGE plpgsql;

DROP TRIGGER games_event_unchanged ON games_event;
CREATE TRIGGER games_event_unchanged
    BEFORE UPDATE OR DELETE ON games_event
    FOR EACH STATEMENT EXECUTE FUNCTION games_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0006_private_talk"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="is_guest",
            field=models.BooleanField(
                db_default=False, default=False, editable=False, verbose_name="guest"
            ),
        ),
        migrations.RunSQL(MAY_BE_REMOVED, NEVER_REMOVED),
    ]
