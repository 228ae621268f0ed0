"""The database itself refuses to change what has happened: events and the audit log."""

from django.db import migrations

NEVER_CHANGED = """
CREATE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{what} never changed';
END $$;

CREATE TRIGGER {table}_unchanged
    BEFORE UPDATE OR DELETE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION {function}();

CREATE TRIGGER {table}_not_truncated
    BEFORE TRUNCATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION {function}();
"""
EVENTS = {"table": "games_event", "function": "games_refuse_change", "what": "events are"}
AUDIT = {
    "table": "games_auditline",
    "function": "games_refuse_audit_change",
    "what": "the audit log is",
}


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0001_initial"),
    ]

    operations = [
        migrations.RunSQL(NEVER_CHANGED.format(**EVENTS)),
        migrations.RunSQL(NEVER_CHANGED.format(**AUDIT)),
    ]
