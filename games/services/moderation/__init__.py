"""What moderators do: each action is one function and writes a line to the audit log.

An action on a game locks it, and is refused at tables at which the moderator sits or has sat, and
if the game has moved on since the moderator looked. It adds an event to the game's log, with the
reason in a row of its own, and emails the people it concerns.
"""
