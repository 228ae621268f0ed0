"""The actions on a question, and writing to people; and when each is possible."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin.actions.row import Action
from games.features.questions import answering, forms
from games.features.questions.models import Question
from games.models import Report, User


def unless_taken(question: Question, moderator: User) -> str:
    owner = question.owner
    return "" if owner is None else answering.taken_by(owner, moderator)


def unless_of_another(question: Question, moderator: User) -> str:
    owner = question.owner
    return "" if owner is None or owner == moderator else answering.taken_by(owner, moderator)


def unless_own(question: Question, moderator: User) -> str:
    return "" if question.owner == moderator else _("You haven't taken this question.")


def unless_not_of_another(question: Question, moderator: User) -> str:
    of_another = question.owner is not None and question.owner != moderator
    return "" if of_another else _("No other moderator has this question.")


def unless_open(question: Question, moderator: User) -> str:
    if question.state == Question.State.CLOSED:
        return _("This question is closed.")
    return unless_of_another(question, moderator)


def unless_somebody_reported(report: Report, _moderator: User) -> str:
    return "" if report.reporter_id is not None else answering.nobody_to_ask()


ON_QUESTIONS: Final = (
    Action(
        "question.answer",
        gettext_lazy("Answer the question"),
        gettext_lazy(
            "The person gets your answer by email, from “the moderators”, and can reply. If nobody "
            "has taken the question, it becomes yours."
        ),
        gettext_lazy("{whom} gets your answer."),
        forms.AnswerForm,
        answering.answer,
        unless_of_another,
    ),
    Action(
        "question.take",
        gettext_lazy("Take the question"),
        gettext_lazy("The other moderators see that you have it."),
        gettext_lazy("You have this question now."),
        forms.TakeQuestionForm,
        answering.take,
        unless_taken,
        at_once=True,
    ),
    Action(
        "question.take-over",
        gettext_lazy("Take over the question"),
        gettext_lazy("Assigns the question to you instead of the moderator who has it now."),
        gettext_lazy("You have this question now."),
        forms.TakeOverQuestionForm,
        answering.take_over,
        unless_not_of_another,
    ),
    Action(
        "question.give-back",
        gettext_lazy("Put the question back in the queue"),
        gettext_lazy("Any moderator can take it then."),
        gettext_lazy("The question is back in the queue."),
        forms.TakeQuestionForm,
        answering.give_back,
        unless_own,
        at_once=True,
    ),
    Action(
        "question.note",
        gettext_lazy("Leave a note"),
        gettext_lazy("The other moderators read it with the question. The person doesn't."),
        gettext_lazy("The note is saved. Only moderators can read it."),
        forms.NoteForm,
        answering.note,
    ),
    Action(
        "question.close",
        gettext_lazy("Close without an answer"),
        gettext_lazy(
            "For questions that need no answer, or no further one. The person isn't emailed. If "
            "they write again, the question is reopened."
        ),
        gettext_lazy("The question is closed. Nobody gets an email."),
        forms.SeenForm,
        answering.close,
        unless_open,
    ),
)

ON_PLAYERS: Final = (
    Action(
        "player.ask",
        gettext_lazy("Write to this person"),
        gettext_lazy(
            "The person gets your message by email, from “the moderators”, and answers it under "
            "“My reports”. It isn't a warning. Only they and the moderators can see it."
        ),
        gettext_lazy("{whom} gets your message."),
        forms.AskPersonForm,
        answering.ask_person,
    ),
)

ON_REPORTERS: Final = (
    Action(
        "reporter.ask",
        gettext_lazy("Ask the reporter"),
        gettext_lazy(
            "The person who made the report gets your question by email and answers it under “My "
            "reports”. Only they and the moderators can see it."
        ),
        gettext_lazy("{whom} gets your question. Only they and the moderators can see it."),
        forms.AskReporterForm,
        answering.ask_reporter,
        unless_somebody_reported,
    ),
)
