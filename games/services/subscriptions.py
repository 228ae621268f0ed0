"""Who wants which mail, and the signed links by which one stops it without signing in."""

from typing import Final, NamedTuple

from django.core.signing import BadSignature, Signer
from django.db import transaction

from games.models import Game, MutedGame, OutboxMail, User

Kind = OutboxMail.Kind

ESSENTIAL: Final = frozenset(
    {
        Kind.INVITATION,
        Kind.MARKED_ABSENT,
        Kind.TABLE_CLOSED,
        Kind.TABLE_NEWS,
        Kind.REFEREE,
        Kind.VOTE,
        Kind.GAME_RESTS,
        Kind.GAME_PARKED,
        Kind.REPORT,
        Kind.APPEAL,
        Kind.REPORT_DECIDED,
        Kind.APPEAL_DECIDED,
        Kind.CONDUCT,
    }
)
"""What is sent to everybody: it comes once, and without it one would wait in vain."""

ALSO_TO_THE_BANNED: Final = frozenset({Kind.CONDUCT})
"""What is sent also to those whose account is closed."""

REMINDERS: Final = "reminders"
SUBSTITUTES: Final = "substitutes"

KINDS_OF: Final[dict[str, tuple[str, ...]]] = {
    REMINDERS: (Kind.REMINDER.value,),
    SUBSTITUTES: (Kind.SUBSTITUTE_WANTED.value,),
}
"""What a link stops for all games, as `User.unwanted_mails` has it: both reminders are one."""


class Subscription(NamedTuple):
    """What a link stops for a person: everything about one `game`, or these kinds of all games."""

    person: User
    game: Game | None
    kinds: tuple[str, ...]


OF_A_GUIDED_GAME: Final = frozenset({Kind.REMINDER, Kind.LAST_REMINDER, *ESSENTIAL})
"""A first game is played in one go: only who leaves it and forgets it hears of it."""


def wants(person: User, game: Game | None, kind: str) -> bool:
    """Whether the person wants such a mail, about this game if it is about one."""
    if kind in ESSENTIAL or game is None:
        return True
    if game.guided and kind not in OF_A_GUIDED_GAME:
        return False
    return person.wants(kind) and not MutedGame.objects.filter(user=person, game=game).exists()


def token_for(person: User, what: Game | str) -> str:
    """The part of a link that says who stops what: a game, or one of `KINDS_OF`."""
    return _signer().sign_object([person.pk, what if isinstance(what, str) else what.pk])


def subscription_of(token: str) -> Subscription | None:
    """What a link is about; None where it was made up or its person or game has gone."""
    try:
        person_id, what = _signer().unsign_object(token)
    except BadSignature:
        return None
    person = User.objects.filter(pk=person_id).first()
    kinds = KINDS_OF.get(what, ())
    game = None if kinds else Game.objects.filter(pk=what).first()
    if person is None or not (kinds or game):
        return None
    return Subscription(person, game, kinds)


def is_stopped(subscription: Subscription) -> bool:
    """Whether the person has stopped this already."""
    if subscription.game is not None:
        return subscription.person.muted_games.filter(game=subscription.game).exists()
    return set(subscription.kinds) <= set(subscription.person.unwanted_mails)


def stop(subscription: Subscription) -> None:
    """Send no more of it. Twice is as good as once."""
    if subscription.game is not None:
        muted = MutedGame(user=subscription.person, game=subscription.game)
        MutedGame.objects.bulk_create([muted], ignore_conflicts=True)
    else:
        _set_unwanted(subscription, unwanted=True)


def resume(subscription: Subscription) -> None:
    """Send it again. Twice is as good as once."""
    if subscription.game is not None:
        subscription.person.muted_games.filter(game=subscription.game).delete()
    else:
        _set_unwanted(subscription, unwanted=False)


def _set_unwanted(subscription: Subscription, *, unwanted: bool) -> None:
    with transaction.atomic(durable=True):
        person = User.objects.select_for_update(no_key=True).get(pk=subscription.person.pk)
        kept = [kind for kind in person.unwanted_mails if kind not in subscription.kinds]
        person.unwanted_mails = [*kept, *subscription.kinds] if unwanted else kept
        person.save(update_fields=["unwanted_mails"])


def _signer() -> Signer:
    return Signer(salt="subscriptions", algorithm="sha256")
