"""Thresholds of cascades: how often they break their promise, what they save, and what becomes of texts that are left to people."""

import shlex
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agentdebate import agree, open_store, sweep, write_report
from agentdebate.agents.debate_settings import DebateLimits
from agentdebate.agents.seat import Card
from agentdebate.cli.app import run as command
from agentdebate.debates.outcome import ABSTAINED
from agentdebate.debates.record import Record
from agentdebate.errors import DataError, UsageError, UserError
from agentdebate.meta.figure import Bootstrap
from agentdebate.meta.selective import StageCase
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.function import Function
from agentdebate.report.cascade import CascadeTable, calibrate
from agentdebate.report.plot import plot
from agentdebate.report.run_page import RunPage
from agentdebate.report.terminal import printed
from agentdebate.runs.evaluation import evaluate
from agentdebate.store.reader import read_store
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.cascade import Cascade, Stage
from agentdebate.strategies.simultaneous_talk import SimultaneousTalk
from agentdebate.strategies.solo import Solo
from agentdebate.studies.cascade import Case, Cases, calibrated, cases_of
from agentdebate.talk.messages import stands
from agentdebate.tasks import Item
from agentdebate.usage import Usage
from agentdebate.viewer.label_file import LabelFile
from agentdebate.viewer.label_session import LabelSession
from agentdebate.viewer.label_set import label_set

RISK, DELTA = 0.1, 0.1
SOURCES = {"solo": "asked", "jury": "votes", "debate": "asked"}
Population = tuple[Any, Any]
"""How sure each stage is of each text, and whether it is right, by texts and stages; NaN where it is unknown, or no verdict."""


def smooth(size: int, generator: Any) -> Population:
    """Hard texts are hard for every stage; later stages are right more often, and all are surer where they are right more often."""
    ease = generator.beta(2, 1, (size, 1)) + np.array([0.0, 0.1, 0.2])
    sure = np.round(np.clip(ease + generator.normal(0, 0.15, ease.shape), 0, 1), 2)
    return sure, (generator.random((size, 1)) < np.clip(ease, 0, 0.98)).astype(float)


def on_the_edge(size: int, generator: Any) -> Population:
    """At every confidence a little more is wrong than may be: whatever stands breaks the promise."""
    sure = np.round(generator.random((size, 3)), 1)
    return sure, (generator.random((size, 3)) >= RISK + 0.002).astype(float)


def patchy(size: int, generator: Any) -> Population:
    """Who says how sure it is, in words of yes and no, is right; who does not is mostly wrong; a tenth of the stages fail."""
    sure = generator.choice([0, 1, np.nan], (size, 3))
    right = (generator.random((size, 3)) < np.where(np.isnan(sure), 0.4, 0.98)).astype(float)
    failed = generator.random((size, 3)) < 0.1
    return np.where(failed, np.nan, sure), np.where(failed, np.nan, right)


def known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def cases(sure: Any, right: Any) -> list[Case]:
    return [
        {
            name: StageCase(known(c), None if known(r) is None else bool(r))
            for name, c, r in zip(SOURCES, some, others, strict=True)
        }
        for some, others in zip(sure, right, strict=True)
    ]


@pytest.mark.parametrize("population", [smooth, on_the_edge, patchy])
def test_in_1000_calibrations_the_risk_is_exceeded_no_oftener_than_delta_says(population: Any) -> None:
    generator = np.random.default_rng(0)
    sure, right = population(20_000, generator)
    values, place = np.unique(sure, return_inverse=True)
    broken = stood = 0
    for _ in range(1000):
        fitted = calibrated(cases(*population(200, generator)), SOURCES, RISK, DELTA)
        told = np.array([[stands(known(value), one.threshold) for one in fitted] for value in values])
        held = told[place.reshape(sure.shape), [0, 1, 2]] & ~np.isnan(right)
        texts, first = held.any(axis=1), held.argmax(axis=1)
        stood += bool(texts.any())
        broken += bool(texts.any()) and 1 - right[np.arange(len(sure)), first][texts].mean() > RISK
    assert broken / 1000 <= DELTA + 3 * (DELTA * (1 - DELTA) / 1000) ** 0.5
    assert stood > (0 if population is on_the_edge else 500)


JUDGE = Card(name="judge", title="Judge", persona="You judge.")
PANEL = tuple(Card(name=name, title=name, persona="You talk.") for name in ("ann", "ben", "cat"))
TALK = SimultaneousTalk(name="talk", cast={"debaters": PANEL}, rounds=3)
STAGES = (
    Stage(strategy=Solo(name="solo", cast={"scorer": (JUDGE,)}, confidence="asked"), confidence="asked"),
    Stage(strategy=TALK, confidence="votes"),
)


