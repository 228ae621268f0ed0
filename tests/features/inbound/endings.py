"""What stands below a command in emails: endings, which say nothing, and words, which do."""

ENDINGS = (
    # Phones
    "Sent from my iPhone", "Sent from my iPad", "Sent from my Galaxy", "Sent from my Pixel 8",
    "Von meinem iPhone gesendet", "Von meinem iPad gesendet", "Gesendet von meinem Samsung-Gerät",
    "Von meinem Samsung Galaxy Smartphone gesendet.", "Gesendet von Mail für Windows",
    "Envoyé de mon iPhone", "Envoyé depuis mon téléphone Orange", "Envoyé de mon Galaxy S22",
    "Enviado desde mi iPhone", "Enviado do meu iPhone", "Inviato da iPhone", "Inviato da iPad",
    "Verstuurd vanaf mijn iPhone", "Verzonden vanaf mijn Samsung Galaxy", "Wysłane z iPhone'a",
    "Надіслано з iPhone", "Надіслано з мого Samsung", "Отправлено с iPhone",
    "Отправлено с моего Galaxy", "Отправлено из мобильной Почты", "Skickat från min iPhone",
    # Programs and services
    "Get Outlook for iOS", "Get Outlook for Android<https://aka.ms/ghei36>",
    "Sent from Outlook for Android", "Holen Sie sich Outlook für iOS",
    "Obtenez Outlook pour Android", "Sent from Mail for Windows", "Sent from Yahoo Mail on Android",
    "Yahoo Mail: Search, Organize, Conquer", "Sent with Proton Mail secure email.",
    "Sent with Spark", "Envoyé à partir de Outlook", "Gesendet mit der GMX Mail App",
    "Gesendet mit der WEB.DE Mail App", "Gesendet mit der Telekom Mail App", "FairEmail",
    "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
    "Sent from my Android device with K-9 Mail. Please excuse my brevity.",
    "Bitte entschuldigen Sie die Kürze.", "Gesendet mit Thunderbird", "Отправлено из Mail.ru",
    "--\nОтправлено из Яндекс.Почты для мобильных", "Wysłano z aplikacji Onet Poczta",
    "Inviato da Libero Mail", "Scarica Outlook per iOS",
    # Thanks and greetings
    "LG Anna", "VG\nAnna", "Danke!", "Danke und liebe Grüße", "Vielen Dank im Voraus!\nAnna",
    "Mit freundlichen Grüßen\nAnna Schmidt\nLeiterin Vertrieb\nAcme GmbH",
    "Thanks!", "Thanks, Anna", "Thank you so much", "Cheers, Bo", "Best,\nAnna", "Many thanks",
    "xoxo",
    "Best wishes,\n\nAnna Schmidt\nHead of Sales, Acme Ltd.\nTel. +44 20 7946 0958\nwww.acme.org",
    "Спасибо!", "Заранее спасибо, Анна", "С уважением,\nАнна Шмидт", "Всего доброго",
    "Merci !", "Merci d'avance", "Cordialement,\nAnne", "Bien à vous", "Bises", "¡Gracias!",
    "Un saludo, Ana", "Saludos cordiales", "Grazie mille", "Cordiali saluti\nAnna",
    "Groetjes, Anna",
    "Met vriendelijke groet,\nAnna", "Bedankt!", "Pozdrawiam", "Z poważaniem\nAnna", "Dziękuję",
    "Дякую!", "З повагою,\nАнна", "🙏", ":-)",
    # Names
    "Anna", "Anna Schmidt", "A. Schmidt", "- Anna", "*Anna Schmidt*",
    # Companies, programs against viruses, lines
    "-- \nAnna\nAcme Ltd.", "__________\nAnna Schmidt", "————\nAnna",
    "This email is confidential.\nIf you are not the intended recipient, please delete it.",
    "Diese E-Mail ist vertraulich.\n\nWenn Sie nicht der richtige Adressat sind, löschen Sie sie.",
    "Конфиденциально: письмо предназначено только для получателя.",
    "Ce message est confidentiel et destiné uniquement à son destinataire.",
    "Virus-free. www.avast.com", "Diese E-Mail wurde von Avast auf Viren geprüft.",
    "Это письмо проверено на вирусы.",
    "Please consider the environment before printing this email.",
    "Denken Sie an die Umwelt, bevor Sie diese E-Mail drucken.",
)  # fmt: skip
"""None of this was written to anybody at the table, by Anna Schmidt."""

WORDS = (
    "Wait, no.", "No!", "Nein", "Нет", "Not yet", "or should I make it 5000?",
    "Actually make it 5000",
    "Sorry, I meant the doctor", "If Boris bribes more, then 6000.", "Only if he does it too.",
    "Hi Boris, let's be allies!", "What do you think?", "doctor 2000", "5000", "?", "Red lies.",
    "Thanks, but not for the clerk", "Danke, aber nur wenn Boris zahlt",
    "Thanks!\n\nOn second thoughts 5000",
    "Anna hates you all", "Sent you a mail, Boris", "I got your email from my phone", "👎",
    "Oder doch lieber 5000", "Спасибо, но лучше 5000", "Stop", "Best not do it",
    "Thanks for nothing, Boris, I'm going to win",
    "See you in the next turn, then I'll bribe him", "Warte noch damit", "Mist, falsch!",
)  # fmt: skip
"""All of this may have been meant for somebody, or change what is wanted."""
