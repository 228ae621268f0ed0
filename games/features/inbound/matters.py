"""What isn't about a table and can be replied to: the topics of other features."""

from typing import NamedTuple

from games import extensions
from games.correspondence import Correspondence, Topic
from games.models import InboundEmail, OutboxEmail


class Matter(NamedTuple):
    """A topic, and the feature whose it is."""

    by: Correspondence
    topic: Topic

    @property
    def stored(self) -> str:
        """As rows name it."""
        return f"{self.by.key} {self.topic.number}"


def matter_of(email: OutboxEmail) -> Matter | None:
    """What an email of another feature is about; None if it takes no replies."""
    if email.game_id is not None:
        return None
    for by in extensions.correspondences():
        if (topic := by.topic_of(email)) is not None:
            return _open(by, topic)
    return None


def matter_of_row(row: InboundEmail) -> Matter | None:
    """What was replied to, if that may still be done, by the same person and from there."""
    key, _space, number = row.topic.partition(" ")
    for by in extensions.correspondences():
        if by.key == key:
            matter = matter_numbered(by, int(number))
            return matter if matter is not None and _is_written_by(row, matter.topic) else None
    return None


def matter_numbered(by: Correspondence, number: int) -> Matter | None:
    """The topic with this number, if anybody may reply to it by email."""
    topic = by.topic(number)
    return None if topic is None else _open(by, topic)


def _open(by: Correspondence, topic: Topic) -> Matter | None:
    """None for people who have been banned, and for guests, who have no address."""
    person = topic.person
    is_open = person is None or (person.is_active and not person.is_guest)
    return Matter(by, topic) if is_open else None


def _is_written_by(row: InboundEmail, topic: Topic) -> bool:
    if row.person_id is None:
        return topic.person is None and topic.address == row.address
    return topic.person is not None and topic.person.pk == row.person_id
