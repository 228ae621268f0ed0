"""The actions on the whole site, and when each is possible."""

from typing import Final

from django.utils import timezone
from django.utils.translation import gettext_lazy

from games.admin.actions.row import Action, unless
from games.forms.moderation import site_actions as forms
from games.services.moderation.actions import site

unless_working = unless(
    lambda state: state.maintenance_since is None,
    gettext_lazy(
        "Maintenance is in progress. End it first; all deadlines will then be extended by "
        "the time it took."
    ),
)

ON_SITE: Final = (
    Action(
        "site.hours",
        gettext_lazy("Give all games extra time"),
        gettext_lazy(
            "Extends every open deadline in every running game by the number of hours you enter. "
            "You'll see a preview first."
        ),
        gettext_lazy("Every open deadline is being extended by {time}. Nobody gets an email."),
        forms.HoursForm,
        site.give_hours,
        unless_working,
    ),
    Action(
        "site.downtime",
        gettext_lazy("Excuse downtime"),
        gettext_lazy(
            "Players whose turn it was while the site or its email was down get that time back, "
            "and any deadlines they missed in that period no longer count. You'll see a preview "
            "first."
        ),
        gettext_lazy(
            "Players get back the time they lost. Anyone who missed a deadline in that "
            "period gets an email."
        ),
        forms.DowntimeForm,
        site.excuse_downtime,
        unless_working,
    ),
    Action(
        "site.notice",
        gettext_lazy("Show an announcement"),
        gettext_lazy(
            "The announcement appears at the top of every page and replaces the current one, if "
            "any."
        ),
        gettext_lazy("The announcement is at the top of every page. Nobody gets an email."),
        forms.NoticeForm,
        site.set_notice,
    ),
    Action(
        "site.no-notice",
        gettext_lazy("Remove the announcement"),
        gettext_lazy("Removes the announcement from the top of the pages."),
        gettext_lazy("The announcement has been removed."),
        forms.SiteActionForm,
        site.take_notice_away,
        unless(lambda state: state.notice, gettext_lazy("There's no announcement.")),
    ),
    Action(
        "site.no-new-games",
        gettext_lazy("Stop new games"),
        gettext_lazy(
            "Nobody can open a table or start their first game. Tables that are already waiting "
            "for players aren't affected: people can still join, and those games can start."
        ),
        gettext_lazy(
            "Nobody can open a table or start a first game now. Anyone who tries will see why."
        ),
        forms.StopForm,
        site.stop_new_games,
        unless(
            lambda state: state.takes_new_games(timezone.now()),
            gettext_lazy("Nobody can start new games at the moment."),
        ),
    ),
    Action(
        "site.new-games",
        gettext_lazy("Allow new games"),
        gettext_lazy("New games can be started again."),
        gettext_lazy("New games can be started again."),
        forms.SiteActionForm,
        site.allow_new_games,
        unless(
            lambda state: state.no_new_games_since is not None,
            gettext_lazy("New games are already allowed."),
        ),
    ),
    Action(
        "site.no-new-accounts",
        gettext_lazy("Stop new accounts"),
        gettext_lazy(
            "Nobody can sign up, or save their first game by adding an email address. Anyone who "
            "has already been sent a code can still enter it. People with an account can still "
            "sign in."
        ),
        gettext_lazy("Nobody can sign up now. Anyone who tries will see why."),
        forms.StopForm,
        site.stop_new_accounts,
        unless(
            lambda state: state.takes_new_accounts(timezone.now()),
            gettext_lazy("Sign-ups have already been stopped."),
        ),
    ),
    Action(
        "site.new-accounts",
        gettext_lazy("Allow new accounts"),
        gettext_lazy("People can sign up again."),
        gettext_lazy("People can sign up again."),
        forms.SiteActionForm,
        site.allow_new_accounts,
        unless(
            lambda state: state.no_new_accounts_since is not None,
            gettext_lazy("Sign-ups are already allowed."),
        ),
    ),
    Action(
        "site.remove-accounts",
        gettext_lazy("Remove unconfirmed accounts"),
        gettext_lazy(
            "Deletes accounts whose address was never confirmed and that nobody has signed in to "
            "or played with. You'll see a preview first. No other accounts are touched."
        ),
        None,
        forms.RemoveAccountsForm,
        site.remove_accounts,
        danger=True,
    ),
    Action(
        "site.no-invitations",
        gettext_lazy("Stop invitations"),
        gettext_lazy(
            "Nobody can be invited to a table. Invitations already sent can still be accepted, "
            "tables can still be shared by link, and a rematch still asks everyone who played."
        ),
        gettext_lazy("Nobody can be invited now. Anyone who tries will see why."),
        forms.StopForm,
        site.stop_invitations,
        unless(
            lambda state: state.takes_invitations(timezone.now()),
            gettext_lazy("Invitations have already been stopped."),
        ),
    ),
    Action(
        "site.invitations",
        gettext_lazy("Allow invitations"),
        gettext_lazy("People can be invited again."),
        gettext_lazy("People can be invited again."),
        forms.SiteActionForm,
        site.allow_invitations,
        unless(
            lambda state: state.no_invitations_since is not None,
            gettext_lazy("Invitations are already allowed."),
        ),
    ),
    Action(
        "site.maintenance",
        gettext_lazy("Begin maintenance"),
        gettext_lazy(
            "Makes the site read-only and stops the clock until someone ends the maintenance. "
            "You'll see a preview first."
        ),
        gettext_lazy("Maintenance has begun: the site is read-only, and the clock is stopped."),
        forms.MaintenanceForm,
        site.begin_maintenance,
        unless(
            lambda state: state.maintenance_since is None,
            gettext_lazy("Maintenance is already in progress."),
        ),
    ),
    Action(
        "site.maintenance-over",
        gettext_lazy("End maintenance"),
        gettext_lazy(
            "The site works again right away. Every open deadline is extended by the length of "
            "the maintenance, and the clock resumes once that is done for all games."
        ),
        gettext_lazy(
            "Maintenance is over. Every open deadline is being extended by the time it took."
        ),
        forms.SiteActionForm,
        site.end_maintenance,
        unless(
            lambda state: state.maintenance_since is not None,
            gettext_lazy("No maintenance is in progress."),
        ),
    ),
)
