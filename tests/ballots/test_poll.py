"""Polls: the schema, reasons and spans, and properties of any text."""

import json
from itertools import pairwise
from string import ascii_uppercase
from typing import Any

import pytest
from cpu_time import grows_evenly
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agentdebate.ballots.excerpt import LONGEST
from agentdebate.ballots.fold import fold, spoken
from agentdebate.ballots.lineup import Candidate
from agentdebate.ballots.poll import Choice, Problem, poll_schema, read_poll
from agentdebate.ballots.view import quiet, view

PAIR = (Candidate("summary_2", "Summary A"), Candidate("summary_1", "Summary B"))
ROLES = ("General public", "Critic", "News author")


def test_the_schema_has_a_reason_and_then_a_vote_for_each_player() -> None:
    one = {
        "type": "object",
        "properties": {
            "reason": {"type": "string"},
            "vote": {"type": "string", "enum": ["Summary A", "Summary B"]},
        },
        "required": ["reason", "vote"],
        "additionalProperties": False,
    }
    assert poll_schema(["a", "b"], PAIR) == {
        "type": "object",
        "properties": {"role_1": one, "role_2": one},
        "required": ["role_1", "role_2"],
        "additionalProperties": False,
    }
    assert poll_schema([], PAIR) == poll_schema(["a"], PAIR) == one


def test_spans_hold_the_choice_alone_without_reason_and_form() -> None:
    text = (
        "<think>ﬁ Vote: B</think>Well.\n**Role 1: Critic**\nReason: ﬁne ½ 👍 “x”\n**Vote: Summary B**\n\n"
        "2) General public: Easy – é́.\r\nVote: Ａ\n\nOverall, most like Summary B."
    )
    read = read_poll(text, ["General public", "Critic"], PAIR)
    assert not isinstance(read, Problem)
    assert [text[one.start : one.end] for one in read] == [
        "Ａ",
        "Summary B",
    ]
    assert read[0] == Choice("summary_2", "Easy – é́.", read[0].start, read[0].end, "text", "winner")
    assert read[1].reason == "ﬁne ½ 👍 “x”"


@pytest.mark.parametrize(
    ("text", "structured", "how"),
    [
        ('{"reason": "x {y}", "vote": "Summary B"}', True, "schema"),
        ('{"reason": "x {y}", "vote": "Summary B"}', False, "text"),
        ('{"reason": "x {y}", "vote": "Summary B"', False, "repaired"),
        ("x {y}\nVote: Summary B", True, "text"),
    ],
)
def test_how_a_vote_was_read_is_said(text: str, structured: bool, how: str) -> None:
    read = read_poll(text, [], PAIR, structured=structured)
    assert not isinstance(read, Problem)
    assert (read[0].how, read[0].reason) == (how, "x {y}")
    assert text[read[0].start : read[0].end] == "Summary B"


def test_the_span_in_json_is_the_choice_between_its_quotes() -> None:
    text = '[{"role": "Critic", "reason": "é", "vote": "Summary B"}, {"role": "Reader", "vote": "Summary A", "reason": "y"}]'
    read = read_poll(text, ["Reader", "Critic"], PAIR)
    assert not isinstance(read, Problem)
    assert [text[one.start : one.end] for one in read] == [
        "Summary A",
        "Summary B",
    ]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Critic: Clean.\nVote: Summary B", "winner"),
        ("Critic would choose Summary B.", "player"),
        ("Critic: I would choose Summary B.", "choosing"),
        ("Critic: Summary B", "line"),
        ('{"vote": "Summary B"}', "json"),
    ],
)
def test_a_vote_names_the_rule_that_it_was_read_by(text: str, rule: str) -> None:
    read = read_poll(text, ["Critic"], PAIR)
    assert not isinstance(read, Problem)
    assert (read[0].candidate, read[0].rule) == ("summary_1", rule)


