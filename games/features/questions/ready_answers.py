"""Ready answers to what is asked most; they are sent in the language of who asked."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

READY: Final[dict[str, Promise]] = {
    "email": _(
        "Please look in your spam folder first, and add our address to your contacts. You can "
        "choose which emails you get under My profile, “Emails and notifications”; if your mail "
        "server rejects ours, a note at the top of every page says so."
    ),
    "clock": _(
        "When a deadline passes, the clock plays the default move, so that the others needn't "
        "wait. “All deadline changes” on the game's page shows when your deadline was and whether "
        "it was moved; “Why?” there also says which emails we sent you. You can ask your table "
        "for more time, or set standing orders."
    ),
    "access": _(
        "You can sign in without your password: choose “Email me a code instead” on the sign-in "
        "page. You can also choose a new password there."
    ),
    "codes": _(
        "If you still have one of your recovery codes, enter it instead of the code from your "
        "app. Otherwise, two-factor authentication has to be reset. An administrator has to be "
        "sure first that the account is yours: please tell us who at one of your tables knows "
        "you and can confirm that it's you. A reset can take a day, and you'll get an email "
        "about it. Please never send us a password or a code."
    ),
    "other": _(
        "Thank you for helping. We can only talk with somebody about their own account: please "
        "ask them to write to us themselves, through “Ask the moderators” at the foot of every "
        "page. That also works without signing in, from any email address they have access to. "
        "Meanwhile, your table can give them more time or pause the game by a vote."
    ),
    "rules": _(
        "We can't take back a move that the rules allow. But if your whole table agrees, we can "
        "rewind the game: ask the others, and write to us again."
    ),
    "more": _("We need to know a little more: which table was it, and when did it happen?"),
    "looking": _("Thank you for telling us. We're looking into it and will write to you again."),
    "fixed": _("Thank you for telling us. It was our mistake, and it's fixed now."),
}
