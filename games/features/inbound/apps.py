from games import extensions

HERE = "games.features.inbound"


STAYS = frozenset({
    extensions.Case.PASSWORD, extensions.Case.SECOND_FACTOR, extensions.Case.SIGNED_OUT,
})  # fmt: skip


class RepliesByEmail(extensions.Feature):
    name = HERE
    urls = f"{HERE}.urls"
    parts = {"notifications": f"{HERE}.views.section"}
    ways_in = (extensions.WayIn(f"{HERE}.addresses.renew", STAYS),)
    replies = f"{HERE}.outgoing.reply_of"
    email_kinds = f"{HERE}.emails.KINDS"
    work = (extensions.Work(f"{HERE}.inbox.is_any_waiting", f"{HERE}.tasks.read_email"),)
    serve = f"{HERE}.waking.listen"
    outdated = f"{HERE}.inbox.outdated"
    findings = f"{HERE}.findings.findings"
