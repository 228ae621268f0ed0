from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations

REFUSE = """
CREATE FUNCTION games_refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is never changed';
END $$;

CREATE TRIGGER games_auditline_unchanged
    BEFORE UPDATE OR DELETE ON games_auditline
    FOR EACH STATEMENT EXECUTE FUNCTION games_refuse_audit_change();

CREATE TRIGGER games_auditline_not_truncated
    BEFORE TRUNCATE ON games_auditline
    FOR EACH STATEMENT EXECUTE FUNCTION games_refuse_audit_change();
"""

ALLOW = """
DROP TRIGGER games_auditline_unchanged ON games_auditline;
DROP TRIGGER games_auditline_not_truncated ON games_auditline;
DROP FUNCTION games_refuse_audit_change();
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0009_moderation")]
    operations = [
        ValidateConstraint("game", "game_deadline_exactly_while_going_on"),
        ValidateConstraint("game", "game_paused_while_running"),
        migrations.RunSQL(REFUSE, ALLOW),
    ]