def test_a_reader_who_is_called_like_a_key_of_the_form_takes_nobodys_vote() -> None:
    """A small model named a reader "role_1", whose votes were then told apart from nobody's."""
    titles = ["General public", "Critic", "role_1"]
    votes = ["Summary A", "Summary B", "Summary B"]
    reply = json.dumps({f"role_{n}": {"reason": "So.", "vote": vote} for n, vote in enumerate(votes, 1)})
    found = read_poll(reply, titles, PAIR, structured=True)
    assert not isinstance(found, Problem), found
    assert [choice.candidate for choice in found] == ["summary_2", "summary_1", "summary_1"]


@pytest.mark.parametrize("letter", ascii_uppercase)
def test_each_of_26_texts_can_be_voted_for(letter: str) -> None:
    many = [Candidate(f"summary_{one}", f"Summary {one}") for one in ascii_uppercase]
    for vote in (
        f"Vote: Summary {letter}",
        f"I vote for Summary {letter}.",
        f'{{"vote": "Summary {letter}"}}',
    ):
        read = read_poll(f"The summary I liked least is long.\n{vote}", [], many)
        assert not isinstance(read, Problem), read.text
        assert read[0].candidate == f"summary_{letter}"


ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)
WORDS = [
    "Role",
    "1:",
    "2.",
    "Critic",
    "General",
    "public",
    ":",
    "News",
    "author",
    "Vote:",
    "vote",
    "Summary",
    "A",
    "Summary",
    "B",
    "A",
    "B",
    "Summary",
    "C",
    "tie",
    "Reason:",
    "|",
    '{"vote":',
    '"Summary',
    'A"',
    "}",
    "{",
    "[",
    "]",
    ",",
    '"role_1":',
    '"role":',
    '"Critic"',
    "I",
    "prefer",
    "because",
    "**",
    "#",
    "<b>",
    "<think>",
    "</think>",
    "½",
    "ﬁ",
    "é",
    "-",
    "|---|---|",
    "Overall,",
    "\x00",
    "�",
]
FRAGMENTS = st.lists(st.sampled_from(["\n", "\nVote: Summary A\n", "\nCritic: ", *WORDS]), max_size=40).map(
    " ".join
)


@given(ANY_TEXT | FRAGMENTS, st.integers(0, 3), st.booleans(), st.booleans())
@example("<B>", 0, False, True)
@settings(max_examples=400, deadline=None)
def test_any_text_gives_a_vote_for_every_player_or_a_problem(
    text: str, players: int, structured: bool, cut_off: bool
) -> None:
    read = read_poll(text, ROLES[:players], PAIR, structured=structured, cut_off=cut_off)
    if isinstance(read, Problem):
        assert read.text
        read.text.encode()
        return
    assert len(read) == max(players, 1)
    _check_spans(text, read)
    for one in read:
        one.reason.encode()
        assert one.candidate in {"summary_1", "summary_2"}


def _check_spans(text: str, read: tuple[Choice, ...]) -> None:
    spans = sorted((one.start, one.end) for one in read)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))


@given(st.lists(ANY_TEXT, max_size=3), st.lists(ANY_TEXT, max_size=3), ANY_TEXT)
@example([""], ["", "1:0"], "")
@example([""], ["0,"], "")
@settings(max_examples=150, deadline=None)
def test_titles_and_labels_of_any_kind_raise_nothing(
    players: list[str], labels: list[str], text: str
) -> None:
    candidates = [Candidate(f"c_{k}", label) for k, label in enumerate(labels)]
    reply = "\n".join([text, *(f"Role 1: {title}\nVote: {label}" for title in players for label in labels)])
    read = read_poll(reply, players, candidates)
    assert isinstance(read, Problem) or len(read) == max(len(players), 1)


@given(
    st.lists(st.tuples(ANY_TEXT, st.sampled_from("AB")), min_size=1, max_size=4), st.sampled_from([None, 2])
)
@settings(max_examples=150, deadline=None)
def test_a_structured_reply_comes_back(votes: list[tuple[str, str]], indent: int | None) -> None:
    said: Any = {
        f"role_{k}": {"reason": text, "vote": f"Summary {letter}"}
        for k, (text, letter) in enumerate(votes, 1)
    }
    said = said["role_1"] if len(votes) == 1 else said
    reply = json.dumps(said, indent=indent)
    read = read_poll(reply, [f"Reader {k}" for k in range(len(votes))], PAIR, structured=True)
    assert not isinstance(read, Problem)
    assert [one.candidate for one in read] == [
        {"A": "summary_2", "B": "summary_1"}[letter] for _, letter in votes
    ]
    assert all(one.how == "schema" for one in read)
    assert all(
        f"Summary {letter}" == reply[one.start : one.end]
        for one, (_, letter) in zip(read, votes, strict=True)
    )
    _check_spans(reply, read)


