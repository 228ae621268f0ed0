"""What computer players say now and then, each in its own words: to people, and nothing twice.

A remark is stored as `key_of` names it, so the order of each row is for ever.
"""

from collections.abc import Collection, Mapping
from random import Random
from typing import Final

from django.utils.functional import Promise as LazyText
from django.utils.translation import gettext_lazy as _

from games.engine.characters import Role
from games.engine.negotiator import Remark

_REMARKS: Final[Mapping[Role, Mapping[Remark, tuple[LazyText, ...]]]] = {
    Role.MISER: {
        Remark.DEAL: (
            _("A fair price, and not a coin more."),
            _("Let's talk about money. What else is there?"),
            _("I've counted twice. You can afford it."),
            _("Gold first, friendship later."),
        ),
        Remark.TRUST: (
            _("I never cheat. It's too expensive."),
            _("My word is as sound as my purse is full."),
            _("Trust me: I only lie about what I own."),
            _("Would I risk losing a customer over one bribe?"),
        ),
        Remark.AGREED: (
            _("Done. Please don't pay in small coins."),
            _("It pains me, but I accept."),
            _("Write it down, every coin of it."),
            _("Cheap. I should have asked for more."),
        ),
        Remark.REFUSED: (
            _("I wouldn't even open the door for that."),
            _("Are you trying to ruin me?"),
            _("Come back with a heavier purse."),
            _("I've seen beggars offer more."),
        ),
        Remark.REPROACH: (
            _("You still owe me. I keep accounts."),
            _("Your word is worth less than copper."),
            _("From you, I only take cash."),
            _("You cost me dearly once. Never again."),
        ),
    },
    Role.DUKE: {
        Remark.DEAL: (
            _("Between people of honour, this should be easy."),
            _("I propose this openly, as I do everything."),
            _("Stand by me, and I'll stand by you."),
            _("My house has always looked after its friends."),
        ),
        Remark.TRUST: (
            _("You have my word. I have only one."),
            _("My father kept his promises, and so do I."),
            _("Ask anyone at court whether I keep faith."),
            _("I'd rather lose than lie to you."),
        ),
        Remark.AGREED: (
            _("Agreed, and gladly."),
            _("Here's my hand on it."),
            _("So be it. You can rely on me."),
            _("An honest offer. I accept."),
        ),
        Remark.REFUSED: (
            _("I don't promise what I can't keep."),
            _("With respect: no."),
            _("That would not be right."),
            _("Not this time. No offence."),
        ),
        Remark.REPROACH: (
            _("I believed you once."),
            _("A broken promise can't be mended."),
            _("Win back my trust first."),
            _("You shook my hand, and then you forgot your promise."),
        ),
    },
    Role.CARDINAL: {
        Remark.DEAL: (
            _("Let us come to an understanding, quietly."),
            _("Heaven loves the generous. So do I."),
            _("I'll make you this offer only once."),
            _("A small favour, long to be remembered."),
        ),
        Remark.TRUST: (
            _("I never forget a friend. Or anyone else."),
            _("Be loyal, and you have nothing to fear."),
            _("My blessing goes to those who keep their word."),
            _("You wouldn't deceive a man of the Church."),
        ),
        Remark.AGREED: (
            _("Amen."),
            _("It is written down, and will be read again."),
            _("Wise. Very wise."),
            _("I accept. Remember that I did."),
        ),
        Remark.REFUSED: (
            _("Pray for a better idea."),
            _("No. And I'll remember that you asked."),
            _("My patience isn't for sale at that price."),
            _("Temptation resisted."),
        ),
        Remark.REPROACH: (
            _("I forgive you. I forget nothing."),
            _("You haven't confessed yet."),
            _("Sins have a way of coming back."),
            _("I still have your promise. Both halves of it."),
        ),
    },
    Role.COUNTESS: {
        Remark.DEAL: (
            _("A little secret, just between us and the court?"),
            _("You look as if you could use a friend."),
            _("Say yes. It suits you."),
            _("Don't be boring. Let's make a deal."),
        ),
        Remark.TRUST: (
            _("Would these eyes lie?"),
            _("You can trust me. Usually."),
            _("I promise. I'm very good at promising."),
            _("Whatever they say about me, half of it is envy."),
        ),
        Remark.AGREED: (
            _("How charming of you."),
            _("Of course. What could possibly go wrong?"),
            _("I knew we'd understand each other."),
            _("Done, my dear."),
        ),
        Remark.REFUSED: (
            _("You can do better than that."),
            _("Sweet, but no."),
            _("Not in this dress."),
            _("Ask me again when you're richer."),
        ),
        Remark.REPROACH: (
            _("You deceived me. That's my job!"),
            _("I'd be angry, but anger gives me wrinkles."),
            _("Everyone knows what you did. I told them."),
            _("Fool me twice? I don't think so."),
        ),
    },
    Role.MERCHANT: {
        Remark.DEAL: (
            _("Good wares, good price."),
            _("We'll both profit from this."),
            _("An offer like this won't be around for long."),
            _("Let's make a deal."),
        ),
        Remark.TRUST: (
            _("I deliver. Ask my customers."),
            _("My good name is all the capital I have."),
            _("Signed, sealed, and soon delivered."),
            _("Satisfied customers come back. That's how I make my living."),
        ),
        Remark.AGREED: (
            _("A pleasure to do business with you."),
            _("Sold!"),
            _("Agreed. Come back any time."),
            _("I'll have it entered in the books."),
        ),
        Remark.REFUSED: (
            _("Not on those terms."),
            _("At that price, I'd lose money."),
            _("The market says no."),
            _("Let's both sleep on it."),
        ),
        Remark.REPROACH: (
            _("Your credit with me has run out."),
            _("I'll write it off and move on."),
            _("Next time, payment in advance."),
            _("Shoddy goods, that last promise of yours."),
        ),
    },
    Role.ABBOT: {
        Remark.DEAL: (
            _("I ask for little, as you can see."),
            _("Shall we help each other a little?"),
            _("There's room for all of us."),
            _("It would do both our houses good."),
        ),
        Remark.TRUST: (
            _("I have taken vows. One more is no burden."),
            _("I wish you well."),
            _("I pray that I can keep what I promise."),
            _("Judge me by what I have done so far."),
        ),
        Remark.AGREED: (
            _("Bless you."),
            _("Gladly. The roof needed mending."),
            _("May our agreement bring us peace."),
            _("You're kinder than they say."),
        ),
        Remark.REFUSED: (
            _("I can't, but don't take it to heart."),
            _("Another time, God willing."),
            _("My brothers would not forgive me."),
            _("I'm afraid I must say no."),
        ),
        Remark.REPROACH: (
            _("It made me sad, that's all."),
            _("I've turned the other cheek. I don't have a third."),
            _("I pray that you'll do better."),
            _("How do you sleep, with that on your conscience?"),
        ),
    },
    Role.CAPTAIN: {
        Remark.DEAL: (
            _("In plain words: this is my offer."),
            _("An alliance, at least until sunset."),
            _("Fight beside me, not against me."),
            _("Pay the troops, and the troops are yours."),
        ),
        Remark.TRUST: (
            _("A soldier doesn't need many words."),
            _("I keep faith as long as you do."),
            _("Look me in the eye."),
            _("I've never left a comrade behind. Hardly ever."),
        ),
        Remark.AGREED: (
            _("By my sword."),
            _("Forward, then!"),
            _("Done. Enough talk."),
            _("You've hired yourself a captain."),
        ),
        Remark.REFUSED: (
            _("I don't surrender that cheaply."),
            _("No. Sound the retreat."),
            _("I'd rather fight."),
            _("Is that an offer or an ambush?"),
        ),
        Remark.REPROACH: (
            _("I've seen your back before: you were running."),
            _("I have a scar to remember you by."),
            _("Traitors march where I can see them."),
            _("We'll settle this on the battlefield."),
        ),
    },
    Role.MARCHESA: {
        Remark.DEAL: (
            _("Drink with me, and listen."),
            _("I could ask the others. I'm asking you."),
            _("It's expensive. So am I."),
            _("Every friendship has its price. This is mine."),
        ),
        Remark.TRUST: (
            _("If I wanted to harm you, you'd never notice."),
            _("Trust is for children. But go on, trust me."),
            _("I've never poisoned an ally at breakfast."),
            _("Today I mean it."),
        ),
        Remark.AGREED: (
            _("Delicious."),
            _("A toast to our friendship. You first."),
            _("You won't regret it. Not today, anyway."),
            _("I accept. My poison ring stays closed."),
        ),
        Remark.REFUSED: (
            _("That leaves a bitter taste."),
            _("For that I wouldn't even take off a glove."),
            _("How brave of you to suggest it."),
            _("No. More wine?"),
        ),
        Remark.REPROACH: (
            _("I sent flowers to your enemies."),
            _("You broke your word to me. How careless."),
            _("Have your soup tasted before you eat it."),
            _("My list is short. You're on it."),
        ),
    },
}

_BEFORE: Final[Mapping[str, LazyText]] = {
    Remark.DEAL: _("Let's make a deal."),
    Remark.TRUST: _("You can trust me. Usually."),
    Remark.AGREED: _("A pleasure to do business with you."),
    Remark.REFUSED: _("Not on those terms."),
    Remark.REPROACH: _("I haven't forgotten what your word is worth."),
}
"""What all of them said in games of before."""


def key_of(role: Role, remark: Remark, number: int) -> str:
    """How a remark is stored: who says it, when, and the number in its row, from 0."""
    return f"{role}-{remark}-{number}"


def choose(role: Role, remark: Remark, said: Collection[str], chance: Random) -> str:
    """The key of something for this moment that is not among `said` yet; "" for nothing."""
    keys = [key_of(role, remark, number) for number in range(len(_REMARKS[role][remark]))]
    fresh = [key for key in keys if key not in said]
    return chance.choice(fresh) if fresh else ""


def remark_text(key: str) -> str:
    """A stored remark in words."""
    if key in _BEFORE:
        return str(_BEFORE[key])
    role, remark, number = key.split("-")
    return str(_REMARKS[Role(role)][Remark(remark)][int(number)])
