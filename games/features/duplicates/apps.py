from games import extensions


class Duplicates(extensions.Feature):
    name = "games.features.duplicates"
    admin_pages = (
        extensions.AdminPage(
            "games/user/<int:person_id>/doubles/",
            "games.features.duplicates.views.duplicates",
            "duplicates",
        ),
    )
    actions = (
        extensions.Actions(
            "pair",
            "games/user/<int:person_id>/doubles/<int:other_id>/<slug:slug>/",
            "games.features.duplicates.views.pair_subject",
            "games.features.duplicates.actions.ON_PAIRS",
        ),
    )
    piles = "games.features.duplicates.pile.piles"
    parts = {
        "person_in_admin": "games.features.duplicates.views.link",
        "sign_ins": "games.features.duplicates.views.who_sees_sign_ins",
    }
