"""Polls as models answer them, and the votes to be read in them. A kind of Problem stands for a reply not to be read."""

import pytest

from agentdebate.ballots.lineup import Candidate
from agentdebate.ballots.poll import Problem, read_poll

SUMMARIES = (Candidate("summary_1", "Summary A"), Candidate("summary_2", "Summary B"))
ANSWERS = (
    Candidate("answer_2", "Answer A"),
    Candidate("answer_1", "Answer B"),
    Candidate("answer_3", "Answer C"),
)
ROLES = ("General public", "Critic", "Amber Heard's fans")


def votes(
    text: str,
    players: tuple[str, ...],
    candidates: tuple[Candidate, ...] = SUMMARIES,
    *,
    cut_off: bool = False,
) -> str:
    """The letters voted for in the order of the players, or the kind of the problem."""
    read = read_poll(text, players, candidates, cut_off=cut_off)
    if isinstance(read, Problem):
        return read.kind
    letters = {candidate.field: candidate.label[-1] for candidate in candidates}
    for choice in read:
        assert choice.start < choice.end <= len(text)
    return "".join(letters[choice.candidate] for choice in read)


FORM = """Role 1: General public
Reason: It is easy to follow. Summary B is too long for me.
Vote: Summary A
Role 2: Critic
Reason: The wording of Summary B is cleaner than that of Summary A.
Vote: Summary B
Role 3: Amber Heard's fans
Reason: It tells her side.
Vote: Summary A"""

