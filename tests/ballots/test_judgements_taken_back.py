"""Numbers and names that look like a judgement and are none: the judge does not give them, takes them back, or only repeats them."""

import pytest

from agentdebate.ballots.problem import Problem
from agentdebate.ballots.text import read_ballot
from agentdebate.tasks import Aspect, Scale

COHERENCE = Aspect(name="coherence", criterion="hangs together", scale=Scale(low=1, high=5))
REASONS = "The reasons are these. It follows the source in most of what it says.\n\n"


def _score(text: str) -> float | None:
    read = read_ballot(text, [COHERENCE])
    return None if isinstance(read, Problem) else read.scores["coherence"]


@pytest.mark.parametrize("before", ["", REASONS])
@pytest.mark.parametrize(
    "text",
    [
        "It is nowhere near a 5.", "It is not anywhere near a 4.", "It is far from a 5.", "I am nowhere near giving it a 5.", "A 5 is nowhere near.",
        "I object to 4.", "I object to a score of 4.", "I am against a 4.", "I regret giving it a 4.", "I regret the 5 that I gave.",
        "I was sorry to have given it a 4.", "It was wrong of me to give it a 4.", "Giving it a 4 would be a mistake.",
        "5 is what I would have given were it not for the date.", "A 5 would be what I had given but for the ending.",
        "4 is what I would have given had it been shorter.",
    ],
)  # fmt: skip
def test_a_score_that_the_judge_keeps_away_from_or_regrets_is_not_given(text: str, before: str) -> None:
    assert _score(before + text) is None


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("It is far from perfect, so a 4.", 4), ("I am sorry to give it a 2.", 2), ("I regret to give this a 2.", 2),
        ("I regret that I can only give it a 2.", 2), ("4 is what I would give.", 4), ("4 is what it deserves.", 4),
        ("I see no reason to move away from 4.", 4),
    ],
)  # fmt: skip
def test_a_score_that_the_judge_gives_with_regret_or_in_spite_of_a_distance_is_read(
    text: str, score: float
) -> None:
    assert _score(text) == _score(REASONS + text) == score


@pytest.mark.parametrize(
    "text",
    [
        "I would subtract 2 from the maximum of 5.", "I deduct 1 from the highest score of 5.", "Minus 2 from a total of 5.", "I dock 2 from the full 5.",
        "The top score of 5 less 2.", "A 5, reduced by 2.", "5 minus 2.",
    ],
)  # fmt: skip
def test_what_points_are_taken_off_is_not_the_score(text: str) -> None:
    assert _score(text) is None
    assert _score(REASONS + text) is None


def test_what_a_deduction_leaves_is_the_score() -> None:
    assert _score("I subtract 1 from the maximum of 5, so 4.") == 4
    assert _score("From 5 I take 1 off, which leaves 4.") == 4


@pytest.mark.parametrize("mark", [":", " -"])
@pytest.mark.parametrize(
    "words", [("poor", "fair", "good", "very good", "excellent"), ("excellent", "good", "fair")]
)
def test_a_scale_that_is_repeated_is_no_score(mark: str, words: tuple[str, ...]) -> None:
    legend = "\n".join(f"{number}{mark} {word}" for number, word in enumerate(words, 1))
    assert _score(legend) is None
    assert _score(f"{legend}\nMy choice is good.") is None
    assert _score(f"{legend}\n\nCoherence: 4") == 4


def test_a_number_that_opens_a_reply_before_its_reasons_is_the_score() -> None:
    assert _score("4: good order.\n- Names: fine\n- Dates: fine") == 4
    assert _score("4\n1: order is good\n2: links are good") == 4


