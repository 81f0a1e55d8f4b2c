"""Thresholds of cascades: how often they break their promise, what they save, and what becomes of texts that are left to people."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agentdebate import agree, open_store, sweep, write_report
from agentdebate.agents.seat import Card
from agentdebate.debates.outcome import ABSTAINED
from agentdebate.debates.record import Record
from agentdebate.errors import DataError, UsageError
from agentdebate.meta.figure import Bootstrap
from agentdebate.meta.selective import StageCase
from agentdebate.models.base import ModelRequest
from agentdebate.models.function import Function
from agentdebate.report.cascade import CascadeTable, calibrate
from agentdebate.runs.evaluation import evaluate
from agentdebate.store.reader import read_store
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.cascade import Cascade, Stage
from agentdebate.strategies.simultaneous_talk import SimultaneousTalk
from agentdebate.strategies.solo import Solo
from agentdebate.studies.cascade import Case, Cases, calibrated, cases_of
from agentdebate.tasks import Item
from agentdebate.viewer.label_file import LabelFile
from agentdebate.viewer.label_set import label_set
from agentdebate.viewer.labelling import Labelling

RISK, DELTA = 0.1, 0.1
SOURCES = {"solo": "asked", "jury": "votes", "debate": "asked"}
Population = tuple[Any, Any]
"""How sure each stage is of each text, and whether it is right: texts by stages."""


def smooth(size: int, generator: Any) -> Population:
    """Hard texts are hard for every stage; later stages are right more often, and all are surer where they are right more often."""
    ease = generator.beta(2, 1, (size, 1)) + np.array([0.0, 0.1, 0.2])
    sure = np.round(np.clip(ease + generator.normal(0, 0.15, ease.shape), 0, 1), 2)
    return sure, generator.random((size, 1)) < np.clip(ease, 0, 0.98)


def on_the_edge(size: int, generator: Any) -> Population:
    """At every confidence a little more is wrong than may be: whatever stands breaks the promise."""
    sure = np.round(generator.random((size, 3)), 1)
    return sure, generator.random((size, 3)) >= RISK + 0.002


def cases(sure: Any, right: Any) -> list[Case]:
    return [
        {name: StageCase(float(c), bool(r)) for name, c, r in zip(SOURCES, some, others, strict=True)}
        for some, others in zip(sure, np.broadcast_to(right, sure.shape), strict=True)
    ]


@pytest.mark.parametrize("population", [smooth, on_the_edge])
def test_in_1000_calibrations_the_risk_is_exceeded_no_oftener_than_delta_says(population: Any) -> None:
    generator = np.random.default_rng(0)
    sure, right = population(20_000, generator)
    broken = stood = 0
    for _ in range(1000):
        fitted = calibrated(cases(*population(200, generator)), SOURCES, RISK, DELTA)
        least = [2.0 if one.threshold is None else one.threshold for one in fitted]
        stands = sure >= least
        any_stands, first = stands.any(axis=1), stands.argmax(axis=1)
        wrong = ~np.broadcast_to(right, sure.shape)[np.arange(len(sure)), first]
        stood += bool(any_stands.any())
        broken += bool(any_stands.any()) and wrong[any_stands].mean() > RISK
    assert broken / 1000 <= DELTA + 3 * (DELTA * (1 - DELTA) / 1000) ** 0.5
    assert stood > (500 if population is smooth else 0)


JUDGE = Card(name="judge", title="Judge", persona="You judge.")
PANEL = tuple(Card(name=name, title=name, persona="You talk.") for name in ("ann", "ben", "cat"))
TALK = SimultaneousTalk(name="talk", cast={"debaters": PANEL}, rounds=3)
STAGES = (
    Stage(strategy=Solo(name="solo", cast={"scorer": (JUDGE,)}, confidence="asked"), confidence="asked"),
    Stage(strategy=TALK, confidence="votes"),
)


def items(*, start: int, size: int) -> list[Item]:
    """Texts of which every fifth is hard. People say 4 of all."""
    fields = [
        {"source": "A.", "summary": "hard" if place % 5 == 0 else "easy"}
        for place in range(start, start + size)
    ]
    return [
        Item(task="summarization", id=f"i{start + place}", fields=one, human={"coherence": 4})
        for place, one in enumerate(fields)
    ]


def reply(request: ModelRequest) -> str:
    """A judge who is wrong about hard texts, and less sure of them; those who talk are right about all."""
    assert request.context
    alone = request.context.agent.endswith("scorer")
    wrong = alone and request.context.item.fields["summary"] == "hard"
    sure = "\nConfidence: 40%" if wrong else "\nConfidence: 90%"
    return f"Fine.\n\nCoherence: {1 if wrong else 4}{sure if alone else ''}"


async def held(judge: Strategy, given: Sequence[Item]) -> list[Record]:
    async with evaluate(given, judge, model=Function("m", reply), aspects="coherence", store="s.db") as run:
        return [record async for record in run]


def right(records: Sequence[Record]) -> float:
    return sum(record.scores == {"coherence": 4} for record in records) / len(records)


async def test_a_calibrated_cascade_agrees_as_the_debate_alone_does_at_two_fifths_of_its_calls() -> None:
    open_ended = await held(Cascade(name="open", stages=STAGES), items(start=0, size=80))
    assert {record.outcome for record in open_ended} == {ABSTAINED}
    found = calibrate("last", store="s.db", risk=0.15, delta=0.2)
    assert [(one.reached, one.n, one.errors) for one in found.stages] == [(80, 64, 0), (16, 16, 0)]
    new = items(start=80, size=40)
    tried = await held(Cascade(name="mine", stages=STAGES, thresholds=found.thresholds), new)
    always = await held(TALK, new)
    assert right(tried) == right(always) == 1
    assert sum(record.usage.calls for record in tried) <= 0.4 * sum(record.usage.calls for record in always)


LEAST = {"solo": 0.5}
"""A threshold that leaves hard texts to people, as the talk has none."""


async def test_what_abstained_is_in_no_figure_and_no_missing_judgement(tmp_path: Path) -> None:
    await held(Cascade(name="mine", stages=STAGES, thresholds=LEAST), items(start=0, size=10))
    labels = tmp_path / "labels.jsonl"
    labels.write_text("".join(f'{{"id": "i{place}", "coherence": {place % 2 + 3}}}\n' for place in range(10)))
    for data in (None, str(labels)):
        table = agree("last", store="s.db", statistic="bias", missing="wrong", data=data, on=data and "id")
        (row,) = table.rows()
        assert (row["n"], row["missing"], row["imputed"]) == (8, 0, 0)
        assert row["reasons"] == {"rows on which the judge abstained": 2}
    with open_store("s.db") as store:
        assert repr(store.run("last")).endswith("8 verdicts, 0 failures, 2 abstentions>")
    write_report("last", output=tmp_path / "run.md", store="s.db", markdown=True)
    assert "| 10, 2 abstained | 0 |" in (tmp_path / "run.md").read_text()


async def test_what_abstained_is_the_first_that_a_person_labels() -> None:
    await held(Cascade(name="mine", stages=STAGES, thresholds=LEAST), items(start=0, size=10))
    with closing(LabelFile("anna.jsonl")) as file:
        labelling = Labelling(label_set("last", store="s.db"), file)
        for place in (1, 2):
            labelling.label(place, {"coherence": "4"})
        assert {row["id"] for row in file.rows} == {"i0", "i5"}


async def test_a_run_that_abstained_throughout_has_nothing_to_compare() -> None:
    await held(Cascade(name="open", stages=STAGES), items(start=0, size=2))
    with pytest.raises(UsageError, match="abstained on every item"):
        agree("last", store="s.db")


async def test_labels_of_what_one_run_left_to_people_calibrate_the_next(tmp_path: Path) -> None:
    """Beside those of the run before, whose texts are in it with all their stages."""
    await held(Cascade(name="open", stages=STAGES), items(start=0, size=40))
    await held(Cascade(name="mine", stages=STAGES, thresholds=LEAST), items(start=0, size=80))
    labels = tmp_path / "labels.jsonl"
    known = [*range(40), *range(40, 80, 5)]
    labels.write_text("".join(f'{{"id": "i{place}", "coherence": 4}}\n' for place in known))
    first, second = (run.id for run in open_store("s.db").runs())
    found = calibrate(first, second, data=labels, store="s.db", risk=0.15, delta=0.2)
    assert [(one.reached, one.n) for one in found.stages] == [(48, 32), (16, 16)]
    assert found.to_dict()["left_out"] == {"texts without a label": 72 - 40}


@pytest.mark.parametrize(
    ("judge", "more", "problem"),
    [
        (Cascade(stages=STAGES, thresholds=LEAST), {}, "5 labelled texts come to the stage 'talk'"),
        (TALK, {}, "no debate of last has stages"),
        (Cascade(stages=STAGES), {"aspects": "fluency"}, "one of coherence"),
        (Cascade(stages=STAGES), {"risk": 0.0}, "between 0 and 1"),
    ],
)
async def test_runs_that_say_nothing_of_thresholds_are_refused(
    judge: Strategy, more: Any, problem: str
) -> None:
    await held(judge, items(start=1, size=6))
    with pytest.raises(UsageError, match=problem):
        calibrate("last", store="s.db", **more)


def test_where_no_stage_can_be_shown_to_keep_to_the_risk_the_table_says_so() -> None:
    found = calibrated([{"solo": StageCase(0.9, True)}] * 20, {"solo": "asked"}, 0.1, 0.1)
    assert [(one.threshold, one.n, one.bound) for one in found] == [(None, 0, None)]
    table = CascadeTable(Cases("coherence", {"solo": "asked"}, (), {}), 0.1, 0.1, tuple(found))
    assert "every text is left to people" in " ".join(str(table).split())


async def test_choices_are_right_where_people_choose_the_same_text(tmp_path: Path) -> None:
    given = [
        Item(
            task="comparison", id=f"q{at}", fields={"question": "Why?", "answer_1": "Rain.", "answer_2": "x"}
        )
        for at in range(2)
    ]
    async with evaluate(given, "cascade", model="offline", store="s.db") as run:
        records = [record async for record in run]
    best = records[0].result().winner
    other = "answer_2" if best == "answer_1" else "answer_1"
    labels = tmp_path / "labels.jsonl"
    labels.write_text(f'{{"id": "q0", "choice": "{best}"}}\n{{"id": "q1", "choice": "{other}"}}\n')
    with read_store("s.db") as reader:
        cases = cases_of(reader, ["last"], None, labels).cases
    assert [case["debate"].right for case in cases] == [True, False]
    labels.write_text('{"id": "q0", "choice": "answer_3"}\n')
    with pytest.raises(DataError, match="'answer_3' is none of the texts"):
        calibrate("last", data=labels, store="s.db")


async def test_a_sweeps_table_counts_abstentions_and_the_vote_of_their_openings_is_had() -> None:
    given = items(start=0, size=2)
    table = await sweep(
        given,
        "cascade",
        vary={"thresholds": [{}]},
        aspects="coherence",
        store="s.db",
        bootstrap=Bootstrap(resamples=0),
    )
    assert (table.table.head[-1], table.table.rows[0][-1]) == ("abstained", 2)
    assert table.differences == []
    openings = next(cell for cell in table.cells if cell.kind == "openings")
    assert (openings.outcomes.by_name, openings.coverages[0].judged) == ({"verdict": 2}, 2)
