"""An email of every kind, and what leads to it."""

from functools import partial

from games.features.previews.samples import SAMPLES
from games.features.previews.tables import Cast, Words
from games.models import Game, OutboxEmail, User
from games.services import outbox
from games.services.chat.messages import EDITED_WITHIN
from games.services.email import delivery
from tests.support.client import person
from tests.support.moderators import moderator
from tests.support.tables import MONDAY, open_table, seats_to_move, submit_move

WORDS = Words(
    table="<Venice> & Co",
    description="No <b>tricks</b>.",
    mention="@Anna, <i>promise</i>?\nSee https://example.org/?a=1&b=2",
    whisper="<i>Psst!</i>\nLet's talk.",
    referee="Be <i>kind</i>.",
    reason="A <b>feast</b>.",
    complaint="He <b>insults</b> me.",
    decision="Nobody is <i>insulted</i> here.",
    appeal="A <i>joke</i>.",
    granted="It was a <i>joke</i>.",
    suspended="You <b>shout</b>.",
    requested="You <i>asked</i> us.",
    done="4,000 < 5,000 & 6,000\n32,000",
    refused="32,000 > 31,000",
)
"""What would break a careless page."""

CAST = Cast(person=person, moderator=moderator, now=MONDAY, words=WORDS)


def a_game(*names, **more):
    """A game at <Venice> & Co; its emails are gone."""
    game = open_table(*(names or ("Anna", "Boris", "Clara")), name=WORDS.table, **more)
    OutboxEmail.objects.all().delete()
    return game


def finish(game):
    while game.status == Game.Status.RUNNING:
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
        game.refresh_from_db()
    OutboxEmail.objects.all().delete()


def made(kind):
    """The game, the name of the reader, and what else the email is about; nothing is sent yet."""
    game, reader, about = SAMPLES[kind](CAST)
    OutboxEmail.objects.all().delete()
    return game, reader and reader.name, about


MAKE = {kind: partial(made, kind) for kind in SAMPLES}


def arrived(kind, smtp, make=None, now=MONDAY):
    """The one email of this kind, as it arrives."""
    game, name, about = (make or MAKE[kind])()
    to = User.objects.get(name=name) if name else None
    if to is not None:
        to.time_zone = "Europe/Vienna"
        to.save()
    outbox.enqueue(kind, game=game, person=to, now=now, **about)
    assert delivery.drain(now=now + EDITED_WITHIN) == 1, OutboxEmail.objects.get().error
    [mail] = smtp.messages
    return game, mail
