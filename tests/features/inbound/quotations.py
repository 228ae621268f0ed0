"""How mail programs quote what is replied to."""

BLOCK = {
    "en": "From: Intrigue <i@example.org>\nSent: Monday, March 2, 2026\nTo: Anna\nSubject: Turn",
    "de": "Von: Intrigue <i@example.org>\nGesendet: Montag, 2. März 2026\nAn: Anna\nBetreff: Zug",
    "ru": "От: Intrigue <i@example.org>\nОтправлено: 2 марта 2026 г.\nКому: Anna\nТема: Ваш ход",
    "fr": "De : Intrigue <i@example.org>\nEnvoyé : lundi 2 mars 2026\nÀ : Anna\nObjet : Tour",
    "es": "De: Intrigue <i@example.org>\nEnviado: lunes, 2 de marzo\nPara: Anna\nAsunto: Turno",
    "it": "Da: Intrigue <i@example.org>\nInviato: lunedì 2 marzo\nA: Anna\nOggetto: Turno",
    "nl": "Van: Intrigue <i@example.org>\nVerzonden: maandag 2 maart\nAan: Anna\nOnderwerp: Beurt",
    "pl": "Od: Intrigue <i@example.org>\nWysłano: poniedziałek\nDo: Anna\nTemat: Ruch",
    "uk": "Від: Intrigue <i@example.org>\nНадіслано: понеділок\nКому: Anna\nТема: Хід",
}
SAMSUNG = {
    "en": "-------- Original message --------", "de": "-------- Ursprüngliche Nachricht --------",
    "ru": "-------- Исходное сообщение --------", "fr": "-------- Message d'origine --------",
    "es": "-------- Mensaje original --------", "it": "-------- Messaggio originale --------",
    "nl": "-------- Oorspronkelijk bericht --------",
    "pl": "-------- Oryginalna wiadomość --------",
    "uk": "-------- Вихідне повідомлення --------",
}  # fmt: skip
OURS = "\n\nHello Anna,\n\nbribe clerk 9000"

QUOTATIONS = {
    **{f"Outlook, {name}": block + OURS for name, block in BLOCK.items()},
    **{f"Samsung, {name}": f"{SAMSUNG[name]}\n{BLOCK[name]}{OURS}" for name in BLOCK},
    "Samsung without an address": "-------- Message d'origine --------\nDe : Intrigue\n"
    "Date : 02/03/2026 10:00 (GMT+01:00)\nÀ : anna\nObjet : Tour" + OURS,
    "Lotus": "-----Intrigue <i@example.org> wrote: -----\nTo: anna@example.org\n"
    "From: Intrigue <i@example.org>\nDate: 03/02/2026 10:00AM\nSubject: Your turn" + OURS,
    "Lotus, German": "-----Intrigue <i@example.org> schrieb: -----\n\nAn: anna@example.org\n"
    "Von: Intrigue <i@example.org>\nDatum: 02.03.2026 10:00\nBetreff: Zug" + OURS,
    "Zimbra": f"----- Original Message -----\n{BLOCK['en']}{OURS}",
    "Zimbra, German": f"----- Ursprüngliche Mail -----\n{BLOCK['de']}{OURS}",
    "Zimbra, French": f"----- Mail original -----\n{BLOCK['fr']}{OURS}",
    "Yandex": "----------------\nКому: anna@example.org (anna@example.org);\nТема: Ваш ход;\n"
    '02.03.2026, 10:00, "Intrigue" <i@example.org>:' + OURS,
    "Yandex, above an introduction": '----------------\n02.03.2026, 10:00, "Intrigue" '
    "<i@example.org>:\n> Ваш ход",
    "Outlook's line": f"________________________________\n{BLOCK['nl']}{OURS}",
    "Gmail": "On Mon, 2 Mar 2026 at 10:00, Intrigue <i@example.org> wrote:\n\n> Your move",
    "Gmail, broken": "On Mon, 2 Mar 2026 at 10:00, Intrigue <i@example.org>\nwrote:\n> Your move",
    "Gmail, German": "Am Mo., 2. März 2026 um 10:00 Uhr schrieb Intrigue <i@example.org>:\n\n> Zug",
    "Gmail, Russian": "пн, 2 мар. 2026 г. в 10:00, Intrigue <i@example.org>:\n\n> Ваш ход",
    "Gmail, French": "Le lun. 2 mars 2026 à 10:00, Intrigue <i@example.org> a écrit :\n\n> Tour",
    "Gmail, Spanish": "El lun, 2 mar 2026 a las 10:00, Intrigue (<i@example.org>) escribió:\n\n> x",
    "Gmail, Italian": "Il giorno lun 2 mar 2026 alle ore 10:00 Intrigue <i@example.org> ha\n"
    "scritto:\n\n> Turno",
    "Gmail, Dutch": "Op ma 2 mrt 2026 om 10:00 schreef Intrigue <i@example.org>:\n\n> Beurt",
    "Gmail, Polish": "pon., 2 mar 2026 o 10:00 Intrigue <i@example.org> napisał(a):\n\n> Ruch",
    "Gmail, Ukrainian": "пн, 2 бер. 2026 р. о 10:00 Intrigue <i@example.org> пише:\n\n> Хід",
    "Apple": "> On 2 Mar 2026, at 10:00, Intrigue <i@example.org> wrote:\n> \n> Your move",
    "Apple, German": "> Am 02.03.2026 um 10:00 schrieb Intrigue <i@example.org>:\n> \n> Zug",
    "Thunderbird": "On 02/03/2026 10:00, Intrigue wrote:\n> Your move",
    "Thunderbird, German": "Am 02.03.26 um 10:00 schrieb Intrigue:\n> Zug",
    "Proton": "On Monday, March 2nd, 2026 at 10:00 AM, Intrigue <i@example.org> wrote:\n\n> Turn",
    "Yahoo": "On Monday, March 2, 2026 at 10:00:00 AM GMT+1, Intrigue <i@example.org> wrote:\n\nx",
    "GMX": "Gesendet: Montag, 2. März 2026 um 10:00 Uhr\nVon: Intrigue <i@example.org>\n"
    "An: anna@example.org\nBetreff: Dein Zug" + OURS,
    "Mail.ru": "Понедельник, 2 марта 2026, 10:00 +03:00 от Intrigue <i@example.org>:\n>  Ваш ход",
}  # fmt: skip
