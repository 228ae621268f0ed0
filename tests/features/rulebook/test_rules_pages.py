"""The pages about the rules: what is different in each edition and option, and the examples."""

import re

import pytest
from django.test import Client

from games.engine import EDITIONS
from games.engine.editions import CHOICES, with_options
from games.features.rulebook import views
from games.features.rulebook.examples import examples
from games.features.rulebook.facts import editions_compared, set_up_text, variants_text
from games.features.rulebook.text import rules_text
from games.services.game.absence import RULE
from tests.support.client import browser, person, text_of
from tests.support.tables import open_table

ALL = list(EDITIONS.values())
EXAMPLES = {"salary", "uncontested", "external", "internal", "broke", "sending", "default"}
OPTION_SETS = [{option: value} for option, values in CHOICES.items() for value in values] + [
    {"rounds": 1},
    {"rounds": 20},
    {"uncontested_min_bribe": 10_000},
    {"uncontested_min_bribe": 1_000_000, "broke": "debt"},
    {"attackers": "highest", "defender_bribe": "optional", "refund_losers": True},
]


def section_text(edition, anchor):
    [section] = [section for section in rules_text(edition) if section.anchor == anchor]
    return " ".join((*section.paragraphs, *section.steps))


class TestDifferencesBetweenEditions:
    def test_each_has_its_own_numbers_and_occupations(self):
        facts = {edition.id: [fact.value for fact in set_up_text(edition)] for edition in ALL}
        assert facts["mayfair-2005"] == [
            "3 to 5",
            "5",
            "1,000\u00a0· 3,000\u00a0· 6,000\u00a0· 10,000",
            "scientist, doctor, priest and clerk",
            "two of each occupation, 8 in all",
            "32,000 ducats",
            "1,000",
        ]
        assert facts["fx-schmid-1994"] == [
            "3 to 5",
            "6",
            "10,000\u00a0· 20,000\u00a0· 30,000\u00a0· 50,000\u00a0· 100,000",
            "soldier, lawyer, scholar, priest and banker",
            "two of each occupation, 10 in all",
            "320,000 ducats",
            "10,000",
        ]
        assert facts["russian"][5] == "$32,000"
        assert facts["reference-manual"][3] == "scribe, minister, alchemist and healer"

    @pytest.mark.parametrize("edition", ALL, ids=lambda edition: edition.id)
    def test_each_is_described_in_its_own_words(self, edition):
        text = " ".join(section_text(edition, section.anchor) for section in rules_text(edition))
        words = edition.words
        for own in (words.palace, words.scholars, words.area, words.areas):
            assert own in text
        strange = {"palace", "palazzo", "scholars", "relatives", "workers"}
        strange -= {words.palace, words.scholars}
        assert not [word for word in strange if re.search(rf"\b{word}\b", text)]

    def test_where_the_two_go_who_are_sent(self):
        same = "Both may go to the same palace."
        different = "The two must go to different"
        assert same in section_text(EDITIONS["mayfair-2005"], "sending")
        for edition in ALL[1:]:
            assert different in section_text(edition, "sending")

    def test_which_fight_comes_first(self):
        first = {
            edition.id: re.search(
                r"one after another, (\w+) salary first", section_text(edition, "internal")
            )[1]
            for edition in ALL
        }
        assert first == {
            "mayfair-2005": "lowest",
            "fx-schmid-1994": "lowest",
            "russian": "highest",
            "reference-manual": "lowest",
        }

    def test_passing_the_highest_attacker_and_debts_belong_to_one_edition(self):
        passing = [
            edition.id
            for edition in ALL
            if "may pay 0 to pass" in section_text(edition, "internal")
        ]
        highest = [
            edition.id for edition in ALL if "or the attacker" in section_text(edition, "internal")
        ]
        debts = [
            edition.id for edition in ALL if "owes the difference" in section_text(edition, "broke")
        ]
        assert passing == highest == debts == ["reference-manual"]
        banks = [
            edition.id
            for edition in ALL
            if "the bank pays the rest" in section_text(edition, "broke")
        ]
        assert banks == ["mayfair-2005", "fx-schmid-1994", "russian"]

    def test_rounds_and_least_bribe(self):
        assert "After 5 rounds" in section_text(EDITIONS["mayfair-2005"], "end")
        assert "After 6 rounds" in section_text(EDITIONS["russian"], "end")
        assert "at least 10,000, a multiple" in section_text(EDITIONS["fx-schmid-1994"], "bribes")

    def test_they_are_compared_row_by_row(self):
        rows = {row.label: [cell.value for cell in row.values] for row in editions_compared()}
        assert rows["Rounds"] == ["5", "6", "6", "6"]
        assert rows["If a player can't pay the minimum"][2:] == [
            "the bank pays the rest",
            "the player goes into debt",
        ]
        assert all(len(values) == len(ALL) for values in rows.values())


