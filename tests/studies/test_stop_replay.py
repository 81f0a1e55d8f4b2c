"""Stop rules replayed: what they save is what a run that is held with them does not call, and what they keep is what it says."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.errors import UsageError
from agentdebate.meta.figure import Bootstrap
from agentdebate.meta.judgements import Judged
from agentdebate.meta.talks import RoundFields
from agentdebate.report.plot import plot
from agentdebate.report.stop_replay import replay_stops
from agentdebate.runs.evaluation import evaluate
from agentdebate.store.reader import read_store
from agentdebate.strategies.load import strategy
from agentdebate.studies.stop_replay import WHOLE, HeldDebate, Merging, replayed, rules_named
from agentdebate.talk.messages import CastBallot, Lost
from agentdebate.tasks import Aspect, Item, Scale

WORDS = ("bridge", "closes", "Kelby", "weeks", "corroded", "bearings")


def items(task: str) -> list[Item]:
    """Texts that keep more or less of their source, which the offline judge rates unlike."""
    text = "The bridge at Kelby closes for eleven weeks, since two of its bearings are corroded."
    kept = [" ".join(WORDS[: 1 + k]) for k in range(len(WORDS))]
    fields = [
        {"source": text, "summary": one}
        if task == "summarization"
        else {"question": "Why does the bridge close?", "answer_1": one, "answer_2": other}
        for one, other in zip(kept, reversed(kept), strict=True)
    ]
    human = "coherence" if task == "summarization" else "overall.answer_1"
    return [
        Item(
            task=task,
            id=f"i{k}",
            group=f"g{k // 2}",
            fields=one,
            human={human: k % 5 + 1.0, "overall.answer_2": 3.0},
        )
        for k, one in enumerate(fields)
    ]


async def hold(name: str, task: str, **options: Any) -> tuple[int, list[dict[str, Any]]]:
    """Hold a run on the offline judge: its calls, and its verdicts."""
    async with evaluate(items(task), strategy(name, **options), store="s.db") as run:
        _ = [record async for record in run]
    with read_store("s.db") as reader:
        head = reader.run("last")
        return len(list(reader.asked(head.id))), list(reader.rows(head.id))


@pytest.mark.parametrize("rule", ["unanimous", "majority", "stable", "convergence"])
@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("chateval-one-by-one", "summarization"),
        ("chateval-summarizer", "summarization"),
        ("chateval", "comparison"),
    ],
)
async def test_a_rule_saves_the_calls_that_a_run_with_it_does_not_make(
    name: str, task: str, rule: str
) -> None:
    calls, _ = await hold(name, task, rounds=4, ballots="every")
    _, found = replay_stops(stops=[rule], store="s.db", bootstrap=Bootstrap(20)).found
    shorter, rows = await hold(name, task, rounds=4, stop=rule)
    assert found.calls == shorter
    assert found.saved == pytest.approx(1 - shorter / calls)
    for one in found.judged:
        held = [
            row["winner"] or "tie" if row["candidates"] else row["scores"].get(one.aspect) for row in rows
        ]
        assert [row.score for row in one.rows] == [said for said in held if said is not None]


async def test_the_devils_advocate_ends_where_a_revision_leaves_the_score() -> None:
    _ = await hold("debate", "summarization", rounds=4)
    _, found = replay_stops(stops=["stable"], store="s.db", bootstrap=Bootstrap(0)).found
    calls, _ = await hold("debate", "summarization", rounds=4, stop="stable")
    assert found.calls == calls


def debate(*rounds: dict[str, float], verdict: float, lost: Sequence[Lost] = ()) -> HeldDebate:
    """Scores of each round by agent, and the verdict; each ballot took a call."""
    cast = [
        CastBallot(
            agent=agent,
            round=number,
            message=10 * number + place,
            model="m",
            ballot=Ballot(ratings=(Rating(aspect="x", score=score),)),
        )
        for number, row in enumerate(rounds, 1)
        for place, (agent, score) in enumerate(row.items())
    ]
    aspect = Aspect(name="x", scale=Scale(low=1, high=5), criterion="Is it good?")
    calls = tuple((1, one.message) for one in cast)
    return HeldDebate(
        Judged("i", "", "", None, None), (aspect,), {}, {"x": verdict}, tuple(cast), tuple(lost), calls
    )


def test_an_agent_that_is_lost_later_has_not_been_lost_yet_and_a_lost_one_agrees_with_nobody() -> None:
    """In the second round b is lost. A rule that saw no more than ballots would take a for a panel that agrees."""
    gone = [Lost(agent="b", round=2, error="TurnTimeout", reason="slow")]
    early = debate({"a": 2.0, "b": 2.0}, {"a": 3.0}, {"a": 3.0}, verdict=3.0, lost=gone)
    never = debate({"a": 2.0, "b": 1.0}, {"a": 3.0}, {"a": 3.0}, verdict=3.0, lost=gone)
    _, found = replayed([early, never], Merging.of({}), rules_named(["unanimous"]), Bootstrap(0))
    assert (found.shortened, found.calls, found.kept.value) == (1, 2 + 4, 0.5)
    assert [row.score for row in found.judged[0].rows] == [2.0, 3.0]


def test_a_verdict_that_is_not_the_merge_of_the_last_ballots_is_in_no_figure() -> None:
    sound, salvaged = (debate({"a": 2.0}, {"a": 3.0}, verdict=one) for one in (3.0, 2.0))
    found = replayed(
        [sound, salvaged],
        Merging.of({}),
        rules_named({"near": {"rule": "stable", "within": 1}}),
        Bootstrap(0),
    )
    assert [(one.rule, one.kept.n, one.calls) for one in found] == [(WHOLE, 1, 2), ("near", 1, 2)]


def test_rounds_that_other_tools_recorded_are_replayed_with_a_call_a_ballot() -> None:
    rows = [
        f'{{"id": {k}, "round": {number}, "agent": "{agent}", "value": "{value}", "human": "A"}}'
        for k, said in enumerate((["A", "A", "A", "B"], ["A", "B", "B", "B"]))
        for (number, agent), value in zip([(1, "p"), (1, "q"), (2, "p"), (2, "q")], said, strict=True)
    ]
    Path("rounds.jsonl").write_text("\n".join(rows), encoding="utf-8")
    found = replay_stops(data="rounds.jsonl", stops=["unanimous"], rounds=RoundFields(human="human"))
    _, row = found.rows()
    assert (row["calls"], row["saved"]["value"], row["kept"]["value"]) == (6, 0.25, 0.5)
    assert row["agreement"][0]["value"] == 0.5
    assert row["agreement"][0]["difference"]["value"] == 0.5
    assert "unanimous" in str(found)


@pytest.mark.parametrize(
    ("name", "options", "why"),
    [("chateval", {}, "ballots=every"), ("debate-tiebreaker", {}, "tie-breaker")],
)
async def test_runs_without_rounds_of_ballots_and_rulings_are_refused(
    name: str, options: dict[str, Any], why: str
) -> None:
    _ = await hold(name, "comparison" if name == "chateval" else "summarization", **options)
    with pytest.raises(UsageError, match=why):
        replay_stops(store="s.db")


@pytest.mark.parametrize(
    ("name", "options", "cuts", "whole"),
    [
        ("chateval-one-by-one", {"rounds": 3, "ballots": "every"}, [1, 2, 3], 3),
        ("debate", {"rounds": 9}, [0, 1], 2),
    ],
)
async def test_a_plot_of_rounds_has_a_run_at_the_rounds_that_were_held_and_as_if_cut_after_each(
    name: str, options: dict[str, Any], cuts: list[int], whole: int
) -> None:
    _ = await hold(name, "summarization", **options)
    found = plot("rounds", "last", store="s.db", aspects="coherence", bootstrap=Bootstrap(resamples=0))
    values = {(row["kind"], row["rounds"]): row["value"] for row in found.rows}
    assert {*values} == {("run", whole), *(("cut", number) for number in cuts)}
    assert values["run", whole] == values["cut", cuts[-1]]
    assert (values["cut", cuts[0]] != values["cut", cuts[-1]]) == (name == "debate")