POLLS: dict[str, str] = {
    FORM: "ABA",
    FORM + "\n": "ABA",
    FORM.replace("\n", "\r\n"): "ABA",
    FORM.replace("\n", "\n\n"): "ABA",
    FORM.replace("Vote: ", "**Vote:** "): "ABA",
    FORM.replace("Vote: ", "- Vote: **").replace("Summary A\n", "Summary A**\n"): "ABA",
    FORM.replace("Role 1: General public", "**1. General Public**")
    .replace("Role 2:", "2.")
    .replace("Role 3:", "3)"): "ABA",
    FORM.replace("Role ", "### Role "): "ABA",
    FORM.replace("Role 1: ", "### ").replace("Role 2: ", "### ").replace("Role 3: ", "### "): "ABA",
    FORM.replace("Role 1: ", "").replace("Role 2: ", "").replace("Role 3: ", ""): "ABA",
    FORM.replace("'", "’"): "ABA",
    FORM.replace(":", "："): "ABA",
    FORM.replace("Vote: Summary ", "Ｖｏｔｅ：Ｓｕｍｍａｒｙ　"): "ABA",
    FORM.replace("Vote: Summary", "Vote:"): "ABA",
    FORM.replace("Vote: Summary A", "vote: summary a."): "ABA",
    FORM.replace("Vote:", "Choice:"): "ABA",
    FORM.replace("Vote:", "Preference:"): "ABA",
    FORM.replace("Vote:", "Verdict -"): "ABA",
    FORM.replace("Vote:", "Winner ="): "ABA",
    FORM.replace("Vote:", "Better summary:"): "ABA",
    FORM.replace("Vote:", "Final vote:"): "ABA",
    FORM.replace("Vote:", "My vote goes to"): "ABA",
    FORM.replace("Vote:", "Therefore, my vote is"): "ABA",
    FORM.replace("Vote:", "I vote for"): "ABA",
    FORM.replace("Vote: Summary", "Vote:\nSummary"): "ABA",
    FORM.replace("Vote: Summary", "#### Vote\n\nSummary"): "ABA",
    FORM.replace("Vote: Summary A", "Vote: Summary 1").replace("Vote: Summary B", "Vote: Summary 2"): "ABA",
    FORM.replace("Vote:", "Vote (Summary A or Summary B):"): "ABA",
    FORM.replace("Vote: Summary A", "Vote: [Summary A]"): "ABA",
    FORM.replace("Vote: Summary A", "Vote: <Summary A>"): "ABA",
    FORM.replace("Vote: Summary A", 'Vote: "Summary A"'): "ABA",
    FORM.replace("Vote: Summary A", "Vote: “Summary A”"): "ABA",
    FORM.replace("Vote: Summary A", "Vote: Summary A (slightly)"): "ABA",
    FORM.replace("Vote: Summary A", "Vote: Summary A, because Summary B is dull."): "ABA",
    FORM.replace("Vote: Summary A", "Vote: Summary A over Summary B"): "ABA",
    FORM.replace("Vote: Summary A", "Vote: summary_a"): "ABA",
    FORM.replace("Vote: Summary A", "Vote: $\\boxed{\\text{Summary A}}$"): "ABA",
    FORM.replace("\nVote", " Vote"): "ABA",
    FORM.replace("\n", " "): "ABA",
    FORM.replace("\n", "<br>"): "ABA",
    FORM.replace("\n", "\\n").replace("\\nReason", "\nReason").replace("\\nRole", "\nRole"): "ABA",
    "<think>Role 1: General public\nVote: Summary B</think>\n" + FORM: "ABA",
    "[THINK]Role 1: General public\nVote: Summary B[/THINK]\n" + FORM: "ABA",
    "I will play each role, give a reason, and then vote for Summary A or Summary B.\n\n" + FORM: "ABA",
    "The roles are:\n1. General public\n2. Critic\n3. Amber Heard's fans\n\n" + FORM: "ABA",
    FORM + "\n\nOverall, most prefer Summary A.": "ABA",
    FORM + "\n\nOverall verdict: Summary B": "ABA",
    FORM + "\n\n---\n**Overall winner: Summary B**": "ABA",
    FORM + "\n\nTally:\nSummary A: 2\nSummary B: 1": "ABA",
    FORM
    + "\n\n## Summary of votes\n| Role | Vote |\n|---|---|\n| General public | Summary A |\n| Critic | B |": "ABA",
    FORM
    + "\n\n## Results\n| Role | Vote |\n|---|---|\n| General public | Summary B |\n| Critic | B |": "several",
    # The reason behind the vote, on the heading's line, in another order
    "Critic\nVote: Summary B\nReason: Clean wording.\n\nAmber Heard's fans\nVote: Summary A\nReason: Her side.\n\n"
    "General Public\nVote: Summary A\nReason: Easy.": "ABA",
    "1) General public: I prefer Summary A because it is short.\n2) Critic: I prefer Summary B since it is clean.\n"
    "3) Amber Heard's fans: I'd choose Summary A over Summary B.": "ABA",
    "- General public: Summary A because it is short.\n- Critic: Summary B - clean wording.\n- Amber Heard’s Fans: Summary A": "ABA",
    "General public - Summary A\nCritic - Summary B\nAmber Heard's fans - Summary A": "ABA",
    "General public: Summary A\nCritic: Summary B\nAmber Heard's fans: A": "ABA",
    "As the general public, I would vote for Summary A.\nAs a critic, I vote for Summary B.\n"
    "As Amber Heard's fans, we like it. Vote: Summary A": "ABA",
    "The general public votes for Summary A.\nThe critic would prefer Summary B.\nAmber Heard's fans prefer Summary A.": "ABA",
    "General public's vote: Summary A\nCritic's vote: Summary B\nAmber Heard's fans: Vote: Summary A": "ABA",
    "General public (readers): Easy. Vote: Summary A\nCritic (Vote: Summary B): Clean.\nAmber Heard's fans (her side): Vote - Summary A": "ABA",
    "Role: General public\nVote: A\n\nRole: Critic\nVote: B\n\nRole: Amber Heard's fans\nVote: (A)": "ABA",
    "Role 1\nVote: A\nRole 2\nVote: B\nRole 3\nVote: A": "ABA",
    "Role 1: I prefer Summary A because it is short.\nRole 2: Summary B\nRole 3: Vote: A": "ABA",
    "1. Vote: Summary A\n2. Vote: Summary B\n3. Vote: Summary A": "ABA",
    "Role 1 (General public): Vote: Summary A\nRole 2 (Critic): Vote: Summary B\nRole 3 (Amber Heard's fans): Vote: Summary A": "ABA",
    "| Role | Reason | Vote |\n|---|---|---|\n| General public | Easy | Summary A |\n| Critic | Clean | **B** |\n| Amber Heard's fans | Hers | A |": "ABA",
    "| # | Role | Vote | Reason |\n|:-:|---|---|---|\n| 1 | General public | Summary A | Unlike Summary B, easy |\n"
    "| 2 | Critic | Summary B | Clean |\n| 3 | Amber Heard's fans | Summary A | Hers |": "ABA",
    "Role | Choice\n---|---\nRole 2: Critic | Summary B\nRole 1: General public | Summary A\nRole 3 | Summary A": "ABA",
    "| General public | Easy | Summary A |\n| Critic | Clean | Summary B |\n| Amber Heard's fans | Hers | Summary A |": "ABA",
    "<table><tr><td>General public</td><td>Summary A</td></tr>\n<tr><td>Critic</td><td>Summary B</td></tr>\n"
    "<tr><td>Amber Heard's fans</td><td>Summary A</td></tr></table>": "ABA",
    "General public → Summary A\nCritic → Summary B\nAmber Heard's fans → Summary A": "ABA",
    "General public votes: Summary A\nCritic votes: Summary B\nAmber Heard's fans: We prefer Summary A.": "ABA",
    "Vote: Summary A (General public)\nVote: Summary B (Critic)\nVote: Summary A (Amber Heard's fans)": "missing",
    # JSON that was not asked for
    '{"votes": [{"role": "General public", "vote": "Summary A", "reason": "x"}, {"role": "Critic", "vote": "B", "reason": "y"}, '
    '{"role": "Amber Heard\'s fans", "vote": "summary a"}]}': "ABA",
    '```json\n{"General public": {"reason": "x", "vote": "Summary A"}, "Critic": {"vote": "Summary B"}, '
    '"Amber Heard\\u0027s fans": {"vote": "Summary A"}}\n```': "ABA",
    '{"General public": "Summary A", "Critic": "Summary B", "Amber Heard\'s fans": "Summary A"}': "ABA",
    '{"role_1": {"reason": "x", "vote": "Summary A"}, "role_2": {"reason": "y", "vote": "Summary B"}, "role_3": {"reason": "", "vote": "A"}}': "ABA",
    '[{"vote": "Summary A"}, {"vote": "Summary B"}, {"vote": "Summary A"}]': "ABA",
    '[{"role": "Critic", "vote": "Summary B"}, {"role": "General public", "vote": "Summary A"}, {"role": "Role 3", "vote": "Summary A"}]': "ABA",
    '{"role_1": {"reason": "x", "vote": "Summary A"}, "role_2": {"reason": "y", "vote": "Summary B",}, "role_3": {"vote": "Summary A"': "ABA",
    "{'role_1': {'reason': 'x', 'vote': 'Summary A'}, 'role_2': {'vote': 'Summary B'}, 'role_3': {'vote': 'Summary A'}}": "ABA",
    '{"role_1": {"vote": "Summary A"}, "role_2": {"vote": "Summary B"}}': "missing",
    '{"role_1": {"vote": "Summary A"}, "role_2": {"vote": "Tie"}, "role_3": {"vote": "Summary A"}}': "off_scale",
    '{"role_1": {"vote": "Summary A"}, "role_2": {"vote": null}, "role_3": {"vote": "Summary A"}}': "missing",
    '{"role_1": {"vote": "Summary A"}, "role_2": {"vote": 2}, "role_3": {"vote": "Summary A"}}': "off_scale",
    '{"role_1": {"vote": "Summary A", "vote": "Summary B"}, "role_2": {"vote": "Summary B"}, "role_3": {"vote": "Summary A"}}': "several",
    '[{"role": "Journalist", "vote": "Summary B"}, {"role": "General public", "vote": "Summary A"}, {"role": "Critic", "vote": "Summary A"}]': "missing",
    FORM + "\n\nIn conclusion, most roles vote for Summary B.": "ABA",
    FORM.replace("Reason: It tells", "Summary A: hers. Summary B: his. It tells"): "ABA",
    # Words that every choice is read by
    FORM.replace("Vote: Summary B", "Vote: Summary A is not as good as Summary B"): "ABA",
    FORM.replace("Vote: Summary B", "Vote: Summary B, though Summary A has merits"): "ABA",
    FORM.replace("Vote: Summary B", "Vote: A < B"): "ABA",
    FORM.replace("Vote: Summary B", "Vote: the second one"): "ABA",
    FORM.replace("Vote: Summary B", "Overall, Summary B is better."): "ABA",
    FORM.replace("Vote: Summary B", "Summary B gets my vote."): "ABA",
    FORM.replace("\nVote: Summary B", " Vote: Summary B Reason: the wording of Summary A is dull."): "ABA",
    # A player in the third person
    FORM.replace("Vote: Summary B", "The critic prefers Summary B."): "ABA",
    FORM.replace("Vote: Summary B", "A critic would go with Summary B."): "ABA",
    FORM.replace("Vote: Summary B", "Votes for Summary B."): "missing",
    FORM.replace("Reason: The wording of Summary B is cleaner than that of Summary A.\n", "").replace(
        "Vote: Summary B", "Votes for Summary B."
    ): "ABA",
    FORM.replace("Vote: Summary B", "Amber Heard's fans would vote for Summary B."): "several",
    FORM.replace("Vote: Summary B", "The journalist votes for Summary B."): "missing",
    FORM.replace("Vote: Summary B", "The critic does not prefer Summary B."): "missing",
    '{"General public": "It is easy, so I vote for Summary A.", "Critic": "The better one is Summary B.", "Role 3": "Summary A wins."}': "ABA",
    '{"role_1": {"vote": "A, as it is easy"}, "role_2": {"vote": "2"}, "role_3": {"vote": "I prefer Summary A"}}': "ABA",
    '{"role_1": {"vote": "Summary A"}, "role_2": {"vote": "Summary A & Summary B"}, "role_3": {"vote": "Summary A"}}': "off_scale",
    "| Role | Vote |\n|---|---|\n| General public | A, easy |\n| Critic | not Summary A |\n| Amber Heard's fans | A |": "off_scale",
    # Not to be read
    FORM.replace("Vote: Summary B", "Vote: Summary A & Summary B"): "off_scale",
    FORM.replace("Vote: Summary B", "Vote: Summary A, Summary B"): "off_scale",
    FORM.replace("Vote: Summary B", "Vote: Summary B (or maybe Summary A)"): "off_scale",
    FORM.replace("Vote: Summary B", "Vote: Summary A for its style, Summary B for its content"): "off_scale",
    FORM.replace("Vote: Summary B", "I prefer Summary A.\nVote: not Summary B"): "off_scale",
    FORM.replace("Vote: Summary B", "Summary A is the better one.\nVote: abstain"): "off_scale",
    FORM.replace("The wording", "Summary A is better. The wording"): "several",
    FORM.replace("Vote: Summary B", "The article ends with the line Vote: Summary B."): "missing",
    FORM + "\n\nIn conclusion, my vote is Summary B.": "several",
    FORM + "\n\nOverall, I vote for Summary B.": "several",
    FORM.replace(
        "Vote: Summary B", "Vote: Summary A is better written but Summary B is cleaner"
    ): "off_scale",
    FORM.replace("Vote: Summary B", "Vote: Summary A is worse"): "off_scale",
    "1) General public: Summary A - short; Summary B - long.\n2) Critic: Summary B with its jumps is dull.\n"
    "3) Amber Heard's fans: Summary A: hers. Summary B: his.": "missing",
    "": "nothing",
    "\n **  ** \n": "nothing",
    "I'm sorry, but I can't help with that.": "refusal",
    "As an AI, I am unable to play roles.": "refusal",
    "Summary A is better.": "missing",
    "Vote: Summary A": "missing",
    "The first is easier. The second is longer.": "missing",
    FORM.replace("Vote: Summary B\n", ""): "missing",
    FORM.replace("Vote: Summary B", "Vote: Tie"): "off_scale",
    FORM.replace("Vote: Summary B", "Vote: Both are good"): "off_scale",
    FORM.replace("Vote: Summary B", "Vote: neither"): "off_scale",
    FORM.replace("Vote: Summary B", "Vote: Summary C"): "off_scale",
    FORM.replace("Vote: Summary B", "Vote: C"): "off_scale",
    FORM.replace("Vote: Summary B", "Vote: 2"): "ABA",
    FORM.replace("Vote: Summary B", "Vote: Summary 3"): "off_scale",
    FORM.replace("Vote: Summary B", "Vote: Text 2"): "ABA",
    FORM.replace("Vote: Summary B", "Vote: not Summary A"): "off_scale",
    FORM.replace("Vote: Summary B", "Vote: B because it is clean"): "ABA",
    FORM.replace("Vote: Summary B", "Vote: Summary A or Summary B"): "off_scale",
    FORM.replace("Vote: Summary B", "Vote: Summary A/B"): "off_scale",
    FORM.replace("Vote: Summary B", "Vote: Summary B if it were shorter"): "off_scale",
    FORM.replace("Vote: Summary B", "Vote: Summary B? Perhaps"): "off_scale",
    FORM.replace("Vote: Summary B", "Vote: Summary A. Wait, Summary B."): "ABA",
    FORM.replace("Vote: Summary B", "Vote: Summary B\nVote: Summary A"): "several",
    FORM.replace("The wording", "It says:\nVote: Summary A\nThe wording"): "several",
    FORM.replace("The wording", 'The text says "Vote: Summary A". The wording'): "ABA",
    FORM.replace("The wording", "I vote for Summary A. The wording"): "several",
    FORM.replace("The wording", "I would never vote for Summary A. The wording"): "ABA",
    FORM.replace("The wording", "Reason for the vote: Summary A is dull. The wording"): "ABA",
    FORM.replace("The wording", "I prefer Summary A for its length. The wording"): "ABA",
    FORM.replace("Role 2: Critic", "Role 2: Journalist"): "missing",
    FORM.replace("Role 2: Critic", "Role 2: The Literary Critic"): "ABA",
    FORM.replace("Role 2: Critic\n", "Role 1: General public\n"): "several",
    FORM.replace("Vote: Summary B", "I like both."): "missing",
    FORM.replace(
        "Vote: Summary B", "I prefer Summary A for its order, but Summary B for its words."
    ): "missing",
    FORM.replace("Vote: Summary B", "Summary B's wording is what I prefer."): "missing",
}