class TestOptions:
    def test_each_changes_its_own_sentence(self):
        mayfair = EDITIONS["mayfair-2005"]
        for option, value, anchor, sentence in (
            ("rounds", 1, "end", "After 1 round, everyone"),
            ("promises", "binding", "aim", "Most promises can be broken."),
            ("promises", "binding", "talk", "promises for the current turn are binding once"),
            ("bribing", "simultaneous", "bribes", "Bribes are sealed"),
            ("refund_losers", True, "bribes", "all who were banished are refunded"),
            ("distinct_palaces", True, "sending", "must go to different palaces"),
            ("internal_order", "descending", "internal", "highest salary first"),
            ("defender_bribe", "optional", "internal", "may pay 0 to pass"),
            ("attackers", "highest", "internal", "the attacker with the highest bribe"),
            ("broke", "debt", "broke", "owes the difference"),
            ("uncontested_min_bribe", 10_000, "bribes", "rival, it must be at least 10,000"),
        ):
            assert sentence not in section_text(mayfair, anchor)
            assert sentence in section_text(with_options(mayfair, {option: value}), anchor)

    def test_all_are_explained_and_the_changed_ones_marked(self):
        table = with_options(EDITIONS["russian"], {"rounds": 3, "broke": "bank"})
        variants = variants_text(table)
        assert len(variants) == len(CHOICES) + 2
        assert [(one.label, one.value) for one in variants if one.changed] == [("Rounds", "3")]
        assert all("{" not in one.text for one in variants)


class TestExamples:
    @pytest.mark.full
    @pytest.mark.parametrize("options", OPTION_SETS, ids=str)
    @pytest.mark.parametrize("edition", ALL, ids=lambda edition: edition.id)
    def test_the_engine_plays_them_under_all_rules(self, edition, options):
        """Every move of theirs passes the engine's own check, or this would raise."""
        drawn = examples(with_options(edition, options))
        assert set(drawn) == EXAMPLES
        assert all(example.text or example.caption for example in drawn.values())
        assert {section.anchor for section in rules_text(edition)} > EXAMPLES

    def test_the_player_who_paid_most_gets_the_least(self):
        example = examples(EDITIONS["mayfair-2005"])["uncontested"]
        assert example.text == [
            "Yvette pays 3,000 for the yellow scientist.",
            "Gustav pays 6,000 for the green doctor.",
            "Bruno pays 1,000 for the blue priest.",
            "Rosa hires the yellow scientist at a salary of 10,000.",
            "Rosa hires the green doctor at a salary of 1,000.",
            "Rosa hires the blue priest at a salary of 6,000.",
        ]
        [rosa] = example.palaces
        assert [scholar.name for scholar in rosa.applicants] == [
            "yellow scientist",
            "green doctor",
            "blue priest",
        ]

    def test_losers_are_paid_back_where_the_table_refunds(self):
        edition = with_options(EDITIONS["mayfair-2005"], {"refund_losers": True})
        text = " ".join(examples(edition)["external"].text)
        assert "Gustav gets 4,000 back." in text

    def test_the_order_of_two_fights_is_the_edition_s(self):
        captions = {edition.id: examples(edition)["internal"].caption for edition in ALL}
        assert (
            "first the one over the 1,000 salary, then the one over the 10,000 salary"
            in captions["mayfair-2005"]
        )
        assert (
            "first the one over the 10,000 salary, then the one over the 1,000 salary"
            in captions["russian"]
        )
        assert "10,000 salary, then the one over the 100,000 salary" in captions["fx-schmid-1994"]

    def test_a_resident_passes_and_only_the_highest_attacker_wins_in_the_manual(self):
        text = examples(EDITIONS["reference-manual"])["internal"].text
        assert "Gustav pays nothing for the green minister." in text
        assert "Rosa hires the blue minister at a salary of 1,000." in text
        mayfair = examples(EDITIONS["mayfair-2005"])["internal"].text
        assert "Rosa hires the yellow doctor at a salary of 1,000." in mayfair

    def test_a_player_who_has_nothing_left_is_helped_or_owes(self):
        helped = examples(EDITIONS["mayfair-2005"])["broke"].text
        assert helped == [
            (
                "Bruno pays 1,000 for the blue clerk. The bank pays 1,000 of that, because "
                "Bruno has no money left."
            )
        ]
        owes = examples(EDITIONS["reference-manual"])["broke"].text
        assert owes == ["Bruno pays 1,000 for the blue healer."]


