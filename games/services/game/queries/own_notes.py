"""What a person has left for themselves at a table: how far they read, their notes and drafts."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import F, FilteredRelation, Q

from games.models import Draft, Game, User


class Kept(NamedTuple):
    """What was typed into a form and not sent, by the names of its fields, and when."""

    fields: Mapping[str, str]
    at: datetime


class Notebook(NamedTuple):
    """What one person left at a table; all of it is theirs alone.

    `last_event` and `last_message` are the last they have seen; 0 before the first visit.
    `answer` is a draft of an answer to the present question.
    """

    visited: bool = False
    last_event: int = 0
    last_message: int = 0
    notes: str = ""
    answer: Kept | None = None
    talk: Kept | None = None


def read_notebook(game: Game, user: User | None) -> Notebook:
    """The notebook of this person at this table; an empty one for a stranger. One query."""
    if user is None:
        return Notebook()
    row = _with_own_rows(user).get(pk=game.pk)
    return Notebook(
        visited=row["last_event"] is not None,
        last_event=row["last_event"] or 0,
        last_message=row["last_message"] or 0,
        notes=row["own_notes"] or "",
        answer=_kept(row, "answer") if row["answer_phase"] == game.phase_no else None,
        talk=_kept(row, "talk"),
    )


def _kept(row: dict[str, Any], about: str) -> Kept | None:
    at = row[f"{about}_at"]
    return None if at is None else Kept(row[f"{about}_fields"], at)


def _with_own_rows(user: User) -> Any:
    """Games, each joined with the rows of this person: one of each kind at most."""
    return Game.objects.annotate(
        own_visit=FilteredRelation("visits", condition=Q(visits__user=user)),
        own_note=FilteredRelation("notes", condition=Q(notes__user=user)),
        typed_answer=_drafts(user, Draft.About.ANSWER),
        typed_talk=_drafts(user, Draft.About.TALK),
    ).values(
        last_event=F("own_visit__last_event"),
        last_message=F("own_visit__last_message"),
        own_notes=F("own_note__text"),
        answer_phase=F("typed_answer__phase_no"),
        answer_fields=F("typed_answer__fields"),
        answer_at=F("typed_answer__at"),
        talk_fields=F("typed_talk__fields"),
        talk_at=F("typed_talk__at"),
    )


def _drafts(user: User, about: Draft.About) -> FilteredRelation:
    return FilteredRelation("drafts", condition=Q(drafts__user=user, drafts__about=about))
