"""What lets somebody in, or read without signing in, and the one function that ends it.

Those of the core are here; features name theirs (`Feature.ways_in`). What belongs to a session,
such as open pages and notifications, asks `sessions.signed_in`, and so ends with it. What ends in
which case, and why the rest stays, is a table in `tests/accounts/test_ways_in.py`.
"""

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session

from games import extensions
from games.extensions import Case
from games.models import User
from games.services import live


def end(person: User, case: Case) -> None:
    """End all that ends in this case; where the caller doesn't renew it, also the session here.

    Links to the choices about email end with the sessions, and with the address they were sent to.
    """
    if case is Case.TAKEN_BACK:
        _end_credentials(person)
    if case is Case.DELETED:
        listed = UserSession.objects.filter(user=person)
        Session.objects.filter(session_key__in=listed.values("session_key")).delete()
    if case is not Case.ADDRESS:
        person.sessions_ended += 1
        person.save(update_fields=["sessions_ended"])
    extensions.end_ways_in(person, case)
    live.people_concerned([person.pk])


def _end_credentials(person: User) -> None:
    """What they have chosen to sign in with no longer holds."""
    person.set_unusable_password()
    person.save(update_fields=["password"])
    SocialAccount.objects.filter(user=person).delete()
    Authenticator.objects.filter(user=person).delete()
