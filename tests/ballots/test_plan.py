"""Plans and steps: which evaluator informs which aspect, and what is done one after the other, in words and held to a schema."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.ballots.plain import LONGEST
from agentdebate.ballots.plan import MOST, read_plan, read_steps, steps_in_words, steps_schema
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.tasks import Aspect, Scale

EVALUATORS = ("rouge-l", "bleu", "SUM_BLEURT", "nli.entailment")
COHERENCE = Aspect(name="coherence", scale=Scale(low=1, high=5), criterion="Does it hang together?")
FACTS = Aspect(name="factual_consistency", scale=Scale(low=1, high=5), criterion="Is it true?")
ASPECTS = (COHERENCE, FACTS)


def chosen(text: str) -> dict[str, tuple[str, ...]]:
    read = read_plan(text, ASPECTS, EVALUATORS)
    assert not isinstance(read, Problem), read
    return dict(read)


def problem(text: str) -> Problem:
    read = read_plan(text, ASPECTS, EVALUATORS)
    assert isinstance(read, Problem), read
    return read


@pytest.mark.parametrize(
    "line",
    [
        "Coherence: rouge-l, bleu",
        "coherence: ROUGE-L; BLEU.",
        "**Coherence:** rouge-l and bleu",
        "**Coherence**: `rouge-l`, `bleu`",
        "- Coherence: rouge-l & bleu",
        "• Coherence: rouge-l + bleu",
        "2. Coherence: rouge l, bleu",
        "## Coherence: [rouge-l, bleu]",
        'Coherence: "rouge_l", "bleu", "rouge-l"',
        "Coherence\uff1a rouge\u2011l\u3001bleu",
    ],
)
def test_a_line_an_aspect_names_its_evaluators(line: str) -> None:
    found = chosen(f"{line}\nFactual consistency: nli.entailment")
    assert found == {"coherence": ("rouge-l", "bleu"), "factual_consistency": ("nli.entailment",)}


@pytest.mark.parametrize(
    "text",
    ["Coherence:\n- Use rouge-l.\nFactual consistency: bleu", "Coherence: **\nFactual consistency: bleu"],
)
def test_a_heading_with_nothing_behind_it_says_nothing(text: str) -> None:
    """It is not the same as "none"."""
    assert problem(text).text == "I found no line that says which evaluators inform Coherence."
    assert chosen(f"Coherence: rouge-l\n{text}")["coherence"] == ("rouge-l",)


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("", "Coherence, Factual consistency"),
        ("I would read it twice.", "Coherence, Factual consistency"),
        ('{"coherence": ["bleu"]}', "Coherence, Factual consistency"),
        ("Coherence: bleu", "Factual consistency"),
    ],
)
def test_a_missing_aspect_is_named(text: str, lacks: str) -> None:
    assert problem(text).text == f"I found no line that says which evaluators inform {lacks}."


PIECES = st.sampled_from(
    [
        *("Coherence", "Factual consistency", "coherence", ":", ": ", "\n", "- ", "**", "•", "1. "),
        *("rouge-l", "bleu", ", ", "none", "{", "}", '"coherence"', "[", "]", '"', ","),
        *("<think>", "</think>", "é", "\ud800", "\x00", "9" * 50),
    ]
)


@settings(max_examples=200)
@given(st.lists(PIECES, max_size=30).map("".join) | st.text(st.characters(), max_size=60))
def test_whatever_the_text_it_is_a_plan_of_known_evaluators_or_steps_or_a_problem(text: str) -> None:
    read = read_plan(text, ASPECTS, EVALUATORS)
    if isinstance(read, Problem):
        assert read.text
    else:
        assert set(read) == {"coherence", "factual_consistency"}
        assert all(set(names) <= set(EVALUATORS) and len(set(names)) == len(names) for names in read.values())
    steps = read_steps(text)
    assert steps.text if isinstance(steps, Problem) else len(steps) == len(set(steps)) >= 2


TWO = ("Read the text.", "Give a score from 1 to 5.")


@pytest.mark.parametrize(
    "text",
    [
        "1. Read the text.\n2. Give a score from 1 to 5.",
        "1) Read the text.\n\n2) Give a score from 1 to 5.\n",
        "Here is what to do:\n\n1. Read\n   the text.\n2. Give a score\nfrom 1 to 5.",
        "- Read the text.\n- Give a score from 1 to 5.",
        "* Read the text.\n* Give a score from 1 to 5.",
        "**Step 1:** Read the text.\n**Step 2:** Give a score from 1 to 5.",
        "### Step 1. Read the text.\n### Step 2. Give a score from 1 to 5.",
        "<think>1. Nothing.\n2. No.</think>\n1. Read the text.\n2. Give a score from 1 to 5.",
    ],
)
def test_steps_are_read_however_they_are_numbered(text: str) -> None:
    assert read_steps(text) == TWO


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no steps"),
        ("Coherence: 4", "no steps"),
        ("I would read the text, and then score it. 3.5 is the middle of the scale.", "no steps"),
        ("1. Read the text, and score it.", "one step"),
        (
            "\n".join(f"{number}. Look at part {number}." for number in range(1, MOST + 2)),
            f"{MOST + 1} steps",
        ),
        ("1. Read it.\n2. Read it.\n3. Score it.", "more than once"),
        ("1. " + "a" * LONGEST, "characters long"),
    ],
)
def test_what_is_no_list_of_steps_is_said_to_be_none(text: str, said: str) -> None:
    read = read_steps(text)
    assert isinstance(read, Problem)
    assert said in read.text


@given(
    st.lists(
        st.text(st.characters(categories=["L", "Zs"]), min_size=1).filter(str.strip),
        min_size=2,
        max_size=MOST,
        unique_by=lambda step: tuple(step.split()),
    )
)
def test_steps_that_are_written_out_are_read_back(steps: list[str]) -> None:
    words = [" ".join(step.split()) for step in steps]
    if len({one.casefold() for one in words}) == len(words):
        assert read_steps("\n".join(f"{at}. {one}" for at, one in enumerate(words, 1))) == tuple(words)


def test_steps_that_are_held_to_their_schema_become_a_numbered_list() -> None:
    assert steps_schema()["required"] == ["steps"]
    for steps in (list(TWO), [f"Step {at}: {step}" for at, step in enumerate(TWO, 1)]):
        said = json.dumps({"steps": steps})
        assert read_steps(said) == TWO
        assert steps_in_words(said) == "1. Read the text.\n2. Give a score from 1 to 5."