@pytest.mark.django_db
class TestPages:
    def test_anybody_may_read_them_without_signing_in(self):
        page = text_of(Client().get("/rules/"))
        for edition in ALL:
            assert edition.name in page
            rules = Client().get(f"/rules/{edition.id}/")
            assert rules.status_code == 200
            for section in rules_text(edition):
                assert section.title in text_of(rules)
                assert f'id="{section.anchor}"' in rules.content.decode()
                assert f'href="#{section.anchor}"' in rules.content.decode()

    def test_they_say_how_many_missed_deadlines_make_a_player_absent(self):
        seldom = [False] * (RULE.remembered // RULE.misses) + [True]
        assert RULE.is_too_much([True] * RULE.in_a_row)
        assert RULE.is_too_much((seldom * RULE.misses)[-RULE.remembered :])
        assert (
            f"misses {RULE.in_a_row} deadlines in a row after having the full time to move, or "
            f"{RULE.misses} of the last {RULE.remembered}, is marked absent"
        ) in text_of(Client().get("/rules/"))

    def test_an_edition_that_does_not_exist_is_not_found(self):
        assert Client().get("/rules/monopoly/").status_code == 404

    @pytest.mark.parametrize(
        "back",
        [
            "", "tables/x/", "//evil.example/tables/x/", "https://evil.example/tables/x/",
            "javascript:alert(1)", "/tables/x/leave/", "/accounts/logout/", "/tables/x/\n", "/\0",
        ],
    )  # fmt: skip
    def test_they_lead_back_nowhere_but_to_a_table(self, back):
        page = Client().get("/rules/", {"back": back})
        assert page.status_code == 200
        assert "Back to the table" not in text_of(page)

    def test_no_query_is_needed(self, django_assert_num_queries):
        Client().get("/rules/")  # from now on the process remembers how the site stands
        with django_assert_num_queries(0):
            Client().get("/rules/mayfair-2005/")

    def test_the_rules_are_linked_from_every_page(self):
        anna = browser(person("Anna"))
        for page in (Client().get("/"), anna.get("/"), anna.get("/tables/new/")):
            assert 'href="/rules/' in page.content.decode()

    def test_a_table_shows_the_rules_with_its_own_options(self):
        options = {"rounds": 3, "bribing": "simultaneous"}
        game = open_table("Anna", "Boris", size=3, options=options)
        anna = browser(game.host)
        lobby = anna.get(game.get_absolute_url()).content.decode()
        assert f'href="{game.get_absolute_url()}rules/"' in lobby
        page = text_of(anna.get(f"{game.get_absolute_url()}rules/"))
        assert "These are the rules at the table The Venice table." in page
        assert "Rounds: 3" in page
        assert "After 3 rounds, everyone" in page
        assert "Bribes are sealed" in page

    def test_a_started_game_links_them_too_and_strangers_sign_in_first(self):
        game = open_table("Anna", "Boris", "Clara")
        rules = f"{game.get_absolute_url()}rules/"
        assert f'href="{rules}"' in browser(game.host).get(game.get_absolute_url()).content.decode()
        assert "uses the rules of its edition without changes" in text_of(
            browser(game.host).get(rules)
        )
        assert Client().get(rules)["Location"].startswith("/accounts/login/")


@pytest.mark.django_db
def test_what_is_kept_of_the_rules_is_in_one_language_and_has_nothing_of_its_first_reader():
    views._rendered.cache_clear()
    anna = browser(person("Annabella", language="de"))
    for address in ("/rules/", "/rules/mayfair-2005/"):
        of_anna = anna.get(address).content.decode()
        german = Client().get(address, headers={"Accept-Language": "de"}).content.decode()
        english = Client().get(address, headers={"Accept-Language": "en"}).content.decode()
        assert ("Annabella" in of_anna, "Annabella" in german + english) == (True, False)
        assert text_in(of_anna) == text_in(german)
        assert ("Gelehrte" in text_in(german), "Gelehrte" in text_in(english)) == (True, False)
        assert "csrfmiddlewaretoken" not in text_in(german) + text_in(english)


def text_in(page):
    return re.search("<main.*?</main>", page, re.DOTALL)[0]
