"""Rows that addresses name by their ids; in old ones stands the number itself (`public_ids`)."""

from typing import ClassVar

from games.services.public_ids import number_of, public_id


class RowId:
    """What stands for the number of a row in an address; each kind has a class of its own."""

    regex = "[0-9A-Fa-f-]{36}|[0-9]{1,18}"
    kind: ClassVar[str]

    def to_python(self, value: str) -> int:
        number = number_of(self.kind, value)
        if number is None:
            raise ValueError("No row has this id.")
        return number

    def to_url(self, value: int) -> str:
        return public_id(self.kind, value)


class PersonId(RowId):
    kind = "person"


class VoteId(RowId):
    kind = "vote"


class DaysOffId(RowId):
    kind = "days off"
