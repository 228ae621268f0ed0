"""What all rows in the admin are: for every moderator to read, for nobody to change."""

from typing import Any, ClassVar

from django.contrib import messages
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from games.models import User
from games.services.roles import may_moderate


class ReadOnly:
    """For every moderator to read; no adding, changing or deleting.

    A list is filtered only by its `list_filter` and by what links of ours hold (`links`): any other
    lookup would let a moderator guess what they may not see.
    """

    links: ClassVar[tuple[str, ...]] = ()
    list_filter: ClassVar[Any] = ()

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        names = [one[0] if isinstance(one, tuple) else one for one in self.list_filter]
        filters = {f"{name}__{how}" for name in names for how in ("exact", "isnull", "isempty")}
        own_parameters = {getattr(one, "parameter_name", None) for one in self.list_filter}
        return lookup in filters | own_parameters | set(self.links)

    def _get_obj_does_not_exist_redirect(
        self, request: HttpRequest, _opts: object, _object_id: str
    ) -> HttpResponse:
        """Back to the dashboard from a row that isn't there, or not for this reader.

        Django would guess that it was deleted.
        """
        messages.warning(request, _("That page doesn't exist, or you're not allowed to see it."))
        return redirect("admin:index")

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return isinstance(request.user, User) and may_moderate(request.user)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return isinstance(request.user, User) and may_moderate(request.user)

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
