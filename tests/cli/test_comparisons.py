"""Comparisons on the command line: winners, ties and failures, in tables, JSON, CSV and transcripts."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from typed import ITEM, Typed, typed, write

from agentdebate.models.base import Model, ModelRequest
from agentdebate.models.function import Function
from agentdebate.testing import replying

Speaks = Callable[[Model], None]
COMPARE = ("run", "chateval", "pairs.jsonl", "--task", "comparison")
COLUMNS = ("--field", "answer_1=short,answer_2=long")
PAIRS = [
    {"id": "left", "question": "How many?", "short": "good good good", "long": "good"},
    {"id": "right", "question": "How many?", "short": "good", "long": "good good"},
    {"id": "even", "question": "How many?", "short": "good", "long": "good"},
    {"id": "mute", "question": "How many?", "short": "silence", "long": "good"},
]
"""Items whose answers are as good as they often say so; about silence nobody says anything readable."""


def counting(request: ModelRequest) -> str:
    """A judge who counts how often an answer says that it is good, and likes what stands first a bit better."""
    context = request.context
    assert context is not None
    if "silence" in context.item.fields.values():
        return "Hm."
    if context.reply != "score":
        return "I shall count."
    scores = [
        f"{line.aspect.title}: {2 * context.item.fields[line.candidate or ''].count('good') + (place == 0)}"
        for place, line in enumerate(context.lines)
    ]
    return "\n".join(["I counted.", *scores])


@pytest.fixture
def judged(capsys: pytest.CaptureFixture[str], speaks: Speaks) -> Typed:
    """A run over the pairs: a win on either side, a tie, a failure."""
    speaks(replying(counting, name="counting"))
    write(PAIRS, "pairs.jsonl")
    return typed(capsys, *COMPARE, *COLUMNS)


def lines(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if line.strip()]


class TestTables:
    def test_a_line_a_pair_has_both_scores_the_winner_and_whether_the_orders_agreed(
        self, judged: Typed
    ) -> None:
        assert judged.code == 1  # one of them failed
        assert [
            line for line in lines(judged.out) if line[0] in {"item", "left", "right", "even", "mute"}
        ] == [
            ["item", "answer_1", "answer_2", "winner", "agreed"],
            ["left", "6.5", "2.5", "answer_1", "yes"],
            ["right", "2.5", "4.5", "answer_2", "yes"],
            ["even", "2.5", "2.5", "tie", "no"],
            ["mute", "failed"],
        ]

    def test_wins_ties_and_failures_are_counted_apart(self, judged: Typed) -> None:
        head = ["aspect", "verdicts", "failures", "won", "ties", "agreed"]
        said = lines(judged.out)
        assert said[said.index(head) + 2] == ["overall", "3", "1", "2", "1", "2", "of", "3"]

    def test_each_candidate_has_its_wins_and_its_mean_over_the_verdicts(self, judged: Typed) -> None:
        assert ["overall", "answer_1", "1", "3.833", "2.5", "6.5", "3"] in lines(judged.out)
        assert ["overall", "answer_2", "1", "3.167", "2.5", "4.5", "3"] in lines(judged.out)

    def test_show_prints_the_same_tables(self, judged: Typed, capsys: pytest.CaptureFixture[str]) -> None:
        shown = typed(capsys, "show").out
        tables = judged.out[judged.out.index("Verdicts") :]
        assert tables.strip() in shown

    def test_several_aspects_have_a_line_each_and_together_they_are_summed(
        self, judged: Typed, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = (*COMPARE, *COLUMNS, "--limit", "1", "--aspects", "accuracy,detail")
        apart = lines(typed(capsys, *words).out)
        assert [line[:5] for line in apart if line[0] == "left"] == [
            ["left", "accuracy", "6.5", "2.5", "answer_1"],
            ["left", "detail", "6.5", "2.5", "answer_1"],
        ]
        together = typed(capsys, *words, "--together").out
        assert ["left", "12.5", "4.5", "answer_1", "yes"] in lines(together)
        assert "a score is the sum over the aspects" in together

    def test_without_swapping_nothing_is_said_of_agreeing(
        self, judged: Typed, capsys: pytest.CaptureFixture[str]
    ) -> None:
        came = typed(capsys, "run", "chateval-one-by-one", *COMPARE[2:], *COLUMNS, "--limit", "3")
        assert ["even", "3", "2", "answer_1"] in lines(came.out)
        assert "agreed" not in came.out

    def test_three_answers_have_three_columns(
        self, judged: Typed, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write([{**PAIRS[0], "third": "good good good good"}, {**PAIRS[1], "third": None}], "pairs.jsonl")
        came = typed(capsys, *COMPARE, COLUMNS[0], f"{COLUMNS[1]},answer_3=third")
        said = lines(came.out)
        assert said[said.index(["item", "answer_1", "answer_2", "answer_3", "winner", "agreed"]) + 2][
            -2:
        ] == [
            "answer_3",
            "yes",
        ]
        assert next(line for line in said if line[0] == "right")[:4] == [
            "right",
            "2.500",
            "4.500",
            "answer_2",
        ]


class TestData:
    def test_json_tells_a_win_a_tie_and_a_failure_apart(
        self, judged: Typed, capsys: pytest.CaptureFixture[str]
    ) -> None:
        rows = {row["id"]: row for row in typed(capsys, "export").json}
        told = {
            name: (row["winner"], row["winners"], row["agreed"], bool(row["failure"]))
            for name, row in rows.items()
        }
        assert told == {
            "left": ("answer_1", ["answer_1"], True, False),
            "right": ("answer_2", ["answer_2"], True, False),
            "even": (None, ["answer_1", "answer_2"], False, False),
            "mute": (None, [], None, True),
        }
        assert rows["left"]["scores"] == {"overall.answer_1": 6.5, "overall.answer_2": 2.5}
        assert {tuple(row["candidates"]) for row in rows.values()} == {("answer_1", "answer_2")}
        assert (rows["left"]["missing"], rows["left"]["lost"]) == (0, [])

    def test_csv_has_a_column_a_candidate(self, judged: Typed, capsys: pytest.CaptureFixture[str]) -> None:
        came = typed(capsys, "export", "--format", "csv")
        rows = {row["id"]: row for row in csv.DictReader(io.StringIO(came.out))}
        assert (rows["left"]["score_overall.answer_1"], rows["left"]["winner"]) == ("6.5", "answer_1")
        assert (rows["even"]["winner"], rows["even"]["winners"]) == ("", "answer_1 answer_2")
        assert (rows["mute"]["score_overall.answer_1"], rows["mute"]["failure"]) == ("", "TooFewBallots")

    def test_a_column_that_is_not_there_is_named_for_an_answer_that_need_not_be(
        self, judged: Typed, capsys: pytest.CaptureFixture[str]
    ) -> None:
        came = typed(capsys, *COMPARE, *COLUMNS, "--field", "answer_3=lnog")
        assert (came.code, "'lnog'" in came.err, "Did you mean 'long'?" in came.err) == (2, True, True)

    def test_an_empty_answer_is_refused_with_its_line(
        self, judged: Typed, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write([PAIRS[0], {**PAIRS[1], "long": " "}], "pairs.jsonl")
        came = typed(capsys, *COMPARE, *COLUMNS)
        assert came.code == 2
        assert "pairs.jsonl, line 2, 'long': there is no text here to judge" in came.err


class TestOneDebate:
    def test_every_sitting_is_announced_with_its_order_when_it_begins(
        self, judged: Typed, capsys: pytest.CaptureFixture[str]
    ) -> None:
        said = typed(capsys, "show", "last", "left").out
        places = [
            said.index("left: overall; shown: answer_1, answer_2"),
            said.index("general-public, round 1"),
            said.index("left: overall; shown: answer_2, answer_1"),
            said.index("general-public#2, round 1"),
            said.index("verdict: the winner is answer_1, agreed: "),
        ]
        assert places == sorted(places)

    def test_the_ballots_say_who_cast_them_by_which_model_and_how_they_were_read(
        self, judged: Typed, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "120")
        said = lines(typed(capsys, "show", "last", "left").out)
        assert ["general-public", "2", "7", "2", "answer_1,", "answer_2", "counting", "text/form"] in said
        assert ["reviewer#2", "2", "6", "3", "answer_2,", "answer_1", "counting", "text/form"] in said

    def test_a_tie_is_called_one(self, judged: Typed, capsys: pytest.CaptureFixture[str]) -> None:
        said = typed(capsys, "show", "last", "even").out
        assert "verdict: tie of answer_1, answer_2, not agreed: " in said

    def test_score_ends_with_the_winner(self, judged: Typed, capsys: pytest.CaptureFixture[str]) -> None:
        words = (
            "score",
            "chateval",
            "--task",
            "comparison",
            "-f",
            "question=How?",
            "-f",
            "answer_1=good good",
        )
        won = typed(capsys, *words, "-f", "answer_2=good", "--quiet")
        assert won.out.splitlines() == ["overall.answer_1\t4.5", "overall.answer_2\t2.5", "winner\tanswer_1"]
        tie = typed(capsys, *words, "-f", "answer_2=good good", "--quiet")
        assert tie.out.splitlines()[-1] == "winner\ttie"


@pytest.mark.parametrize("name", ["chateval", "faireval", "sampled"])
def test_what_swaps_positions_is_refused_where_there_is_one_text(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once, and not at each of the items."""
    Path("strategies").mkdir()
    sampled = 'name = "sampled"\nabout = ""\nuses = "repeated"\n[options]\naround = "chateval"\n'
    Path("strategies/sampled.toml").write_text(sampled, encoding="utf-8")
    write([ITEM])
    came = typed(capsys, "run", name, "data.jsonl", "--task", "summarization")
    assert (came.code, f"the strategy '{name}' cannot judge this task" in came.err) == (2, True)
    assert not Path("agentdebate.db").exists()


