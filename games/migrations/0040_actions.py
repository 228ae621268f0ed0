"""What an action found and left is JSON, actions have the keys of `games.admin.actions`, and three
things get their plain names: appeals against sanctions, revealed secrets, the action of a line.
"""

import re
from datetime import timedelta

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

KEYS = {
    "pause": "game.pause",
    "resume": "game.resume",
    "extend": "game.extend",
    "set deadline": "game.deadline",
    "play default": "game.default",
    "excuse": "game.excuse",
    "mark absent": "game.absent",
    "mark present": "game.present",
    "house player": "game.house-player",
    "reopen seat": "game.reopen",
    "close to newcomers": "game.close",
    "open to newcomers": "game.open",
    "rewind": "game.rewind",
    "change pace": "game.pace",
    "referee": "game.referee",
    "rename table": "game.rename",
    "remove note": "game.remove-note",
    "send again": "game.send-again",
    "record": "game.record",
    "retry": "game.retry",
    "cancel": "game.cancel",
    "abandon": "game.abandon",
    "more time": "game.extra-time",
    "break glass": "secrets.reveal",
    "take report": "report.take",
    "uphold report": "report.uphold",
    "reject report": "report.reject",
    "give back report": "report.give-back",
    "take over report": "report.take-over",
    "grant appeal": "report.grant-appeal",
    "deny appeal": "report.deny-appeal",
    "take back decision": "report.take-back",
    "redact": "message.remove",
    "restore": "message.show",
    "clear pair": "pair.clear",
    "notice": "site.notice",
    "stop new games": "site.no-new-games",
    "allow new games": "site.new-games",
    "begin maintenance": "site.maintenance",
    "end maintenance": "site.maintenance-over",
    "give time: hours": "site.hours",
    "give time: downtime": "site.downtime",
    "note": "person.note",
    "warn": "person.warn",
    "take back warning": "person.take-back-warning",
    "mute": "person.mute",
    "unmute": "person.unmute",
    "suspend": "person.suspend",
    "lift suspension": "person.lift-suspension",
    "ban": "person.ban",
    "lift ban": "person.lift-ban",
    "answer objection": "person.answer-objection",
    "rename": "person.rename",
    "end sessions": "person.end-sessions",
    "require second factor": "person.second-factor",
    "no second factor": "person.no-second-factor",
}

NAMES = {"game.rename", "person.rename", "pair.clear"}
TEXTS = {"site.notice", "site.no-notice", "game.remove-note"}
ENDS = {"person.mute", "person.suspend", "site.no-new-games", "site.maintenance"}
INSTANT = r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?[+-]\d\d:\d\d"
DURATION = r"(?:(\d+) days?, )?(\d+):(\d\d):(\d\d)"


def new_key(act, after):
    """The key of an action by its old name; a notice that was taken away had the same name."""
    if act == "notice" and not after:
        return "site.no-notice"
    return KEYS.get(act, act.replace("vote: ", "vote."))


def new_values(key, old, *, is_after):
    """What an old text means; one that means nothing any more stays a text."""
    if is_after and key in ENDS:
        return _end("until", old)
    if is_after and key == "game.pause":
        return _end("paused_until", "" if old == "until it is resumed" else old)
    if not old:
        return {}
    return _written(key, old) or _known(key, old) or {"text": old}


def _end(kind, old):
    if not old:
        return {kind: None}
    return {kind: old} if re.fullmatch(INSTANT, old) else {"text": old}


def _written(key, old):
    """What somebody wrote is not interpreted."""
    if key in NAMES:
        return {"name": old}
    if key in TEXTS:
        return {"text": old}
    return {"error": old} if key == "game.retry" else {}


