from django.utils.translation import gettext_lazy

from games import extensions

HERE = "games.features.questions"


class Questions(extensions.Feature):
    name = HERE
    urls = f"{HERE}.urls"
    links = {"ask the moderators": "ask_moderators"}
    parts = {
        "reports": f"{HERE}.views.own_questions",
        "report_in_admin": f"{HERE}.admin_views.of_report",
        "person_in_admin": f"{HERE}.admin_views.ask_link",
        "pair_in_admin": f"{HERE}.admin_views.ask_link",
    }
    admin_pages = (
        extensions.AdminPage(
            "questions/", f"{HERE}.admin_views.questions", "questions", gettext_lazy("Questions")
        ),
        extensions.AdminPage(
            "questions/<int:question_id>/", f"{HERE}.admin_views.question", "question_page"
        ),
    )
    actions = (
        extensions.Actions(
            "question",
            "questions/<int:question_id>/act/<slug:slug>/",
            f"{HERE}.admin_views.question_subject",
            f"{HERE}.actions.ON_QUESTIONS",
        ),
        extensions.Actions(
            "reporter",
            "games/report/<int:report_id>/reporter/<slug:slug>/",
            f"{HERE}.admin_views.report_subject",
            f"{HERE}.actions.ON_REPORTERS",
        ),
        extensions.Actions(
            "player",
            "games/user/<int:person_id>/write/<slug:slug>/",
            f"{HERE}.admin_views.person_subject",
            f"{HERE}.actions.ON_PLAYERS",
        ),
    )
    correspondence = f"{HERE}.correspondence.THREADS"
    piles = f"{HERE}.pile.piles"
    audit_lines = f"{HERE}.rights.audit_lines_for"
    email_kinds = f"{HERE}.emails.KINDS"
    outdated = f"{HERE}.asking.outdated"
    exported = f"{HERE}.queries.exported"
