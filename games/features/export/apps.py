from games import extensions

HERE = "games.features.export"


class ExportOfOnesData(extensions.Feature):
    name = HERE
    urls = f"{HERE}.urls"
    own_data = f"{HERE}.contents.contents_of"
    send_own_data = f"{HERE}.requests.send"
    links = {"own_data": "export"}
    email_kinds = f"{HERE}.emails.KINDS"
    work = (extensions.Work(f"{HERE}.requests.is_any_waiting", f"{HERE}.tasks.export"),)
    outdated = f"{HERE}.requests.outdated"