REASONS = st.text(st.sampled_from("ab é½ﬁ👍“”‘’—．\u0301\u200bß{}*_#"), max_size=30)
HEADINGS = [
    "Role {k}: {title}\n",
    "**{k}. {title}**\n",
    "### {title}\n\n",
    "{k}) {title}: ",
    "{title} - ",
    "- **{title}**: ",
]
VOTES = [
    "\nVote: {}",
    "\n**Vote:** {}",
    "\n- Vote: **{}**.",
    " Vote: {}",
    "\n\nFinal choice: {} because it is clear.",
]


@given(
    st.permutations(range(3)),
    st.lists(st.sampled_from("AB"), min_size=3, max_size=3),
    st.lists(REASONS, min_size=3, max_size=3),
    st.tuples(st.sampled_from(HEADINGS), st.sampled_from(VOTES), st.sampled_from(["\n", "\n\n", "\r\n"])),
)
@settings(max_examples=200, deadline=None)
def test_the_players_may_answer_in_any_order(
    order: list[int], letters: list[str], reasons: list[str], layout: tuple[str, str, str]
) -> None:
    heading, vote, joint = layout
    parts = [
        heading.format(k=place, title=ROLES[k])
        + f"It is fine {reasons[k]} so."
        + vote.format(f"Summary {letters[k]}")
        for place, k in enumerate(order, start=1)
    ]
    text = joint.join(parts)
    read = read_poll(text, ROLES, PAIR)
    assert not isinstance(read, Problem), read.text
    assert [one.candidate for one in read] == [
        {"A": "summary_2", "B": "summary_1"}[letter] for letter in letters
    ]
    for one, letter in zip(read, letters, strict=True):
        assert text[one.start : one.end] == f"Summary {letter}"
    _check_spans(text, read)


@given(ANY_TEXT | FRAGMENTS)
@settings(max_examples=200, deadline=None)
def test_a_view_knows_where_its_characters_stood(text: str) -> None:
    seen = view(text)
    assert len(seen.at) == len(seen.text)
    assert seen.at == sorted(seen.at)
    assert len(quiet(text)) == len(text)
    assert "".join(quiet(text).split()) == "".join(spoken(text).split())
    if text.isalpha():
        assert seen.text == "".join(fold(character).lower()[:4] for character in text)


UNITS = [
    "1",
    "\n",
    "1\n",
    "Vote: ",
    "Vote: Summary A\n",
    "Vote: Summary A ",
    "Critic: ",
    "Critic\n",
    "Role 2: Critic ",
    "|",
    "| a ",
    "|a|b|\n|-|-|\n",
]
UNITS += [
    "{",
    '{"vote":',
    '{"vote": "Summary A"}',
    '{"vote": "Summary A", ',
    "[",
    '\\"',
    "<a",
    "<think>",
    "*",
    "~~",
    "\u0301",
    "\ufdfa",
    "- ",
    "#",
    " ",
    "I prefer Summary A ",
]
UNITS += [
    "summary ",
    "I vote for ",
    "\n\n",
    "\n---\n",
    "role ",
    "(",
    '"',
    "i really ",
    "final ",
    "the final ",
    "“",
]


@pytest.mark.parametrize("unit", UNITS)
def test_a_long_run_of_anything_is_read_in_time_that_grows_with_it(unit: str) -> None:
    assert grows_evenly(lambda size: read_poll(unit * (size // len(unit)), (), PAIR), LONGEST - 100)
    assert grows_evenly(lambda size: read_poll(unit * (size // len(unit)), ROLES, PAIR), LONGEST - 100)
