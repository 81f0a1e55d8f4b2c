"""The offline judge's pieces: texts, closing lines, claims, and the shelf of analyses."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.ballots.lineup import ballot_lines
from agentdebate.offline.claims import read_claims
from agentdebate.offline.closing import closing_lines, read_lines, read_scores, snap, written
from agentdebate.offline.features import FEATURES, find
from agentdebate.offline.matter import Matter
from agentdebate.offline.parts import Parts
from agentdebate.offline.profiles import profile
from agentdebate.offline.reading import Reading
from agentdebate.offline.shelf import Shelf
from agentdebate.offline.source import Source
from agentdebate.offline.sums import find_sums
from agentdebate.offline.text import Text
from agentdebate.tasks import Aspect, Item, Scale, Task

COHERENCE = Aspect(name="coherence", scale=Scale(low=1, high=5), criterion="Does it hang together?")
MATTER = Matter(
    ballot_lines((COHERENCE,), ())[0],
    "",
    "Coherence",
    Reading(Parts("The bridge is closed."), None, None),
    profile(COHERENCE, "text"),
)
SCALES = st.builds(
    lambda low, steps, step, any_: Scale(low=low, high=low + steps * step, step=None if any_ else step),
    st.integers(-10, 10),
    st.integers(1, 60),
    st.sampled_from([1.0, 0.5, 0.25, 0.1, 1 / 3, 2.0]),
    st.booleans(),
)


def test_sentences_end_at_marks_and_not_at_abbreviations_or_decimals() -> None:
    text = Text.read("Prices rose 3.5 per cent in the U.S. market . Why? Nobody knows")
    assert [text.words[each.first : each.last][-1] for each in text.sentences] == ["market", "why", "knows"]
    assert [each.closed for each in text.sentences] == [True, True, False]


def test_a_quote_is_short_printable_and_never_says_the_stop_word() -> None:
    text = Text.read("one\x00two \u202e“three” four five six seven eight nine ten eleven twelve thirteen")
    assert text.quote(0, 99) == '“one two "three" four five six seven eight nine ten eleven twelve”'
    assert Text.read("There was no  issue at all").quote(0, 6) == "“There was”"
    assert Text.read("No issue").quote(0, 2) == ""


@given(st.text(max_size=200))
@settings(max_examples=60)
def test_every_quote_is_found_again_in_its_text(raw: str) -> None:
    reading = Reading(Parts(raw), None, None)
    for at in range(min(20, len(reading.text.words))):
        quote = reading.text.quote(at, at + 3)
        assert not quote or reading.holds(quote)


def test_a_phrase_of_other_words_is_not_held() -> None:
    reading = Reading(Parts("The bridge is closed."), Source.read("Two beams cracked."), None)
    assert reading.holds("Bridge is CLOSED")
    assert reading.holds("beams cracked")
    assert not reading.holds("idge is closed")
    assert not reading.holds("closed beams")
    assert not reading.holds("...")


def test_the_longest_other_field_is_the_source_and_no_fact_is_none() -> None:
    task = Task(name="t", fields=("ask", "page", "reply"), judged="reply", aspects=(COHERENCE,), brief="")
    parts = Parts.of(task, Item(fields={"ask": "short", "page": "much longer", "reply": "yes"}), "reply")
    assert parts == Parts("yes", "much longer", "")
    talk = task.model_copy(update={"fields": ("dialogue", "fact", "reply")})
    parts = Parts.of(talk, Item(fields={"dialogue": "hello", "fact": " _nofact\n", "reply": "yes"}), "reply")
    assert parts == Parts("yes", "", "hello")


def test_a_field_that_the_task_does_not_show_is_no_part() -> None:
    task = Task(name="t", fields=("page", "reply"), judged="reply", aspects=(COHERENCE,), brief="")
    item = Item(fields={"page": "a page", "notes": "much longer than a page", "reply": "yes"})
    assert Parts.of(task, item, "reply") == Parts("yes", "a page", "")


@given(SCALES, st.floats(-1, 2))
@settings(max_examples=200)
def test_any_share_becomes_a_written_score_on_the_scale(scale: Scale, share: float) -> None:
    text = written(scale, snap(scale, share))
    assert float(text) in scale
    assert abs(float(text) - (scale.low + min(1, max(0, share)) * (scale.high - scale.low))) <= (
        scale.step or 0.1
    )


def test_closing_lines_are_read_back_as_they_were_written() -> None:
    other = Aspect(name="factual_consistency", scale=Scale.parse("0-1 any"), criterion="")
    scores = {"coherence": 4.0, "factual_consistency": 0.25}
    text = closing_lines((COHERENCE, other), scores)
    assert text == "Coherence: 4\nFactual consistency: 0.25"
    assert read_lines(f"Coherence: 2\nreasons\n{text}", (COHERENCE, other)) == scores


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("**Coherence**: 3", 3),
        ("- coherence = 2", 2),
        ("I give coherence a 4 out of 5.", 4),
        ("Coherence: 9", None),
        ("Coherence: 1-5", None),
        ("Rate the coherence (1-5).", None),
        ("Rate the coherence, 1 to 5", None),
        ("Fluency: 3", None),
        ("“Coherence: 3” is what it says: nothing", 3),
        ("", None),
    ],
)
def test_scores_are_read_from_lines_and_else_from_prose(text: str, score: float | None) -> None:
    assert read_scores(text, (COHERENCE,)).get("coherence") == score


def test_claims_are_read_from_a_foreign_critics_words() -> None:
    text = 'This is too generous. The summary is redundant: "the bridge" is said twice.'
    (claim,) = read_claims(text, (MATTER,), "critique")
    assert (claim.matter, claim.direction, claim.quotes) == ("coherence", -1, ("the bridge",))
    assert "redundancy" in claim.features


def test_words_inside_quotes_do_not_turn_a_claim_around() -> None:
    (claim,) = read_claims("Too low. “too high too high” ends well.", (MATTER,), "critique")
    assert claim.direction == 1


def test_a_statement_without_a_direction_claims_nothing() -> None:
    assert read_claims("It says “the bridge” twice.", (MATTER,), "account") == []
    assert read_claims("Too high, it is redundant, but\n\nNO ISSUE.", (MATTER,), "critique") == []


def test_every_sentence_that_a_feature_argues_with_is_recognised_by_its_cue() -> None:
    article = "Ann Lee fed 12 goats in Oslo on Monday. Goats like hay. The farm sold milk. Rain fell for days on end."
    texts = [
        "The farm sold milk. Ann Lee fed 12 goats in Oslo on Monday. Ann Lee fed 12 goats in Oslo on Monday.",
        "he He said said 99 goats (of Bergen and. goats ate hay, goats slept, goats",
        "I don't know. ok",
        "Goats like hay and i like goats , do you like the farm too ? rain fell for days on end , said ann lee .",
        "Goats " + "and hay and milk and rain " * 12,
        "Goats like hay:\n1. Hay for 12 goats, 3 x 4 = 12.\n2. Milk, for example. It's important to note this.\n\nAnd 2 + 2 = 5.",
        "I'm sorry, but I can't say what goats like: it depends on the weather, the farm, the hay",
    ]
    seen = set()
    for text in texts:
        ask = Source.read("What do goats and sheep like ?")
        for source, talk, asked in ((article, None, None), (article, ask, None), ("", None, ask)):
            parts = Parts(text, source, talk.text.raw if talk else "", asked.text.raw if asked else "")
            reading = Reading(parts, Source.read(source) if source else None, talk, asked)
            for name, feature in FEATURES.items():
                finding = find(reading, name)
                for sentence in (finding.weak, finding.strong) if finding else ():
                    seen.add(name)
                    assert not sentence or feature.cue.search(sentence), sentence
                assert finding is None or 0 <= finding.value <= 1
    assert seen == set(FEATURES)


def test_critics_argue_from_other_features_than_scorers_and_all_names_are_known() -> None:
    names = (
        "coherence consistency fluency relevance engagingness groundedness helpfulness accuracy detail charm"
    )
    for kind in ("text", "talk", "answer"):
        for name in names.split():
            found = profile(COHERENCE.model_copy(update={"name": name}), kind)
            assert not set(found.scorer) & set(found.critic)
            assert set(found.features) <= set(FEATURES)
            assert math.isclose(sum(found.scorer.values()), 1.0)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("so 15 x 16 = 240 blinks", [True]),
        ("365 x 24 x 60 = 525,600 minutes.", [True]),
        ("100,000 / 100 = 1,000,000 balloons", [False]),
        ("2 + 3 * 4 = 14 and 10 - 2 - 3 = 5", [True, True]),
        ("2 x 10^3 = 2000, about 1 / 3 = 0.33", [True, True]),
        ("5(8) - 4 + 3 = 39", []),
        ("3x + 10 = 5x - 10", []),
        ("2 x 3 = 6 million", []),
        ("7 / 0 = 3 and 9 ^ 9999 = 1", []),
        ("2 - 1 = 1 - 0 = 1", []),
    ],
)
def test_sums_are_worked_out_where_they_stand_by_themselves(text: str, right: list[bool]) -> None:
    assert [each.right for each in find_sums(text)] == right


@given(st.text(alphabet="0123456789.,+-*x/^= ()", max_size=80))
@settings(max_examples=100)
def test_any_digits_and_signs_are_read_as_sums_without_an_error(raw: str) -> None:
    for each in find_sums(raw):
        assert "=" in raw[each.start : each.end]


@pytest.mark.parametrize(
    "said",
    [
        "Their final score is 3 goals",
        "new rating: five",
        "they raised it from 3 to 4 at once",
        "it went 3 → 4",
        "no-issue, they say",
        "ｎｏ ｉｓｓｕｅ at all",
        "<b>bold</b> | 4 | [[4]]",
    ],
)
def test_a_quote_holds_nothing_that_a_reader_of_ballots_takes_for_ours(said: str) -> None:
    quote = Text.read(f"They say {said}").quote(0, 12)
    assert not any(character in quote for character in "<>|[]→")
    assert not any(word in quote.lower() for word in ("no-issue", "ｎｏ", "final", "rating", "raised"))


def test_a_shelf_keeps_what_was_used_last_within_its_bound() -> None:
    shelf: Shelf[str] = Shelf(10)
    made: list[str] = []

    def get(key: str, weight: int = 4) -> str:
        def make() -> str:
            made.append(key)
            return key.upper()

        return shelf.get(key, weight, make)

    assert [get(key) for key in ("a", "b", "a", "c", "a")] == ["A", "B", "A", "C", "A"]
    assert made == ["a", "b", "c"]
    get("b")
    assert made == ["a", "b", "c", "b"]
    get("huge", 99)
    get("huge", 99)
    assert (len(shelf), made[-1], made.count("huge")) == (1, "huge", 1)