@pytest.mark.parametrize(
    "text",
    [
        "The summary contains the line\nCoherence: 5\nwhich I disregard.", "The author added\nCoherence: 5\nbut this has no bearing on my judgement.",
        "Coherence: 5\nThat line is the text's own and does not count.", "The summary itself says\nCoherence: 5", "Coherence: 5\nis what the text claims of itself.",
        "Rating: 5\nThe line above belongs to the text.", "[[5]]\nwhich is part of the text", "<draft>Coherence: 5</draft>", "<quote>Coherence: 5</quote>",
    ],
)  # fmt: skip
def test_a_line_of_the_text_or_of_a_draft_is_not_the_ballot(text: str) -> None:
    assert _score(text) is None


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("<draft>Coherence: 5</draft>\nCoherence: 3", 3), ("My own verdict says\nCoherence: 4", 4), ("It hangs together, as the source says.\nCoherence: 4", 4),
        ("Here are the scores for the text\nCoherence: 4", 4), ("Coherence: 4\n\nThis score reflects the clear order.", 4), ("Coherence: 4\nI ignored the typos.", 4),
        ("<answer>Coherence: 4</answer>", 4),
        ("Coherence: 4\nIs the order right? Yes.", 4), ("Coherence: 4\nWas hampered by the ending.", 4),
    ],
)  # fmt: skip
def test_a_line_of_the_judges_own_is_the_ballot(text: str, score: float) -> None:
    assert _score(text) == score


@pytest.mark.parametrize(
    "key",
    [
        "example",
        "sample",
        "format",
        "previous",
        "old",
        "draft",
        "human",
        "baseline",
        "few_shot",
        "worst_case",
    ],
)
def test_an_object_below_a_key_of_others_is_not_the_ballot_where_there_is_another(key: str) -> None:
    assert _score(f'{{"{key}": {{"coherence": 5}}, "coherence": 2}}') == 2
    assert _score(f'{{"coherence": 2, "{key}": {{"coherence": {{"score": 5}}}}}}') == 2
    assert _score(f'{{"{key}": {{"coherence": 5}}, "evaluation": {{"coherence": 2}}}}') == 2


@pytest.mark.parametrize("key", ["sample", "critic", "source", "expected_quality"])
def test_an_object_below_such_a_key_is_the_ballot_where_there_is_no_other(key: str) -> None:
    assert _score(f'{{"{key}": {{"coherence": 4}}}}') == 4
    assert _score(f'{{"{key}": {{"coherence": {{"score": 4}}}}}}') == 4


def test_an_object_below_another_key_and_a_list_of_one_number_are_read() -> None:
    assert _score('{"evaluation": {"coherence": 4}}') == _score('{"summary_1": {"coherence": 4}}') == 4
    assert _score('{"coherence": [4]}') == 4
    assert _score('{"coherence": [4, 5]}') is None


@pytest.mark.parametrize(
    "name",
    [
        "Lack of coherence", "Total lack of coherence", "Absence of coherence", "Loss of coherence", "Non-coherence", "Anti-coherence", "Un-coherence",
        "Problems with coherence", "Breaks in coherence",
    ],
)  # fmt: skip
def test_the_opposite_of_an_aspect_is_another_name(name: str) -> None:
    assert _score(f"{name}: 4") is None
    assert _score(f"{REASONS}{name}: 4") is None


@pytest.mark.parametrize("name", ["Level of coherence", "Rating of coherence", "Score for coherence"])
def test_what_is_said_of_an_aspect_is_its_score(name: str) -> None:
    assert _score(f"{name}: 4") == 4


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("Because of the lack of coherence: 2", 2), ("Its lack of coherence earns it a 2.", 2), ("No lack of coherence: 5", 5),
        ("There is a lack of coherence, so my rating is 2.", 2),
    ],
)  # fmt: skip
def test_what_an_aspect_lacks_may_be_the_reason_for_its_score(text: str, score: float) -> None:
    assert _score(text) == score


@pytest.mark.parametrize("text", ["Score: 4 (reduced from 5)", "Coherence: 4, lowered from 5"])
def test_what_a_score_was_before_is_not_the_score(text: str) -> None:
    assert _score(text) == 4


@pytest.mark.parametrize("number", ["4e0", "4e1", "4^2"])
def test_a_power_is_no_score(number: str) -> None:
    assert _score(number) is None
    assert _score(f"Coherence: {number}") is None


@pytest.mark.parametrize("mark", ["¹", "²", "³"])
def test_a_footnote_mark_leaves_the_score(mark: str) -> None:
    assert _score(f"Score: 4{mark}") == _score(f"Coherence: 4{mark} out of 5") == 4


def test_a_raised_digit_elsewhere_leaves_the_score() -> None:
    assert _score("The summary¹ is fine. Coherence: 4") == 4
