"""How emails end: with thanks, a signature, and what programs and companies put below them.

These lists are only for ends that can't be recognized by their form; what they don't know is shown
to its writer for confirmation.
"""

import re
from collections.abc import Collection, Iterator
from typing import Final


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


CLOSINGS: Final = _listed(
    """
    thanks thank thx ty cheers regards greetings best kind warm warmest sincerely yours truly love
    bye ciao cordially xo xoxo respectfully tx
    danke dank dankeschön merci lg vg mfg bg gruß gruss grüße gruesse grüsse grüßle hg viele liebe
    beste besten herzliche herzlichen herzlichst freundliche freundlichen freundlichem schöne
    schönen vielen tschüss servus mit
    спасибо спс благодарю благодарность заранее уважением привет пока наилучшими наилучшие
    пожеланиями пожелания всего доброго хорошего удачи с
    cordialement bien amicalement bises bisous salutations sincères meilleures amitiés remerciements
    bonne journée soirée respectueusement mes
    gracias saludos saludo abrazo abrazos atentamente cordialmente cordiales muchas mil un besos
    grazie saluti cordiali distinti mille tante buona giornata serata baci
    groet groeten groetjes bedankt mvg hartelijke vriendelijke hartelijk alvast met dankjewel
    pozdrawiam pozdrowienia dzięki dziękuję dziekuje poważaniem serdecznie serdeczne z góry pozdro
    дякую дяки щиро повагою вітаю гарного наперед з
    obrigado obrigada abraço abraços takk tak tack hilsen hälsningar mvh med vänlig venlig vennlig
    kiitos terveisin děkuji díky pozdravem köszönöm üdvözlettel teşekkürler
    """  # noqa: RUF001 (words of several writings)
)
"""The words with which a line of thanks or greetings begins."""

AROUND: Final = _listed(
    """
    in advance for your help so much a lot very again all everyone and you to the from my many of
    have good nice great day evening weekend week time wishes folks guys team
    und im voraus für die das deine eure ihre hilfe dir euch ihnen alle an aus der sehr tag abend
    schönes wochenende gute nacht bis bald dann
    всем за вашу помощь большое огромное дня вечера до скорого и вам тебе вас
    beaucoup vous à tous plus bientôt et d'avance avance pour votre aide de la le tout
    por su tu ayuda todos y a adelantado de antemano cordial muy hasta luego
    per il tuo suo aiuto a tutti e anticipo molto presto vivissimi
    je jullie u voor de hulp allemaal en iedereen alvast wel
    i za pomoc wszystkim bardzo wam
    за допомогу всім і дуже вам дня
    forward looking soon later see talk speak
    """  # noqa: RUF001 (words of several writings)
)
"""What may stand beside them."""

NEGATIONS: Final = _listed(
    """
    no not don't dont never nope wait stop cancel but if instead actually rather nein nicht kein
    keine doch aber wenn halt stopp нет не но если стой non ne pas mais si stop sinon pero sino
    però ma se niet geen maar als nie ale jeśli ні якщо або oder or или ou o
    """  # noqa: RUF001 (words of several writings)
)
"""Words with which a line says something."""

DEVICES: Final = re.compile(
    r"\b(?:iphone|ipad|ipod|mac(?:book)?|android|galaxy|samsung|huawei|xiaomi|redmi|pixel|oneplus|"
    r"nokia|motorola|sony|xperia|honor|oppo|blackberry|windows|outlook|gmail|yahoo!?|aol|icloud|"
    r"proton ?mail|tutanota|tuta|gmx|web\.de|t-online|telekom|freenet|posteo|mail\.ru|yandex|"
    r"яндекс\S*|rambler|ukr\.net|i\.ua|laposte|libero|onet|wp\.pl|interia|seznam|"
    r"thunderbird|k-9|k9|fairemail|bluemail|spark|airmail|superhuman|"
    r"kmail|mailbird|em client|aquamail|zimbra|fastmail|hushmail|"
    r"google|apple|microsoft|linux|ubuntu)\b",
    re.IGNORECASE,
)
"""Devices, programs and services that put a line of theirs below an email."""

