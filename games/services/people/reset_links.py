"""The signed link by which a person stops the reset of their second factor, without signing in."""

from django.core.signing import BadSignature, Signer

from games.models import FactorReset
from games.services.public_ids import number_of, public_id


def token_for(reset: FactorReset) -> str:
    """The signed part of the link that stops this reset, and no later one."""
    return _signer().sign_object([public_id("person", reset.person_id), reset.at.isoformat()])


def reset_of(token: str) -> FactorReset | None:
    """The reset that a link stops; None if it is forged, or the reset is over."""
    try:
        who, at = _signer().unsign_object(token)
    except (BadSignature, ValueError):
        return None
    rows = FactorReset.objects.select_related("person")
    return rows.filter(person=number_of("person", str(who)) or 0, at=at).first()


def _signer() -> Signer:
    return Signer(salt="factor reset", algorithm="sha256")
