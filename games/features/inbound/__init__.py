"""Replies by email: players move, chat and negotiate in their mail program.

They come in by `lmtp` or `webhook`, and wait in the `inbox` for a worker. `letters` reads them,
`commands` understands them, and `acting` does what they ask for. `outgoing` says in email of the
core that one can reply to it.
"""