def test_a_member_that_is_lost_is_named_wherever_its_verdict_is_shown(
    capsys: pytest.CaptureFixture[str], speaks: Speaks
) -> None:
    """A debate that goes on without a referee still ends with a verdict."""

    def half(request: ModelRequest) -> str:
        mute = request.context is not None and request.context.card == "reviewer"
        return "" if mute else counting(request)

    speaks(Function("half", half))
    write(PAIRS[:1], "pairs.jsonl")
    came = typed(capsys, *COMPARE, *COLUMNS)
    assert (came.code, "1 verdict without some of the ballots" in came.out) == (0, True)
    assert "(lost: reviewer in 1, reviewer#2 in 1)" in came.out
    assert "1 verdict (1 of them without some of the ballots or samples), 0 failures" in came.err
    (row,) = typed(capsys, "export").json
    assert [(lost["agent"], lost["error"]) for lost in row["lost"]] == [
        ("reviewer", "UnreadableReply"),
        ("reviewer#2", "UnreadableReply"),
    ]
    talk = " ".join(typed(capsys, "show", "last", "left").out.split())
    assert "lost reviewer in round 1: UnreadableReply" in talk
    fields = ("-f", "question=How?", "-f", "answer_1=good", "-f", "answer_2=good good")
    scored = typed(capsys, "score", "chateval-one-by-one", "--task", "comparison", *fields, "--quiet")
    assert "overall: 1 missing; lost reviewer in round 1: UnreadableReply" in scored.err


