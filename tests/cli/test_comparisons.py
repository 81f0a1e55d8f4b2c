"""Comparisons on the command line: winners, ties and failures, in tables, JSON, CSV and transcripts."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typed import ITEM, Typed, typed, write

from agentdebate.models.base import Model, ModelRequest
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


class TestOneDebate:
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


@pytest.mark.parametrize("choice", ["best=winer", "best=flip(winner)", "best=short,long", "best=best"])
def test_the_choice_of_a_run_is_its_winner_and_nothing_else(
    judged: Typed, choice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    people = [{"id": pair["id"], "best": "answer_1"} for pair in PAIRS]
    write(people, "people.jsonl")
    words = ("agree", "last", "--data", "people.jsonl", "--on", "id", "--resamples", "0")
    refused = typed(capsys, *words, "--choice", choice)
    assert (refused.code, "is its 'winner'" in refused.err) == (2, True)
    assert typed(capsys, *words, "--choice", "best=winner", "--labels", "open").code == 0


@pytest.mark.parametrize("words", [("--confidences", "sure"), ("--grades", "A=5"), ("--reply", "said")])
def test_options_about_fields_of_files_are_refused_of_a_run(
    judged: Typed, words: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    refused = typed(capsys, "agree", "last", *words)
    assert (refused.code, f"{words[0]} is for the fields of files" in refused.err) == (2, True)
