from django.db import migrations

REFUSE = """
CREATE FUNCTION games_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'events are never changed';
END $$;

CREATE TRIGGER games_event_unchanged
    BEFORE UPDATE OR DELETE ON games_event
    FOR EACH STATEMENT EXECUTE FUNCTION games_refuse_change();

CREATE TRIGGER games_event_not_truncated
    BEFORE TRUNCATE ON games_event
    FOR EACH STATEMENT EXECUTE FUNCTION games_refuse_change();
"""

ALLOW = """
DROP TRIGGER games_event_unchanged ON games_event;
DROP TRIGGER games_event_not_truncated ON games_event;
DROP FUNCTION games_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0003_tables")]
    operations = [migrations.RunSQL(REFUSE, ALLOW)]