@pytest.mark.shared
def test_the_80_questions_of_faireval_are_judged_as_they_lie_there(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = f"{shared / 'faireval' / 'faireval.jsonl'}"
    columns = ("--field", "answer_1=answer_chatgpt,answer_2=answer_vicuna13b", "--id", "question_id")
    came = typed(capsys, "run", "chateval", data, "--task", "comparison", *columns)
    assert came.code == 0
    assert "80 verdicts, 0 failures, 640 calls" in came.err
    rows = typed(capsys, "export").json
    assert len(rows) == 80
    assert all(row["winners"] and row["agreed"] is not None for row in rows)


@pytest.mark.shared
def test_topical_chat_is_judged_by_group_talk(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = f"{shared / 'topical_chat' / 'responses.jsonl'}"
    words = ("--task", "dialogue", "--aspects", "naturalness,engagingness", "--limit", "6")
    groups = ("--group", "dialogue_id", "--system", "system_id", "--human", "naturalness=naturalness")
    came = typed(capsys, "run", "chateval-one-by-one", data, *words, *groups)
    assert came.code == 0
    assert "12 verdicts, 0 failures, 48 calls" in came.err
    rows = {row["debate"]: row for row in typed(capsys, "export").json}
    assert [set(row["human"]) for name, row in rows.items() if name.endswith("/naturalness")] == [
        {"naturalness"}
    ] * 6