GENERIC: Final = re.compile(
    r"\b(?:phone|mobile|smartphone|cell|tablet|handy|mobiltelefon\w*|telefon\w*|téléphone|mobile|"
    r"móvil|celular|cellulare|telefono|telefoon|mobiel\w*|komórk\w*|телефон\w*|смартфон\w*|"
    r"e-?mail\w*|mail\w*|app|apps|correo|courriel|poczt\w*|почт\w*|пошт\w*|device|gerät\w*|"
    r"appareil|dispositivo|apparaat|urządzeni\w*|устройств\w*|пристро\w*)\b",
    re.IGNORECASE,
)

SENT: Final = re.compile(
    r"\b(?:sent|typed|written|composed|dictated|posted|gesendet|geschrieben|getippt|verschickt|"
    r"diktiert|отправлен\w*|написан\w*|послан\w*|envoy[ée]\w*|écrit\w*|enviad[oa]\w*|escrit[oa]\w*|"
    r"inviat[oa]\w*|scritt[oa]\w*|verzonden|verstuurd|gestuurd|geschreven|wysłan\w*|napisan\w*|"
    r"надіслан\w*|відправлен\w*|skickat\w*|sendt|lähetetty|odesláno|odoslané|küldve|gönderildi|"
    r"trimis|enviada|poslano)\b",
    re.IGNORECASE,
)

FETCH: Final = re.compile(
    r"^(?:get|download|try|holen|hol|laden|lade|herunterladen|télécharge\w*|obtenez|obt[eé]n\w*|"
    r"descarga\w*|scarica\w*|ottieni|download|haal|pobierz|скача\w*|установ\w*|завантаж\w*|secured|"
    r"protected|powered)\b",
    re.IGNORECASE,
)

COMPANIES: Final = re.compile(
    r"confidential|privileged|disclaimer|(?:intended|named|designated) (?:only )?(?:for|recipient)|"
    r"recipient|unauthori[sz]ed|vertraulich|empfänger|adressat|unbefugt|rechtlich geschützt|"
    r"конфиденциальн|получател|адресат|confidentiel|destinataire|confidencial|destinatari|"
    r"riservat|confidenzial|vertrouwelijk|geadresseerde|ontvanger|poufn|odbiorc|конфіденційн|"
    r"одержувач|\bvir(?:us|en)|антивирус|антивірус|вирус|вірус|wirus|avast|\bavg\b|kaspersky|"
    r"malware|mcafee|norton|\beset\b|environment|umwelt|окружающ|природ|environnement|"
    r"medio ambiente|ambiente|milieu|środowisk|довкілл|before printing|ausdruck|распечат|"
    r"imprim|stampar|afdruk|wydruk|роздрук|external (?:sender|email|mail)|brevity|typos|"
    r"kürze|tippfehler|краткость|опечатк|brièveté|brevedad|brevità|beknopt|zwięzł|стислість|geschäftsführer|handelsregister|"
    r"amtsgericht|registered (?:in|office|company)|unsubscribe|mailing list",
    re.IGNORECASE,
)
"""What only notices say that stand below all email of a company, a program or a mailing list."""

TO_SOMEBODY: Final = _listed(
    """
    you dir euch ihnen ihm тебе вам ему ей te vous toi ti jou je ci
    wam тобі him her them
    """
)

CONTACT: Final = re.compile(
    r"\W*(?:(?:https?://|www\.)\S+|[\w.+-]{1,64}@[\w.-]+|"
    r"(?:tel|phone|mob|mobile?|fax|telefon|тел|моб|email|e-mail|mail|web|m|t|p|f)[.:]*|"
    r"[+\d()/.-]+)?\W*",
    re.IGNORECASE,
)
"""A word of a line that only says how to reach somebody."""

ADDRESS: Final = re.compile(r"https?://|www\.|@[\w-]+\.")
LONGEST_CONTACT: Final = 300
FEWEST_DIGITS: Final = 7

SMILE: Final = re.compile(r"[:;=]'?-?[)DP]+")
DISAPPROVES: Final = re.compile("[?\U0001f44e\u274c\u26d4\U0001f6ab\U0001f6d1\u270b\u2753\u2754]")

MOST_WORDS: Final = 14
"""How many words a line of a program has at most."""

LONGEST_CLOSING: Final = 8
LONGEST_TITLE: Final = 7
"""How many words a line of thanks, or one of a signature, has at most."""

WORD: Final = re.compile(r"[^\W_]+(?:['\u2019.-][^\W_]+)*")
RULE: Final = re.compile(r"[-\u2010-\u2015_=*~#\u2022\s]{2,}")


