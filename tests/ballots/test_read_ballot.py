"""Reading ballots in free text: other scales, cut-off replies, problems, long texts, and properties of any text."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.ballots.ballot import Ballot, Rating, Reading
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.text import read_ballot
from agentdebate.tasks import Aspect, Scale


def aspect(name: str, low: float = 1, high: float = 5, step: float | None = 1) -> Aspect:
    return Aspect(name=name, scale=Scale(low=low, high=high, step=step), criterion="-")


COHERENCE = aspect("coherence")
FLUENCY = aspect("fluency", high=3)
FACTUAL = aspect("factual_consistency")
CONSISTENCY = aspect("consistency")


def outcome(read: Ballot | Problem) -> Any:
    return read.kind if isinstance(read, Problem) else list(read.scores.values())


@pytest.mark.parametrize(
    ("reply", "wanted", "expected"),
    [
        ("10", aspect("overall", high=10), [10]),
        ("Score: 10", aspect("overall", high=10), [10]),
        ("Score: 10/10", aspect("overall", high=10), [10]),
        ("Overall: 8", aspect("overall", high=10), [8]),
        ("Score: ten", aspect("overall", high=10), [10]),
        ("Score: 1 0", aspect("overall", high=10), "missing"),
        ("Score: 85", aspect("overall", low=0, high=100), [85]),
        ("Score: 85%", aspect("overall", low=0, high=100), [85]),
        ("Score: 85%", aspect("overall", high=10), "missing"),
        ("Score: 0.75", aspect("coverage", 0, 1, None), [0.75]),
        ("Score: .75", aspect("coverage", 0, 1, None), [0.75]),
        ("Score: 0,75", aspect("coverage", 0, 1, None), [0.75]),
        ("Coverage (0-1): 0.8", aspect("coverage", 0, 1, None), [0.8]),
        ("Score: 1e-1", aspect("coverage", 0, 1, None), [0.1]),
        ("Score: 3.5", aspect("coverage", 1, 5, 0.5), [3.5]),
        ("Score: 3½", aspect("coverage", 1, 5, 0.5), [3.5]),
        ("Score: three and a half", aspect("coverage", 1, 5, 0.5), [3.5]),
        ("Score: three point five", aspect("coverage", 1, 5, 0.5), [3.5]),
        ("Score: -2", aspect("tone", -3, 3), [-2]),
        ("Score: −2", aspect("tone", -3, 3), [-2]),
        ("Factual consistency: 4", FACTUAL, [4]),
        ("factual_consistency: 4", FACTUAL, [4]),
        ("Factual-Consistency Score: 4/5", FACTUAL, [4]),
        ("Consistency: 4", FACTUAL, "missing"),
        ("Factual consistency: 4", CONSISTENCY, "missing"),
    ],
)
def test_the_scale_and_the_name_of_the_aspect_decide(reply: str, wanted: Aspect, expected: Any) -> None:
    assert expected == outcome(read_ballot(reply, [wanted]))


def test_the_longer_of_two_names_is_what_a_label_means() -> None:
    read = read_ballot("Factual consistency: 2\nConsistency: 4", [CONSISTENCY, FACTUAL])
    assert isinstance(read, Ballot)
    assert read.scores == {"consistency": 4, "factual_consistency": 2}


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("The ideas follow, but", "cut_off"),
        ("", "cut_off"),
        ("<think>A score of 4", "cut_off"),
        ("Score: 1", "cut_off"),
        ("Score: 4.", "cut_off"),
        ("Score: 4/", "cut_off"),
        ("Score: 4/5", "cut_off"),
        ("4", "cut_off"),
        ("Score: four", "cut_off"),
        ("Score: 4\nFinal score: 3", "several"),
        ("Score: 4\n", [4]),
        ("Score: 4. The order", [4]),
        ("Score: **4**", [4]),
        ("Score: 4\nReason: there are 2", [4]),
        ('{"reason": "It flows", "score": 1', "cut_off"),
        ('{"reason": "It flows and', "cut_off"),
        ('{"score": 4, "reason": "It fl', [4]),
        ('{"reason": "It flows", "score": 4}', [4]),
    ],
)
def test_a_number_at_the_end_of_a_reply_that_was_cut_off_is_not_trusted(reply: str, expected: Any) -> None:
    assert expected == outcome(read_ballot(reply, [COHERENCE], cut_off=True))


@pytest.mark.parametrize(
    ("reply", "wanted", "words"),
    [
        ("", [COHERENCE], ["empty", "coherence (1 to 5)"]),
        (
            "I cannot assist with that.",
            [COHERENCE, FLUENCY],
            ["declined", "coherence (1 to 5)", "fluency (1 to 3)"],
        ),
        ("Coherence: 4", [COHERENCE, FLUENCY], ["no score", "fluency (1 to 3)"]),
        ("Coherence: 2\nCoherence: 4", [COHERENCE], ["2 and 4", "coherence", "1 to 5"]),
        ("Coherence: 6", [COHERENCE], ["found 6", "coherence", "1 to 5 in steps of 1"]),
        ("Score: 8/10", [COHERENCE], ["8/10", "coherence", "1 to 5"]),
        ("Score: 2", [aspect("coverage", 0, 1, None)], ["found 2", "0 to 1, any number between"]),
        ("Fluency: 9", [COHERENCE, FLUENCY], ["found 9 for fluency", "no score for coherence"]),
    ],
)
def test_a_problem_names_the_aspect_what_was_found_and_the_scale(
    reply: str, wanted: list[Aspect], words: list[str]
) -> None:
    read = read_ballot(reply, wanted)
    assert isinstance(read, Problem)
    assert [word for word in words if word not in read.text] == []


def test_the_reason_of_free_text_is_the_reply_without_its_thinking() -> None:
    read = read_ballot("<think>Hm, 3?</think>\n It flows.\nScore: 4 \n", [COHERENCE])
    assert read == Ballot(
        ratings=(Rating(aspect="coherence", score=4),),
        reason="It flows.\nScore: 4",
        reading=Reading(how="text", rule="form"),
    )


UNITS = [
    "1",
    "1 ",
    "4/",
    "-1",
    "((1",
    "|1",
    "|a|b|\n|-|-|\n",
    "{",
    '{"score":',
    '{"score": 4 ',
    '\\"',
    '{\\"',
    "<a",
]
UNITS += [
    "*",
    "~~a",
    "\\boxed{",
    "\\frac{4}{",
    "<think>",
    "\u0300\u0316",
    "score of 4 ",
    "Score ",
    "coherence: ",
]


@pytest.mark.parametrize("unit", UNITS)
def test_a_long_run_of_anything_is_no_score_of_two_aspects(unit: str) -> None:
    """`python -m benchmarks reading` measures that the time grows with the length of such texts and not its square."""
    assert isinstance(read_ballot(unit * (20_000 // len(unit)), [COHERENCE, FACTUAL]), Problem)


def test_a_megabyte_is_read_to_its_end() -> None:
    read = read_ballot("The text flows well. " * 50_000 + "\nScore: 4", [COHERENCE])
    assert outcome(read) == [4]


ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)
PARTS = (
    'score Score: coherence fluency final 4 4/5 10 - to from is of a I give , . | { } " : [[ \\boxed{ ** # ( ) 1-5 four '
    "change → nan 1e9 ４ <think> </think> for not \x00 \ud800 ½ |---|"
)
FRAGMENTS = st.lists(st.sampled_from(["\n", *PARTS.split(" ")]), max_size=25).map(" ".join)


@given(ANY_TEXT | FRAGMENTS, st.booleans(), st.booleans())
@settings(max_examples=300, deadline=None)
def test_any_text_gives_scores_on_their_scales_or_a_problem(
    text: str, structured: bool, cut_off: bool
) -> None:
    wanted = [COHERENCE, FLUENCY] if len(text) % 2 else [COHERENCE]
    read = read_ballot(text, wanted, structured=structured, cut_off=cut_off)
    if isinstance(read, Problem):
        assert read.text
    else:
        assert [rating.aspect for rating in read.ratings] == [one.name for one in wanted]
        assert all(rating.score in one.scale for rating, one in zip(read.ratings, wanted, strict=True))
        read.model_dump_json()


WRAPPINGS = [
    "{}",
    "**{}**",
    "`{}`",
    "${}$",
    "\\boxed{{{}}}",
    "[[{}]]",
    "({})",
    '"{}"',
    "{}/5",
    "{} out of 5",
    "{}.0",
]
LABELS = [
    "Score: {}",
    "Coherence: {}",
    "- **Coherence** (1-5): {}",
    "Final score: {}",
    "# Score\n{}",
    "评分：{}",
]
LABELS += [
    "It flows. The score is {}.",
    "I'd give it a {}.",
    "<score>{}</score>",
    "| Coherence | {} |",
    "Score\n\n{}\n",
]
TAILS = ["", "\n", "\nReason: it has 2 jumps.", " \n\n3 sentences follow one another."]


@given(st.integers(1, 5), st.sampled_from(WRAPPINGS), st.sampled_from(LABELS), st.sampled_from(TAILS))
@settings(deadline=None)
def test_a_score_comes_back_from_any_wrapping(score: int, wrapping: str, label: str, tail: str) -> None:
    assert outcome(read_ballot(label.format(wrapping.format(score)) + tail, [COHERENCE])) == [score]


@given(
    st.dictionaries(
        st.sampled_from(
            ["coherence", "fluency", "factual_consistency", "consistency", "relevance", "overall"]
        ),
        st.tuples(
            st.integers(1, 5), st.sampled_from(["{}: {}", "- {}: {}/5", "**{}** (1-5): {}", "| {} | {} |"])
        ),
        min_size=2,
    )
)
@settings(deadline=None)
def test_what_is_written_as_a_form_of_several_aspects_comes_back(scores: dict[str, tuple[int, str]]) -> None:
    wanted = [aspect(name) for name in scores]
    form = "\n".join(
        line.format(one.title, score) for one, (score, line) in zip(wanted, scores.values(), strict=True)
    )
    assert outcome(read_ballot(f"It reads well.\n\n{form}\n", wanted)) == [
        score for score, _ in scores.values()
    ]


@pytest.mark.parametrize(
    "reply", ["Coherence: <4>", "Coherence: < 4 >", "Coherence: 4<|im_end|>", "Coherence: [4]"]
)
def test_the_marks_of_a_form_that_was_filled_in_to_the_letter_are_no_hindrance(reply: str) -> None:
    read = read_ballot(f"It flows.\n\n{reply}", [COHERENCE])
    assert isinstance(read, Ballot)
    assert read.scores == {"coherence": 4}


def test_json_in_the_thinking_is_no_second_answer() -> None:
    read = read_ballot('<think>{"score": 2}</think>{"score": 4}', [COHERENCE])
    assert isinstance(read, Ballot)
    assert read.scores == {"coherence": 4}


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("I say 523.\n\nCoherence: 3", [3]),
        ("I give it 9.\n\nCoherence: 4", [4]),
        ("I give it 3.\n\nCoherence: 4", "several"),
        ("I give it 7 out of 10.\n\nCoherence: 4", "several"),
        ("I give it 9.", "off_scale"),
    ],
)
def test_a_number_off_the_scale_in_a_sentence_gives_way_to_the_form(reply: str, expected: Any) -> None:
    """One that is on the scale, or has a scale of its own, contradicts it."""
    assert outcome(read_ballot(reply, [COHERENCE])) == expected