def _known(key, old):
    if re.fullmatch(INSTANT, old):
        return {"at": old}
    if found := re.fullmatch(rf"({INSTANT}) to ({INSTANT})", old):
        return {"period": [found[1], found[2]]}
    if key == "game.pace" and (found := re.fullmatch(DURATION, old)):
        days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
        time = timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
        return {"seconds": int(time.total_seconds())}
    if found := re.fullmatch(r"report (\d+): (\w+)", old):
        return {"report": int(found[1]), "report_state": found[2]}
    for kind, pattern in (
        ("message", r"message (\d+)"),
        ("staff_note", r"note (\d+)"),
        ("vote_on_step", r"asked for (\d+)"),
        ("hours", r"(\d+) h"),
    ):
        if found := re.fullmatch(pattern, old):
            return {kind: int(found[1])}
    if key == "game.send-again":
        kind, colon, status = old.partition(": ")
        return {"email_kind": kind, "email_status": status} if colon else {"email_status": old}
    return _code(key, old)


def _code(key, old):
    if old.isdigit() and key in {"game.rewind", "game.excuse"}:
        return {"step" if key == "game.rewind" else "missed": int(old)}
    if old in {"True", "False"}:
        return {"required": old == "True"}
    if key == "secrets.reveal":
        return {"secrets": old.split(", ")}
    kinds = {
        "game.cancel": "game_status",
        "game.house-player": "house_player",
        "person.answer-objection": "sanction",
    }
    kind = "report_state" if key.startswith("report.") else kinds.get(key)
    return {kind: old} if kind else {}


def convert_lines(apps, schema_editor):
    lines = apps.get_model("games", "AuditLine").objects
    for line in lines.order_by("pk").iterator(chunk_size=1000):
        line.action = new_key(line.action, line.old_after)
        line.before = new_values(line.action, line.old_before, is_after=False)
        line.after = new_values(line.action, line.old_after, is_after=True)
        line.save(update_fields=["action", "before", "after"])


class Migration(migrations.Migration):
    dependencies = [("games", "0039_kinds_of_email_without_choices")]

    operations = [
        migrations.RemoveIndex("auditline", "audit_act"),
        migrations.RenameField("auditline", "act", "action"),
        migrations.AddIndex(
            "auditline", models.Index(fields=["action", "-id"], name="audit_action")
        ),
        migrations.RenameField("auditline", "before", "old_before"),
        migrations.RenameField("auditline", "after", "old_after"),
        migrations.AddField(
            "auditline",
            "before",
            models.JSONField(blank=True, default=dict, verbose_name="before"),
        ),
        migrations.AddField(
            "auditline",
            "after",
            models.JSONField(blank=True, default=dict, verbose_name="after"),
        ),
        migrations.RunSQL("ALTER TABLE games_auditline DISABLE TRIGGER games_auditline_unchanged"),
        migrations.RunPython(convert_lines),
        migrations.RunSQL("ALTER TABLE games_auditline ENABLE TRIGGER games_auditline_unchanged"),
        migrations.RemoveField("auditline", "old_before"),
        migrations.RemoveField("auditline", "old_after"),
        migrations.RemoveConstraint("glassbroken", "glass_broken_for_something"),
        migrations.RenameModel("GlassBroken", "SecretsRevealed"),
        migrations.AlterField(
            "secretsrevealed",
            "game",
            models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="secrets_revealed",
                to="games.game",
            ),
        ),
        migrations.AddConstraint(
            "secretsrevealed",
            models.CheckConstraint(
                condition=Q(balances=True) | Q(orders=True) | Q(notes=True),
                name="secrets_revealed_something",
            ),
        ),
        migrations.RemoveConstraint("sanction", "sanction_objected_to_in_words"),
        migrations.RemoveIndex("sanction", "sanction_objections"),
        migrations.RenameField("sanction", "objection", "appeal"),
        migrations.RenameField("sanction", "objected_at", "appealed_at"),
        migrations.AddConstraint(
            "sanction",
            models.CheckConstraint(
                condition=Q(appealed_at=None, appeal="", answered_at=None)
                | Q(appealed_at__isnull=False) & ~Q(appeal=""),
                name="sanction_appealed_in_words",
            ),
        ),
        migrations.AddIndex(
            "sanction",
            models.Index(
                fields=["appealed_at"],
                name="sanction_appeals",
                condition=Q(appealed_at__isnull=False, answered_at=None),
            ),
        ),
    ]
