"""Plans and steps: which evaluator informs which aspect, and what is done one after the other, in words and held to a schema."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.ballots.plain import LONGEST
from agentdebate.ballots.plan import (
    MOST,
    plan_in_words,
    plan_schema,
    read_plan,
    read_steps,
    steps_in_words,
    steps_schema,
)
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


def problem(text: str, evaluators: tuple[str, ...] = EVALUATORS) -> Problem:
    read = read_plan(text, ASPECTS, evaluators)
    assert isinstance(read, Problem), read
    return read


def both(line: str) -> dict[str, tuple[str, ...]]:
    """What is chosen for coherence where its line is this one."""
    return chosen(f"{line}\nFactual consistency: nli.entailment")


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
    assert both(line) == {"coherence": ("rouge-l", "bleu"), "factual_consistency": ("nli.entailment",)}


@pytest.mark.parametrize("name", EVALUATORS)
def test_evaluators_come_back_as_they_are_called(name: str) -> None:
    assert both(f"Coherence: {name.lower()}")["coherence"] == (name,)


@pytest.mark.parametrize(
    "nobody", ["none", "None.", "**none**", "no evaluators", "-", "\u2014", "N/A", "nothing"]
)
def test_an_aspect_may_be_judged_without_any_evaluator(nobody: str) -> None:
    assert both(f"Coherence: {nobody}")["coherence"] == ()


def test_an_aspect_goes_by_its_name_or_its_title() -> None:
    for title in ("factual_consistency", "Factual consistency", "Factual-Consistency"):
        assert chosen(f"Coherence: bleu\n{title}: rouge-l")["factual_consistency"] == ("rouge-l",)


def test_the_last_line_of_an_aspect_counts() -> None:
    text = "Coherence: look at the order of the sentences, then at bleu.\n\nCoherence: rouge-l\nFactual consistency: bleu"
    assert chosen(text) == {"coherence": ("rouge-l",), "factual_consistency": ("bleu",)}


@pytest.mark.parametrize(
    "text",
    ["Coherence:\n- Use rouge-l.\nFactual consistency: bleu", "Coherence: **\nFactual consistency: bleu"],
)
def test_a_heading_with_nothing_behind_it_says_nothing(text: str) -> None:
    """It is not the same as "none"."""
    assert problem(text).text == "I found no line that says which evaluators inform Coherence."
    assert chosen(f"Coherence: rouge-l\n{text}")["coherence"] == ("rouge-l",)


def test_what_is_only_thought_is_no_plan() -> None:
    text = "<think>Coherence: bleu\nFactual consistency: bleu</think>Coherence: rouge-l\nFactual consistency: none"
    assert chosen(text) == {"coherence": ("rouge-l",), "factual_consistency": ()}


def test_a_plan_in_json_has_a_list_an_aspect() -> None:
    plan = {"plan": "Read it.", "coherence": ["rouge-l", "bleu"], "factual_consistency": ["none"]}
    for text in (json.dumps(plan), f"```json\n{json.dumps(plan, indent=2)}\n```"):
        assert chosen(text) == {"coherence": ("rouge-l", "bleu"), "factual_consistency": ()}


@pytest.mark.parametrize("text", ["", "I would read it twice.", "Coherence: bleu", '{"coherence": ["bleu"]}'])
def test_a_missing_aspect_is_named(text: str) -> None:
    found = problem(text)
    assert found.kind == "missing"
    assert "Factual consistency" in found.text
    assert ("Coherence" in found.text) == ("bleu" not in text or "{" in text)


@pytest.mark.parametrize("wrong", ["rouge-9", "rouge", "bleu is good", "none of them"])
def test_an_evaluator_that_does_not_exist_is_named_with_those_that_do(wrong: str) -> None:
    assert problem(f"Coherence: {wrong}\nFactual consistency: bleu").text == (
        f"There is no evaluator {wrong!r}; the evaluators are rouge-l, bleu, SUM_BLEURT, nli.entailment."
    )


def test_where_there_are_no_evaluators_only_none_can_be_said() -> None:
    assert read_plan("Coherence: none\nFactual consistency: none", ASPECTS, ()) == {
        "coherence": (),
        "factual_consistency": (),
    }
    assert problem("Coherence: bleu\nFactual consistency: none", ()).text.endswith("are none at all.")


def test_a_problem_stays_short_whatever_the_reply() -> None:
    assert len(problem(f"Coherence: {'x' * 10_000}\nFactual consistency: bleu").text) < 300


PIECES = st.sampled_from(
    [
        *("Coherence", "Factual consistency", "coherence", ":", ": ", "\n", "- ", "**", "•", "1. "),
        *("rouge-l", "bleu", ", ", "none", "{", "}", '"coherence"', "[", "]", '"', ","),
        *("<think>", "</think>", "é", "\ud800", "\x00", "9" * 50),
    ]
)


@settings(max_examples=200)
@given(st.lists(PIECES, max_size=30).map("".join) | st.text(st.characters(), max_size=60))
def test_whatever_the_text_it_is_a_plan_of_known_evaluators_or_a_problem(text: str) -> None:
    read = read_plan(text, ASPECTS, EVALUATORS)
    if isinstance(read, Problem):
        assert read.text
    else:
        assert set(read) == {"coherence", "factual_consistency"}
        assert all(set(names) <= set(EVALUATORS) and len(set(names)) == len(names) for names in read.values())


@given(st.lists(st.sampled_from(EVALUATORS), unique=True), st.lists(st.sampled_from(EVALUATORS), unique=True))
def test_a_plan_written_in_the_form_is_read_as_it_was_meant(one: list[str], other: list[str]) -> None:
    text = (
        f"Read.\n\nCoherence: {', '.join(one) or 'none'}\nFactual consistency: {', '.join(other) or 'none'}\n"
    )
    assert chosen(text) == {"coherence": tuple(one), "factual_consistency": tuple(other)}


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


@given(st.text(max_size=300))
def test_any_text_gives_steps_or_a_problem(text: str) -> None:
    read = read_steps(text)
    assert read.text if isinstance(read, Problem) else len(read) == len(set(read)) >= 2


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


PLANNED = {
    "plan": ["Read the summary.", "2. Look at rouge-l."],
    "coherence": ["rouge-l", "bleu"],
    "factual_consistency": [],
}


def test_a_plan_that_is_held_to_its_schema_is_a_list_of_strings_and_lists_of_evaluators() -> None:
    schema = plan_schema(ASPECTS, EVALUATORS)
    assert schema["required"] == ["plan", "coherence", "factual_consistency"]
    assert schema["properties"]["plan"]["items"] == {"type": "string"}
    assert schema["properties"]["coherence"]["items"]["enum"] == list(EVALUATORS)
    assert plan_schema(ASPECTS, ())["properties"]["coherence"]["maxItems"] == 0


def test_a_plan_in_json_becomes_words_that_say_the_same() -> None:
    words = plan_in_words(json.dumps(PLANNED), ASPECTS)
    assert words == (
        "1. Read the summary.\n2. Look at rouge-l.\n\nCoherence: rouge-l, bleu\nFactual consistency: none"
    )
    assert chosen(words) == chosen(json.dumps(PLANNED))
    assert plan_in_words(words, ASPECTS) == words


def test_steps_that_are_held_to_their_schema_become_a_numbered_list() -> None:
    assert steps_schema()["required"] == ["steps"]
    for steps in (list(TWO), [f"Step {at}: {step}" for at, step in enumerate(TWO, 1)]):
        said = json.dumps({"steps": steps})
        assert read_steps(said) == TWO
        assert steps_in_words(said) == "1. Read the text.\n2. Give a score from 1 to 5."


def test_steps_in_words_stay_as_they_came() -> None:
    text = "First:\n1. Read the text.\n2. Give a score\nfrom 1 to 5."
    assert steps_in_words(text) == text
