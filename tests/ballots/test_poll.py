"""Polls: the schema, parts of a reply in text, places of the choices, problems, and properties of any text."""

import json
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agentdebate.ballots.lineup import Candidate
from agentdebate.ballots.poll import Choice, Places, read_poll
from agentdebate.ballots.replies.outcome import Problem

PAIR = (Candidate("summary_2", "Summary A"), Candidate("summary_1", "Summary B"))
ROLES = ("General public", "Critic", "Amber Heard's fans")


def votes(text: str, players: tuple[str, ...] = ROLES, *, cut_off: bool = False) -> str:
    """The letters voted for in the order of the players, or the kind of the problem."""
    read = read_poll(text, players, PAIR, cut_off=cut_off)
    if isinstance(read, Problem):
        return read.kind
    return "".join({"summary_2": "A", "summary_1": "B"}[choice.candidate] for choice in read)


FORM = """Role 1: General public
Reason: It is easy to follow. Summary B is too long for me.
Vote: Summary A
Role 2: Critic
Reason: The wording of Summary B is cleaner than that of Summary A.
Vote: Summary B
Role 3: Amber Heard's fans
Reason: It tells her side.
Vote: Summary A"""
SECOND = "Vote: Summary B"
JSON = json.dumps(
    {f"role_{n}": {"reason": "So.", "vote": f"Summary {vote}"} for n, vote in enumerate("ABA", 1)}
)


@pytest.mark.parametrize(
    "text",
    [
        FORM,
        FORM.replace("\n", "\r\n"),
        FORM.replace("\n", "\n\n"),
        FORM.replace("Vote: ", "**Vote:** "),
        FORM.replace("Role 1: General public", "**1. General Public**").replace("Role 2:", "2.").replace("Role 3:", "3)"),
        FORM.replace("Role 1: ", "### ").replace("Role 2: ", "### ").replace("Role 3: ", "### "),
        FORM.replace("'", "’"),
        FORM.replace(":", "："),
        FORM.replace("Vote: Summary", "Vote:"),
        FORM.replace("Vote: Summary A", 'Vote: "Summary A"'),
        FORM.replace("Vote: Summary A", "Vote: Summary A (slightly)"),
        FORM.replace("Vote:", "I vote for"),
        FORM.replace(SECOND, "Overall, Summary B is better."),
        "1. Vote: Summary A\n2. Vote: Summary B\n3. Vote: Summary A",
        "Role 1\nVote: A\nRole 2\nVote: B\nRole 3\nVote: A",
        "Amber Heard's fans\nVote: Summary A\n\nGeneral Public\nVote: Summary A\n\nCritic\nVote: Summary B",
        "As the general public, I would vote for Summary A.\nAs a critic, I vote for Summary B.\nAs Amber Heard's fans, we like it.\nVote: A",
        JSON,
        f"```json\n{JSON}\n```",
    ],
)  # fmt: skip
def test_each_player_has_the_vote_of_its_part(text: str) -> None:
    assert votes(text) == "ABA"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "nothing"),
        ("I'm sorry, but I can't help with that.", "refusal"),
        ("Vote: Summary A", "missing"),
        (FORM.replace(SECOND, ""), "missing"),
        (FORM.replace(SECOND, "Vote: Tie"), "off_scale"),
        (FORM.replace(SECOND, "Vote: Summary C"), "off_scale"),
        (FORM.replace(SECOND, "I prefer Summary A.\nVote: not Summary B"), "missing"),
        (FORM.replace(SECOND, "Vote: Summary A or Summary B"), "missing"),
        (FORM.replace(SECOND, "Vote: Summary B\nVote: Summary A"), "several"),
        (FORM.replace("Role 2: Critic\n", "Role 1: General public\n"), "several"),
        (JSON.replace("Summary B", "Tie"), "off_scale"),
        (JSON.replace('"role_2"', '"role_1"'), "several"),
        ('{"role_1": {"vote": "Summary A"}, "role_2": {"vote": "Summary B"}}', "missing"),
    ],
)
def test_a_part_without_one_vote_is_a_problem(text: str, kind: str) -> None:
    assert votes(text) == kind


def test_a_vote_at_the_end_of_a_reply_that_was_cut_is_not_trusted() -> None:
    assert votes(FORM, cut_off=True) == "cut_off"
    assert votes(f"{FORM}\n\nIn the end", cut_off=True) == "ABA"


def cut(text: str, parts: Places) -> list[str]:
    return [text[start:end] for start, end in parts]


def test_places_hold_the_choice_and_the_reason_without_the_form() -> None:
    text = "Well.\n**Role 1: Critic**\nReason: ﬁne ½ “x”\n**Vote: Summary B**\n\n2) General public: Easy – é́.\r\nVote: A\n"
    read = read_poll(text, ["General public", "Critic"], PAIR)
    assert not isinstance(read, Problem)
    assert [cut(text, one.named) for one in read] == [["A"], ["Summary B"]]
    assert [cut(text, one.reasoned) for one in read] == [["Easy – é́."], ["ﬁne ½ “x”"]]
    assert read[0] == Choice("summary_2", "Easy – é́.", read[0].named, read[0].reasoned, "text", "form")
    assert read[1].reason == "ﬁne ½ “x”"


@pytest.mark.parametrize(("structured", "how"), [(True, "schema"), (False, "text")])
def test_the_place_in_json_is_the_choice_between_its_quotes(structured: bool, how: str) -> None:
    text = '{"reason": "x {y} \\"vote\\": \\"Summary A\\"", "vote": "Summary B"}'
    read = read_poll(text, [], PAIR, structured=structured)
    assert not isinstance(read, Problem)
    assert (read[0].how, read[0].rule, cut(text, read[0].named)) == (how, "json", ["Summary B"])
    assert cut(text, read[0].reasoned) == [r"x {y} \"vote\": \"Summary A\""]


def test_a_reader_who_is_called_like_a_key_of_the_form_takes_nobodys_vote() -> None:
    """A small model named a reader "role_1", whose votes were then told apart from nobody's."""
    reply = JSON.replace("Summary A", "Summary B", 1)
    assert votes(reply, ("General public", "Critic", "role_1")) == "BBA"


ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)
WORDS = (
    "Role 1:", "2.", "Critic", "General public", ":", "Vote:", "Summary A", "Summary B", "A", "B", "tie", "Reason:", "|", '{"vote":',
    '"Summary A"', "}", "{", ",", '"role_1":', '"role":', "I prefer", "because", "**", "#", "<b>", "<think>", "</think>", "½", "ﬁ", "\x00",
)  # fmt: skip
FRAGMENTS = st.lists(st.sampled_from(["\n", "\nVote: Summary A\n", "\nCritic: ", *WORDS]), max_size=40).map(
    " ".join
)


@given(ANY_TEXT | FRAGMENTS, st.integers(0, 3), st.booleans(), st.booleans())
@example("<B>", 0, False, True)
@settings(max_examples=300, deadline=None)
def test_any_text_gives_a_vote_for_every_player_or_a_problem(
    text: str, players: int, structured: bool, cut_off: bool
) -> None:
    read = read_poll(text, ROLES[:players], PAIR, structured=structured, cut_off=cut_off)
    if isinstance(read, Problem):
        assert read.text
        return
    assert len(read) == max(players, 1)
    spans = sorted(place for one in read for place in one.named)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert all(0 <= start < end <= len(text) for one in read for start, end in one.reasoned)
