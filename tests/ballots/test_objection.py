"""When a critic agrees, when it objects, and when it does both."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.ballots.objection import Objection, read_objection
from agentdebate.ballots.text import Problem
from agentdebate.tasks import Aspect, Scale

COHERENCE = Aspect(name="coherence", scale=Scale(low=1, high=5), criterion="-")

AGREES = [
    "NO ISSUE", "no issue", "NO_ISSUES.", "**NO ISSUE**", "`NO_ISSUES`", '"NO ISSUE"', "'NO ISSUE'", "[NO ISSUE]",
    "«NO ISSUE»", "ＮＯ　ＩＳＳＵＥ", "no-issues", "No Issues!", "- NO ISSUE", "> NO ISSUE", "# NO ISSUE", "<b>NO ISSUE</b>",
    "\\boxed{NO ISSUE}", "\n\nNO ISSUE\n", "NO\u200b ISSUE",
    "NO ISSUE\n\nThe score is fair.",
    "The score is justified. NO ISSUE.",
    "The score is justified, so NO ISSUE.",
    "I find the score acceptable: NO_ISSUES",
    "Therefore, NO ISSUE.",
    "Critic: NO ISSUE",
    "Feedback:\nNO ISSUE",
    "NO ISSUE, the score of 3 is fair.",
    "NO ISSUE - the score fits.",
    "NO ISSUE with this score.",
    "<think>Is it too high?</think>NO ISSUE",
    "The score is not too high. NO ISSUE",
    "The score is neither too high nor too low.\n\nNO ISSUES",
    "I do not disagree. NO ISSUE",
    "I see no reason to reconsider. NO ISSUE.",
    "Nothing suggests that it should be lower. NO ISSUE.",
    "The summary deserves this score. NO ISSUE",
    "I would give the same score. NO ISSUE",
]  # fmt: skip

OBJECTS = [
    "The score is too high.",
    "Hm.",
    "I cannot say NO ISSUE.",
    "not NO ISSUE",
    "This is not NO ISSUE.",
    "Before I say NO ISSUE, the score must drop.",
    "It would be NO ISSUE if the score were 2.",
    "If it were a 3, NO ISSUE.",
    "Unless you lower it: NO ISSUE",
    "I would say:\nNO ISSUE",
    "NO ISSUE?",
    "NO ISSUE is not what I can say.",
    "Check whether there is no issue with the grammar.",
    "There is no issue with grammar, but the score should be 2.",
    "there is no issue with the grammar",
    "Grammar: no issue\nOrder: the events are mixed up",
    "Grammar: NO ISSUE\nOrder: the events are mixed up",
    "In spelling, no issue, the order is weak.",
    "| Grammar | NO ISSUE |",
    "CASINO ISSUE",
    "NO ISSUED",
    "I cannot accept this score.",
    "I refuse to accept this.",
    # The critics of the DEBATE paper's Appendix F
    "Whether the score should be as low as 1 might be debatable.",
    "While the given score of 1 is understandable, it might be overly harsh.",
    "However, there are some reasons why this could be reconsidered for a 2.",
]

CONTRADICTS = [
    "NO ISSUE. However, the score should be lower.",
    "NO ISSUE, but the score is too generous.",
    "NO ISSUE\nI disagree with the score.",
    "It deserves at most a 2. NO ISSUE",
    "It deserves only 2.\nNO ISSUE",
    "I would give it a 2. NO ISSUE",
    "I'd rather rate it 2. NO ISSUE",
    "NO ISSUE. The score overstates the quality.",
    "The text is overrated. NO ISSUE.",
    "Lower it to 2. NO ISSUE",
    "The score should be 2. NO ISSUE",
    "The score should rather be a 2. NO ISSUE",
    "NO ISSUE, though 2 would be more appropriate.",
    "The score is not justified. NO ISSUE",
    "The score is not really warranted. NO ISSUE",
    "The score isn't accurate. NO ISSUE",
    "Please reconsider.\nNO ISSUE",
    "The score ignores the errors. NO ISSUE",
    "A lower score fits better. NO ISSUE",
    "At first it seemed too harsh. Now I see: NO ISSUE",
]


@pytest.mark.parametrize("reply", AGREES)
def test_the_stop_word_as_a_conclusion_is_agreement(reply: str) -> None:
    assert read_objection(reply) == Objection(no_issue=True)


@pytest.mark.parametrize("reply", OBJECTS)
def test_without_the_stop_word_or_with_a_mere_mention_of_it_a_critic_objects(reply: str) -> None:
    assert read_objection(reply) == Objection(no_issue=False)


@pytest.mark.parametrize("reply", CONTRADICTS)
def test_the_stop_word_beside_an_objection_is_contradictory(reply: str) -> None:
    assert read_objection(reply) == Objection(no_issue=False, contradictory=True)


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("", "nothing"),
        (" \n\t", "nothing"),
        ("\x00", "nothing"),
        ("...", "nothing"),
        ("<think>NO ISSUE</think>", "nothing"),
        ("I'm sorry, but I can't help with that.", "refusal"),
        ("As an AI language model, I am unable to judge this.", "refusal"),
    ],
)
def test_a_reply_that_says_nothing_or_declines_is_neither(reply: str, kind: str) -> None:
    read = read_objection(reply)
    assert isinstance(read, Problem)
    assert read.kind == kind


def test_only_a_number_on_a_scale_under_debate_is_another_score() -> None:
    reply = "The limit for such texts should be 300. NO ISSUE"
    assert read_objection(reply, aspects=[COHERENCE]) == Objection(no_issue=True)
    assert read_objection(reply.replace("300", "3"), aspects=[COHERENCE]) == Objection(
        no_issue=False, contradictory=True
    )


UNITS = [
    "no issue ",
    "NO ISSUE, ",
    "NO ISSUE:\n",
    "score ",
    "it ",
    "not too high ",
    "should be ",
    "lower the ",
    "no_",
    "<",
]


@pytest.mark.parametrize("unit", UNITS)
def test_a_long_run_of_anything_is_read_as_a_short_one_is(unit: str) -> None:
    """`python -m benchmarks reading` measures that the time grows with the length of such texts and not its square."""
    assert read_objection(unit * (20_000 // len(unit))) == read_objection(unit * 10)


@given(st.text(st.characters(exclude_categories=()), max_size=200))
@settings(deadline=None)
def test_any_text_is_read_and_none_without_the_stop_word_agrees(text: str) -> None:
    read = read_objection(text)
    if "issue" not in text.lower():
        assert isinstance(read, Problem) or not (read.no_issue or read.contradictory)


FRAGMENTS = [
    "no",
    "issues",
    "NO ISSU",
    "the score",
    "is fine",
    "I agree",
    ".",
    "\n",
    ":",
    "not",
    "too high",
    "N0 ISSUE",
]


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12))
@settings(deadline=None)
def test_near_misses_of_the_stop_word_never_agree(fragments: list[str]) -> None:
    read = read_objection(" / ".join(fragments))
    assert isinstance(read, Problem) or not read.no_issue


PADDINGS = [
    "{}",
    "**{}**",
    "`{}`",
    "*{}*",
    '"{}"',
    "“{}”",
    "[{}]",
    "({})",
    "# {}",
    "- {}",
    "> {}",
    "<b>{}</b>",
    "{}.",
    "{}!",
]


@given(
    st.sampled_from(["no issue", "no_issue", "no issues", "no_issues", "no-issue", "no-issues", "no  issue"]),
    st.lists(st.booleans(), min_size=10, max_size=10),
    st.sampled_from(PADDINGS),
    st.sampled_from(["", " ", "\n\n", "\t"]),
    st.booleans(),
)
@settings(deadline=None)
def test_the_bare_stop_word_agrees_in_any_case_markup_and_padding(
    word: str, upper: list[bool], padding: str, around: str, wide: bool
) -> None:
    cased = "".join(c.upper() if up else c for c, up in zip(word, upper * 2, strict=False))
    if wide:
        cased = "".join(chr(ord(c) + 0xFEE0) if c.isalpha() else c for c in cased)
    assert read_objection(around + padding.format(cased) + around) == Objection(no_issue=True)
