"""What moderators do: each act one function, with a line in the audit log.

An act locks the game, is refused to whoever may not and at tables at which the moderator sits or
has sat, and where the game has gone on since the moderator looked. It leaves an event in the game's
log, with the reason in a row of its own, and mails whom it concerns.
"""