def is_ending(text: str, names: Collection[str]) -> bool:
    """Whether a text is only thanks, a signature or a footer; `names` are those of its writer."""
    is_signed = False
    for paragraph in text.split("\n\n"):
        if _is_notice(paragraph):
            continue
        for line in filter(None, map(str.strip, paragraph.split("\n"))):
            closes = _closes(line) or _is_named(line, names) or bool(RULE.fullmatch(line))
            if not (closes or _is_footer(line) or (is_signed and _is_of_signature(line))):
                return False
            is_signed = is_signed or closes
    return True


def without_footer(text: str) -> str:
    """The text without the last paragraphs that a program or a company has put below it."""
    paragraphs = text.split("\n\n")
    while len(paragraphs) > 1 and _is_all_footer(paragraphs[-1]):
        del paragraphs[-1]
    return "\n\n".join(paragraphs).rstrip()


def _is_all_footer(paragraph: str) -> bool:
    lines = [line.strip() for line in paragraph.split("\n") if line.strip()]
    return all(_is_footer(line) or RULE.fullmatch(line) for line in lines)


def _words(line: str) -> list[str]:
    return WORD.findall(line)


def _says_something(words: list[str]) -> bool:
    return not NEGATIONS.isdisjoint(word.casefold() for word in words)


def _is_notice(paragraph: str) -> bool:
    return bool(COMPANIES.search(paragraph))


def _is_footer(line: str) -> bool:
    """Whether a program or a service has put this line there, or it only says how to reach one."""
    if _only_says_where(line):
        return True
    words = _words(line)
    if "?" in line or len(words) > MOST_WORDS:
        return False
    if not TO_SOMEBODY.isdisjoint(word.casefold() for word in words):
        return False
    named = DEVICES.search(line)
    if SENT.search(line) and (named or GENERIC.search(line)):
        return True
    return bool(named) and (bool(FETCH.match(line)) or _is_only_named(line))


def _only_says_where(line: str) -> bool:
    """Whether it is an address, a number of a telephone, or several of them."""
    words = line.split()
    if len(line) > LONGEST_CONTACT or not all(CONTACT.fullmatch(word) for word in words):
        return False
    digits = sum(one.isdigit() for one in line)
    return digits >= FEWEST_DIGITS or any(ADDRESS.search(word) for word in words)


def _is_only_named(line: str) -> bool:
    """Whether a line is the name of a program, such as "Yahoo Mail" or "FairEmail"."""
    return not _words(GENERIC.sub("", DEVICES.sub("", line.partition(":")[0])))


def _closes(line: str) -> bool:
    """Whether it is thanks or greetings, with names or without: "LG Anna", "Thanks a lot!"."""
    words = _words(line)
    if not words:
        return bool(SMILE.fullmatch(line)) or not (line.isascii() or DISAPPROVES.search(line))
    first = words[0].casefold()
    if "?" in line or len(words) > LONGEST_CLOSING or _says_something(words):
        return False
    if first not in CLOSINGS and not CLOSINGS.intersection(map(str.casefold, words[1:3])):
        return False
    return all(
        (known := word.casefold()) in CLOSINGS
        or known in AROUND
        or (word[0].isupper() and not any(one.isdigit() for one in word))
        for word in words
    )


def _is_named(line: str, names: Collection[str]) -> bool:
    """Whether it is the writer's name, or a short form of it: "Bo" for Boris."""
    own = [word.casefold() for name in names for word in _words(name)]
    words = [word.casefold().rstrip(".") for word in _words(line)]
    return any(len(word) > 1 for word in words) and all(
        any(one.startswith(word) or word.startswith(one) for one in own) for word in words
    )


def _is_of_signature(line: str) -> bool:
    """Whether it may be a name, an office or a company, below thanks or a name."""
    words = _words(line)
    if len(words) > LONGEST_TITLE or line.rstrip()[-1:] in "?!" or _says_something(words):
        return False
    return all(word[0].isupper() or word.casefold() in AROUND for word in words if word.isalpha())


def signers(*names: str) -> Iterator[str]:
    """The names that a signature of theirs may have, also as an address has them."""
    for name in names:
        yield re.sub(r"[._+@\d-]+", " ", name.partition("@")[0])