@pytest.mark.parametrize(("reply", "expected"), POLLS.items(), ids=range(len(POLLS)))
def test_a_poll_is_read_for_certain_or_not_at_all(reply: str, expected: str) -> None:
    assert votes(reply, ROLES) == expected


ALONE: dict[str, str] = {
    "It flows.\nVote: Summary B": "B",
    "It flows, while Summary A jumps.\n\n**Vote: Summary B**": "B",
    "Critic: It flows.\nVote: Summary B": "B",
    "Summary B": "B",
    "**Summary B.**": "B",
    "Summary B because it flows.": "B",
    "I would choose Summary B.": "B",
    "Summary A: 7\nSummary B: 8\nPreference: Summary B": "B",
    "Final verdict: Summary B is better.": "B",
    "The better summary is Summary B.": "B",
    '{"reason": "It flows.", "vote": "Summary B"}': "B",
    '{"reason": "It flows': "missing",
    '{"reason": "Summary A says "no".", "vote": "Summary B"}': "B",
    "Here:\n{'vote': 'B', 'reason': 'It flows.'}": "B",
    "Vote: Summary A\nVote: Summary B": "several",
    "Role 1: Critic\nVote: Summary A\nRole 2: Reader\nVote: Summary B": "several",
    "Initial preference: Summary A\nVote: Summary B": "B",
    "Preference: Summary A\nFinal vote: Summary B": "several",
    "Both are fine.": "missing",
    "Summary A is better written. Summary B is cleaner.": "missing",
    "Summary A\nIt is short.\nSummary B\nIt is long.": "missing",
    "Summary A with its jumps is dull.": "missing",
    "Vote: it is a tie": "off_scale",
    "投票：Summary B": "B",
    "Summary B is longer than Summary A.": "missing",
    "If pressed, I would choose Summary B.": "B",
}  # fmt: skip


