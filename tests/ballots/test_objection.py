"""When a critic agrees, when it objects, when it does both, and when it has to be asked."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.ballots.objection import AGREES as AGREEMENT
from agentdebate.ballots.objection import CONTRADICTS as CONTRADICTION
from agentdebate.ballots.objection import OBJECTS as OBJECTION
from agentdebate.ballots.objection import UNCLEAR, read_objection
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
    # What is weighed before the last line lies behind.
    "The scorer has reconsidered the score and brought it down to 2. NO ISSUE",
    "At first I thought it should be 2, but the revision convinced me.\nNO ISSUE",
    "The score was too high; now it is fair. NO ISSUE.",
    "At first it seemed too harsh. Now I see: NO ISSUE",
    "A 5 would be too generous for this text. A 3 is not.\n\n**NO ISSUE**",
    "The summary overstates one fact, which the score ignores no longer. NO ISSUE",
    # Inside prose
    "I would say:\nNO ISSUE",
    "I see NO ISSUE.",
    'My verdict is "NO ISSUE".',
    "After a close look, I would say there is NO ISSUE.",
    "There is NO ISSUE in how the scorer came to 4.",
    "There is NO ISSUE with the score.",
    "I have no issues with this score.",
    "I found no issues in the scorer's judgement.",
    "When I compare the score with the text, I see NO ISSUE.",
    "After reviewing everything, there are no issues.",
    "Even if one might quibble, NO ISSUE",
    "I did ask for more evidence, and it was given; I have no issue with the revised rating.",
    "I would give the same score. NO ISSUE",
    "It is well written, not copied. NO ISSUE",
    "The order is often, not always, kept, which the 4 allows for. NO ISSUE",
]  # fmt: skip

OBJECTS = [
    "The score is too high.",
    "I cannot say NO ISSUE.",
    "not NO ISSUE",
    "This is not NO ISSUE.",
    "Before I say NO ISSUE, the score must drop.",
    "It would be NO ISSUE if the score were 2.",
    "If it were a 3, NO ISSUE.",
    "Unless you lower it: NO ISSUE",
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
    "I cannot accept this score.",
    "I refuse to accept this.",
    "I would have NO ISSUE if the score were 2.",
    "Is there NO ISSUE? The order is wrong.",
    "There are no issues with the summary.",
    "The grammar has no issues. The order is bad.",
    "As to the facts, NO ISSUE. As to the order, the 4 ignores two jumps.",
    "With the wording there is no issue, yet the main point is missing.",
    "The style is NO ISSUE, the content is.",
    "I am supposed to say NO ISSUE when I agree. I do not agree.",
    "I wish I could say NO ISSUE.",
    "NO ISSUE would be premature.",
    "I see no issue with its length. Still, I cannot say NO ISSUE.",
    # Critics that hedge, and name another score
    "One could argue about giving it no more than 1.",
    "I can see where the 1 comes from, but it may well be too strict.",
    "Still, a few points speak for a 2 in its place.",
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
    "Lower it to 2. NO ISSUE",
    "Please change the 4 to a 2. NO ISSUE",
    "The 4 is not justified. Give it a 2 instead. NO ISSUE",
    "The score should be 2. NO ISSUE",
    "The score should rather be a 2. NO ISSUE",
    "NO ISSUE, though 2 would be more appropriate.",
    "The score is not justified. NO ISSUE",
    "The score is not really warranted. NO ISSUE",
    "The score isn't accurate. NO ISSUE",
    "Please reconsider.\nNO ISSUE",
    "A lower score fits better. NO ISSUE",
    "The score of 4 is too generous. NO ISSUE",
    "I cannot accept this score. NO ISSUE",
    "I see NO ISSUE with the score. On second thought, lower it to 2.",
]


@pytest.mark.parametrize("reply", AGREES)
def test_the_stop_word_as_a_conclusion_is_agreement(reply: str) -> None:
    assert read_objection(reply) == AGREEMENT


@pytest.mark.parametrize("reply", OBJECTS)
def test_without_the_stop_word_or_with_a_mere_mention_of_it_a_critic_objects(reply: str) -> None:
    assert read_objection(reply) == OBJECTION


@pytest.mark.parametrize("reply", CONTRADICTS)
def test_the_stop_word_beside_an_objection_is_contradictory(reply: str) -> None:
    assert read_objection(reply) == CONTRADICTION


ACCEPTS = [
    "The score is acceptable.",
    "I agree with the score.",
    "I have no objections.",
    "The score of 4 is well justified.",
    "No further concerns.",
    "The 4 is fair.",
    "The scorer got it right.",
    "Fine with me.",
    "However, the score is fair.",
    "There is nothing left to criticise.",
    "The rating should stand.",
    "I see no reason to change it.",
    "Is it too high? No. I accept the rating.",
]


REMARKS = [
    "Hm.",
    "NO ISSUED",
    "I have read the text and the score.",
    "The evaluation is accurate in its first half. The second sentence of the summary contradicts the source.",
    "The rating should stand or fall with the dates, and two of them are wrong.",
    "I agree with the scorer on the order. The facts are another matter.",
    "The score is right about the style alone.",
    "Fair as far as grammar goes.",
]


@pytest.mark.parametrize("reply", [*ACCEPTS, *REMARKS])
def test_without_the_stop_word_no_words_are_agreement(reply: str) -> None:
    assert read_objection(reply) == OBJECTION


@pytest.mark.parametrize(
    "reply",
    [
        "The score is fair, but the order of events is wrong.",
        "I agree that it is short. The score should be 2.",
        "The score is not acceptable.",
        "I hardly agree with this.",
        "It is far from acceptable.",
        "I would agree with a 2.",
    ],
)
def test_what_is_said_for_a_score_beside_something_against_it_is_an_objection(reply: str) -> None:
    assert read_objection(reply) == OBJECTION


@pytest.mark.parametrize(
    "reply",
    [
        "NO ISSUE is a phrase like any other.",
        'The form asks for "NO ISSUE".',
        "The scorer claims that there is NO ISSUE.",
        "The scorer says that there is NO ISSUE, which the text does not bear out.",
        'You asked me to write "NO ISSUE" when satisfied. The order is wrong.',
        "The scorer hopes for NO ISSUE, and I have to disappoint them.",
    ],
)
def test_a_reply_that_only_quotes_or_reports_the_stop_word_is_asked_about(reply: str) -> None:
    assert read_objection(reply) == UNCLEAR


ASIDE = [
    "Although it leaves out a date, the score is fair.",
    "The summary is short and a little vague. Still, I accept the score.",
    "The score is right, even though the ending is abrupt.",
    "There are no serious errors in the scorer's reasons.",
    "I do not think that the score should be lower.",
    "Neither a 2 nor a 5 would do it justice.",
]


@pytest.mark.parametrize("reply", ASIDE)
def test_agreement_behind_a_concession_is_none_without_the_stop_word(reply: str) -> None:
    assert read_objection(reply) == OBJECTION
    assert read_objection(f"{reply} NO ISSUE") == AGREEMENT


BEHIND = [
    "The score should have been lower, and now it is. NO ISSUE",
    "My first thought was that a 2 would be fairer. NO ISSUE",
    "Some readers may say that it should be a 2. NO ISSUE",
    "If a claim were invented, the score should be 2. NO ISSUE",
    "I said that it should be a 2. The scorer has convinced me of the 4. NO ISSUE",
]


@pytest.mark.parametrize("reply", BEHIND)
def test_a_demand_that_is_past_or_conditional_or_of_others_contradicts_nothing(reply: str) -> None:
    assert read_objection(reply) == AGREEMENT


def test_a_demand_some_sentences_before_the_stop_word_contradicts_it_unless_it_is_settled_between() -> None:
    demand = "The score should be 2."
    assert read_objection(f"{demand} The links are loose. NO ISSUE") == CONTRADICTION
    assert read_objection(f"{demand} It has been lowered to 2. That was all. NO ISSUE") == AGREEMENT


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
    assert read_objection(reply, aspects=[COHERENCE]) == AGREEMENT
    assert read_objection(reply.replace("300", "3"), aspects=[COHERENCE]) == CONTRADICTION


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
        assert isinstance(read, Problem) or read in (OBJECTION, UNCLEAR)


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
    assert read_objection(" / ".join(fragments)) != AGREEMENT


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
    assert read_objection(around + padding.format(cased) + around) == AGREEMENT


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ("~~NO ISSUE~~", UNCLEAR),
        ("<s>NO ISSUE</s>", UNCLEAR),
        ("<del>NO ISSUE</del>\nThe score is too high.", OBJECTION),
        ("~~The score is too high.~~ NO ISSUE", AGREEMENT),
        ("I see ~~no issue~~ an issue with the score.", OBJECTION),
    ],
)
def test_what_is_struck_out_is_not_said(reply: str, found: object) -> None:
    assert read_objection(reply) == found


@pytest.mark.parametrize(
    "reply",
    [
        "I have no issue with 3, I have an issue with 4.",
        "NO ISSUE with 3, an issue with 4.",
        "I have no issue with the 2, but an issue with the 4.",
        "I have no issue with a 2 but one with a 5.",
    ],
)
def test_an_issue_beside_no_issue_contradicts_it(reply: str) -> None:
    assert read_objection(reply) == CONTRADICTION


@pytest.mark.parametrize(
    "reply",
    [
        "I have no issue with 4.",
        "NO ISSUE. I do not have an issue with the score.",
        "I find no issue with it.",
    ],
)
def test_no_issue_with_a_score_is_agreement(reply: str) -> None:
    assert read_objection(reply) == AGREEMENT
