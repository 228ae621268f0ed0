from games import extensions

VIEWS = "games.features.provider.views"


class Provider(extensions.Feature):
    name = "games.features.provider"
    urls = "games.features.provider.urls"
    parts = {
        "sign_in": f"{VIEWS}.sign_in_button",
        "sign_up": f"{VIEWS}.sign_up_button",
        "profile_sign_in": f"{VIEWS}.link",
    }
    account_notices = "games.features.provider.emails.NOTICES"
    findings = "games.features.provider.findings.findings"