def items(*, start: int, size: int, hard: Sequence[str] = ("hard",)) -> list[Item]:
    """Texts of which every fifth is hard, in these ways in turn. People say 4 of all."""
    fields = [
        {"source": "A.", "summary": "easy" if place % 5 else hard[place // 5 % len(hard)]}
        for place in range(start, start + size)
    ]
    return [
        Item(task="summarization", id=f"i{start + place}", fields=one, human={"coherence": 4})
        for place, one in enumerate(fields)
    ]


WAYS = ("hard", "silent", "garbled")
ALONE = {
    "easy": "Coherence: 4\nConfidence: 90%",
    "hard": "Coherence: 1\nConfidence: 40%",
    "silent": "Coherence: 1",
    "garbled": "Who knows.",
    "shy": "Coherence: 4\nConfidence: 0%",
}
"""Replies of a judge who is wrong about hard texts, and less sure of them, does not say how sure, or says nothing that can be read."""


async def held(judge: Strategy, given: Sequence[Item], tokens: int | None = None) -> list[Record]:
    """The debates of these items, in which those who talk are right about all."""

    def reply(request: ModelRequest) -> Completion:
        assert request.context
        alone = request.context.agent.endswith("scorer")
        text = ALONE[request.context.item.fields["summary"]] if alone else "Coherence: 4"
        return Completion(text=text, model="m", usage=Usage(calls=1, prompt_tokens=10, completion_tokens=10))

    async with evaluate(
        given,
        judge,
        model=Function("m", reply),
        aspects="coherence",
        store="s.db",
        patience=1,
        debate_limits=DebateLimits(tokens=tokens),
    ) as run:
        return [record async for record in run]


def right(records: Sequence[Record]) -> float:
    return sum(record.scores == {"coherence": 4} for record in records) / len(records)


async def test_a_calibrated_cascade_agrees_as_the_debate_alone_does_at_two_fifths_of_its_calls() -> None:
    open_ended = await held(Cascade(name="open", stages=STAGES), items(start=0, size=120, hard=WAYS))
    assert {record.outcome for record in open_ended} == {ABSTAINED}
    found = calibrate("last", store="s.db", risk=0.1, delta=0.2)
    assert [(one.reached, one.n, one.errors) for one in found.stages] == [(120, 96, 0), (24, 24, 0)]
    new = items(start=120, size=45, hard=WAYS)
    tried = await held(Cascade(name="mine", stages=STAGES, thresholds=found.thresholds), new)
    always = await held(TALK, new)
    assert right(tried) == right(always) == 1
    assert sum(record.usage.calls for record in tried) <= 0.4 * sum(record.usage.calls for record in always)


@pytest.mark.parametrize(
    ("hard", "least", "counted"),
    [
        (("hard",), 0.9, (64, 0)),
        (("shy", "shy", "garbled", "shy", "silent"), 0.0, (77, 3)),
        (("shy", "silent", "silent", "garbled"), 0.9, (64, 0)),
    ],
)
async def test_with_its_thresholds_a_cascade_lets_stand_what_calibration_counted_and_nothing_else(
    hard: Sequence[str], least: float, counted: tuple[int, int]
) -> None:
    given = items(start=0, size=80, hard=hard)
    await held(Cascade(name="open", stages=STAGES), given)
    found = calibrate("last", store="s.db", risk=0.15, delta=0.2)
    assert (found.thresholds["solo"], found.stages[0].n, found.stages[0].errors) == (least, *counted)
    used = await held(Cascade(name="mine", stages=STAGES, thresholds=found.thresholds), given)
    for stage in found.stages:
        stood = [
            one.scores["coherence"]
            for one in used
            if one.verdict and one.verdict.ended.startswith(stage.stage)
        ]
        assert (stage.n, stage.errors) == (len(stood), sum(score != 4 for score in stood))


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
    with read_store("s.db") as reader:
        lines = list(map(str, RunPage.read(reader, reader.run("last")).result_blocks(see="")))
    assert any("gives the same verdict in 8 of 8, and 2 abstained" in line for line in lines)
    assert any(line.startswith("Panel of the stage talk: 3 judges") for line in lines)
    write_report("last", output=tmp_path / "run.md", store="s.db", markdown=True)
    assert "| 10, 2 abstained | 0 |" in (tmp_path / "run.md").read_text()


async def test_a_run_that_abstained_throughout_says_so_on_every_page() -> None:
    await held(Cascade(name="open", stages=STAGES), items(start=0, size=2))
    for ask in (agree, partial(plot, "rounds"), partial(plot, "cost")):
        with pytest.raises(UsageError, match="the run abstained on every item"):
            ask("last", store="s.db")
    with read_store("s.db") as reader:
        page = RunPage.read(reader, reader.run("last"))
    told = printed(page.blocks(see=""), 200)
    assert "Worth: not known, since the run abstained on every item" in told
    assert "not settled" not in told
    assert not page.lacking
    report = write_report("last", output="r.html", store="s.db").read_text(encoding="utf-8")
    assert report.count("the run abstained on every item") == 2
    assert "2 debates abstained, and in no figure" in report


async def test_what_one_run_left_to_people_they_label_first_and_it_calibrates_the_next(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Beside the run before, whose labels came with its texts."""
    await held(Cascade(name="open", stages=STAGES), items(start=0, size=40))
    new = [one.model_copy(update={"human": {}}) for one in items(start=40, size=40)]
    await held(Cascade(name="mine", stages=STAGES, thresholds=LEAST), new)
    first, second = (run.id for run in open_store("s.db").runs())
    with pytest.raises(UsageError, match=f"view {second} with label=..."):
        calibrate(second, store="s.db")
    with closing(LabelFile("anna.jsonl")) as file:
        labelling = LabelSession(label_set("last", store="s.db"), file)
        for place in range(1, 9):
            assert not labelling.commands
            labelling.label(place, {"coherence": "4"})
        (told,) = labelling.commands.values()
    assert told == f"agentdebate calibrate {second} --store s.db --data anna.jsonl"
    assert command(shlex.split(told)[1:]) == 0
    assert (
        "8 labelled texts: 0 decided, 8 left to people; left out: texts without a label (32)"
        in capsys.readouterr().out
    )
    found = calibrate(first, second, data="anna.jsonl", store="s.db", risk=0.15, delta=0.2)
    assert [(one.reached, one.n) for one in found.stages] == [(48, 32), (16, 16)]
    (tmp_path / "other.jsonl").write_text(
        '{"id": "nobody", "coherence": 4}\n{"id": "i1", "coherence": null}\n'
    )
    other = calibrate(first, data=tmp_path / "other.jsonl", store="s.db", risk=0.15, delta=0.2)
    assert other.cases.left_out == {"labels of texts that are not in the runs": 1}


async def test_where_texts_that_stood_have_scores_the_first_run_is_calibrated_with_the_labels() -> None:
    await held(Cascade(name="open", stages=STAGES), items(start=0, size=40))
    await held(Cascade(name="mine", stages=STAGES, thresholds=LEAST), items(start=40, size=10))
    first, second = (run.id for run in open_store("s.db").runs())
    with closing(LabelFile("anna.jsonl")) as file:
        labelling = LabelSession(label_set("last", store="s.db"), file)
        for place in (1, 2):
            labelling.label(place, {"coherence": "4"})
        (told,) = labelling.commands.values()
    assert told == f"agentdebate calibrate FIRST {second} --store s.db --data anna.jsonl"
    assert command(shlex.split(told.replace("FIRST ", ""))[1:]) == 2
    assert command(shlex.split(told.replace("FIRST", first))[1:]) == 0


@pytest.mark.parametrize(
    ("judge", "more", "problem"),
    [
        (Cascade(stages=STAGES, thresholds=LEAST), {}, "5 labelled texts come to the stage 'talk'"),
        (TALK, {}, "no debate of last has stages"),
        (Cascade(stages=STAGES), {"aspects": "fluency"}, "one of coherence"),
        (Cascade(stages=STAGES), {"risk": 0.0}, "risk is between 0 and 1, not 0"),
        (Cascade(stages=STAGES), {"delta": 1.0}, "delta is between 0 and 1, not 1"),
        (Cascade(stages=STAGES), {"data": "twice.jsonl"}, "'i1' has a label on line 1 already"),
        (
            Cascade(stages=STAGES),
            {"data": "off.jsonl"},
            "line 1.*coherence.*9 is not on the scale from 1 to 5",
        ),
    ],
)
async def test_runs_that_say_nothing_of_thresholds_are_refused(
    judge: Strategy, more: Any, problem: str, tmp_path: Path
) -> None:
    await held(judge, items(start=1, size=6))
    (tmp_path / "twice.jsonl").write_text('{"id": "i1", "coherence": 2}\n{"id": "i1", "coherence": 5}\n')
    (tmp_path / "off.jsonl").write_text('{"id": "i1", "coherence": 9}\n')
    with pytest.raises(UserError, match=problem):
        calibrate("last", store="s.db", **more)


async def test_a_stage_that_a_limit_left_out_came_to_no_verdict() -> None:
    for start, tokens in ((0, 30), (40, None)):
        await held(Cascade(stages=STAGES), items(start=start, size=40), tokens)
    found = calibrate(*(run.id for run in open_store("s.db").runs()), store="s.db", risk=0.2, delta=0.4)
    assert [(one.reached, one.n) for one in found.stages] == [(80, 64), (16, 8)]


async def test_runs_of_other_stages_are_not_calibrated_together() -> None:
    for stages in (STAGES, STAGES[:1]):
        await held(Cascade(stages=stages), items(start=1, size=2))
    first, second = (run.id for run in open_store("s.db").runs())
    with pytest.raises(UsageError, match=f"the stages or models of {second} are not those of {first}"):
        calibrate(first, second, store="s.db")


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
    assert table.differences == []