@pytest.mark.parametrize("players", [(), ("Critic",)])
@pytest.mark.parametrize(("reply", "expected"), ALONE.items())
def test_the_whole_reply_is_the_only_players(reply: str, expected: str, players: tuple[str, ...]) -> None:
    if "Critic:" in reply and not players:
        return
    assert votes(reply, players) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (FORM, "cut_off"),
        (FORM + ".", "ABA"),
        (FORM + "\n", "ABA"),
        (FORM[:-1], "cut_off"),
        (FORM[:-4], "cut_off"),
        (FORM[:60], "cut_off"),
        (FORM + "\nReason: she", "ABA"),
        ("", "cut_off"),
        ('{"role_1": {"vote": "A"}, "role_2": {"vote": "B"}, "role_3": {"vote": "Summary A', "cut_off"),
        (
            '{"role_1": {"vote": "A"}, "role_2": {"vote": "B"}, "role_3": {"vote": "Summary A", "reason": "It',
            "ABA",
        ),
        ('{"role_1": {"vote": "A"}, "role_2": {"reason": "It', "cut_off"),
    ],
)
def test_a_vote_at_the_end_of_a_reply_that_was_cut_off_is_not_trusted(reply: str, expected: str) -> None:
    assert votes(reply, ROLES, cut_off=True) == expected


