"""Who may sign up, and the end of an account."""

import re
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_lazy

from games.extensions import Case
from games.mailboxes import spellings
from games.models import Game, Invitation, Order, Report, Sitting, User
from games.services.accounts import ways_in
from games.services.game import seats
from games.services.lobby import tables
from games.services.people import held_sanctions, names
from games.services.people.addresses import with_address

INVITATION_PAGE = re.compile(r"/invitations/([^/]+)/")


ONLY_INVITED = gettext_lazy(
    "Only people who were invited to a table can sign up here. Please use the address the "
    "invitation was sent to, or follow the link in the invitation."
)


def may_sign_up(address: str, wanted_page: str = "") -> bool:
    """Whether anybody may, or somebody was invited: by address, or with the link of an invitation.

    `wanted_page` is the address of the page they want to see after signing up.
    """
    if settings.SIGN_UP != "invited":
        return True
    unanswered = Invitation.objects.filter(status=Invitation.Status.OPEN)
    if any(unanswered.filter(email__iexact=one).exists() for one in spellings(address)):
        return True
    link = INVITATION_PAGE.match(wanted_page)
    return link is not None and unanswered.filter(token=link[1]).exists()


def email_instead_of_code(person: User, address: str, wanted_page: str = "") -> str:
    """Which email goes to an address that can't become a guest's; "" where a code does.

    Its owner has an account, or nobody has invited them. Only the email tells.
    """
    owner = with_address(address)
    if not person.is_guest:
        return ""
    if owner is not None and owner != person:
        return "account/email/account_already_exists"
    return "" if may_sign_up(address, wanted_page) else "account/email/unknown_account"


def choose_language(user: User, language: str) -> None:
    """Show the person's pages, and write their emails, in this one of the site's languages."""
    User.objects.filter(pk=user.pk).update(language=language)


def choose_named(user: User, *, named: bool) -> None:
    """Let people without an account read the person's name at tables, or hide it from them."""
    User.objects.filter(pk=user.pk).update(named_to_strangers=named)


def arrive(user: User, now: datetime) -> None:
    """Settle what waits for the first sign-in of somebody who has confirmed their address.

    Their name, if nobody else has it by now, and what held against them before they deleted an
    account with this address. Later it does nothing.
    """
    if user.name_key is None:
        with transaction.atomic():
            held_sanctions.give_back(user, now)
            names.claim(user)


def delete_account(user: User, now: datetime) -> None:
    """Delete a person and what is theirs. Games stay, with "Nobody" at their seats.

    Tables that have not started are left; in running games the person steps aside first, so that
    nobody waits for the seat, a substitute is looked for, and the orders they left there are void.
    A mute or a suspension is kept for their address.
    """
    leave_games(user, now)
    with transaction.atomic(durable=True):
        remove(user, now)


def leave_games(user: User, now: datetime) -> None:
    """Let somebody who is about to go leave their tables: no game waits for them any more."""
    waiting = Game.objects.filter(status=Game.Status.WAITING, seats__user=user)
    for game_id in waiting.values_list("pk", flat=True):
        tables.leave(game_id=game_id, user=user)
    running = Game.objects.in_play().filter(seats__user=user)
    for game_id in running.values_list("pk", flat=True):
        seats.step_aside(game_id=game_id, user=user, now=now)


def remove(user: User, now: datetime) -> None:
    """Delete somebody who has left their tables, within a transaction."""
    # Locked in one order, so that no game goes on with somebody who is going.
    list(Game.objects.filter(seats__user=user).order_by("pk").select_for_update(no_key=True))
    Order.objects.filter(seat__user=user).delete()
    Sitting.objects.filter(user=user, ended_at=None).update(ended_at=now)
    held_sanctions.hold(user, now)
    Report.objects.filter(person=user).update(person_name="", person_crest="")
    ways_in.end(user, Case.DELETED)
    user.delete()