@pytest.mark.parametrize(
    ("players", "reply", "expected"),
    [
        (("Reader", "Reader"), "Role 1: Reader\nVote: A\nRole 2: Reader\nVote: B", "AB"),
        (("Reader", "Reader"), "Role 2: Reader\nVote: A\nRole 1: Reader\nVote: B", "BA"),
        (("Reader", "Reader"), "Reader\nVote: A\n\nReader\nVote: B", "AB"),
        (("Reader", "Reader"), "Reader\nVote: A", "missing"),
        (("Critic", "Critic of art"), "Critic of art: Vote: B\nCritic: Vote: A", "AB"),
        (
            ("Type 2: diabetic", "1. FC Köln fan"),
            "Role 1: Type 2: diabetic\nVote: A\nRole 2: 1. FC Köln fan\nVote: B",
            "AB",
        ),
        (("Type 2: diabetic", "1. FC Köln fan"), "1. FC KOLN FAN: Vote: B\nType 2: Diabetic: Vote: A", "AB"),
        (("**VIP** _guest_", "C++ | Rust"), "Role 1: VIP guest\nVote: A\nRole 2: C++ | Rust\nVote: B", "AB"),
        (("评论家", "Café-goer"), "评论家：Vote: A\nCafe\u0301-goer: Vote: B", "AB"),
        (("***", ""), "Role 1: ***\nVote: A\nRole 2:\nVote: B", "AB"),
        (("Vote", "Reason"), "Role 1: Vote\nVote: A\nRole 2: Reason\nVote: B", "several"),
        (("x" * 70, "Y"), "Role 1: " + "x" * 70 + "\nVote: A\nRole 2: Y\nVote: B", "AB"),
    ],
)
def test_titles_of_any_kind_name_their_players(players: tuple[str, ...], reply: str, expected: str) -> None:
    assert votes(reply, players) == expected


def test_the_field_behind_the_label_is_what_comes_back() -> None:
    reply = (
        "Role 1: Critic\nAnswer A: dull.\nAnswer B: bright.\nVote: Answer B\nRole 2: Reader\nAnswer: Answer C"
    )
    assert votes(reply, ("Critic", "Reader"), ANSWERS) == "BC"
    read = read_poll(reply, ("Critic", "Reader"), ANSWERS)
    assert not isinstance(read, Problem)
    assert [choice.candidate for choice in read] == ["answer_1", "answer_3"]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (FORM.replace("Vote: Summary B", ""), ["no vote of Critic in"]),
        (FORM.replace("Vote: Summary B", "Vote: tie"), ['"tie" of Critic', "Summary A nor Summary B"]),
        (
            FORM.replace("Vote: Summary B", "Vote: B\nVote: A"),
            ["Summary B and Summary A of Critic", "which one"],
        ),
        ("", ["empty", "General public, Critic and Amber Heard's fans"]),
        ("I cannot assist with that.", ["declined", "General public"]),
        ("Role 1: General public\nVote: A", ["no vote of Critic and Amber Heard's fans"]),
    ],
)
def test_a_problem_names_the_players_and_what_was_found(reply: str, words: list[str]) -> None:
    read = read_poll(reply, ROLES, SUMMARIES)
    assert isinstance(read, Problem)
    assert [word for word in words if word not in read.text] == []


def test_a_problem_names_a_handful_of_players_and_counts_the_rest() -> None:
    read = read_poll("Hm.", [f"Reader {letter}" for letter in "STUVWXY"], SUMMARIES)
    assert isinstance(read, Problem)
    assert read.text == "I found no vote of Reader S, Reader T, Reader U, Reader V and 3 more in the reply."
