"""Panels, annotators' replacement and corrected figures, as `agree` and `dynamics` give them."""

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agentdebate.errors import UsageError
from agentdebate.meta.talks import RoundFields
from agentdebate.models.function import Function
from agentdebate.report.agree import agree
from agentdebate.report.agreement_table import AgreementTable
from agentdebate.report.dynamics import dynamics
from agentdebate.report.run_page import RunPage
from agentdebate.runs.evaluation import evaluate
from agentdebate.store.reader import read_store
from agentdebate.studies.panel_worth import panels_of_agents
from agentdebate.tasks import Item
from agentdebate.viewer.report_file import markdown_of, write_report


@pytest.fixture
def rows() -> list[dict[str, Any]]:
    """Texts with the votes of three people, of which one is known of 40 texts alone, and the choices of two judges."""
    draw = random.Random(1)
    made = []
    for number in range(90):
        good = draw.random() < 0.6
        said = ["good" if good == (draw.random() < 0.85) else "bad" for _ in range(5)]
        people = said[0] if number < 40 else None
        made.append({"id": number, "votes": said[:3], "people": people, "one": said[3], "two": said[4]})
    return made


def written(rows: list[dict[str, Any]], name: str = "data.jsonl") -> str:
    Path(name).write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return name


def asked(rows: list[dict[str, Any]], **options: Any) -> AgreementTable:
    return agree(
        data=written(rows),
        choice="people=one",
        annotators="people=votes",
        statistic="accuracy",
        resamples=0,
        **options,
    )


def test_a_judge_is_tested_in_the_place_of_annotators_and_its_shares_are_corrected(
    rows: list[dict[str, Any]],
) -> None:
    table = asked(rows, alt_test=True, epsilon=0.1, correct=True)
    (tested,) = table.to_dict()["alt_test"]
    assert (tested["epsilon"], tested["q"], [one["n"] for one in tested["annotators"]]) == (
        0.1,
        0.05,
        [90, 90, 90],
    )
    assert [one["of"] for one in table.to_dict()["correction"]] == [
        "share of bad",
        "share of good",
        "bad less good",
    ]
    assert {(one["labels"], one["others"]) for one in table.to_dict()["correction"]} == {(40, 50)}
    assert "Alternative annotator test" in str(table)
    assert "Rogan-Gladen" in str(table)


def test_single_ratings_and_texts_without_people_are_needed(rows: list[dict[str, Any]]) -> None:
    with pytest.raises(UsageError, match="3 annotators or more of 30 texts each"):
        asked([{**row, "votes": row["votes"][:2]} for row in rows], alt_test=True)
    with pytest.raises(UsageError, match=r"correct=\.\.\. takes 2 texts or more"):
        asked(rows[:40], correct=True)


@pytest.mark.parametrize("annotators", ["a,b,a", "a,b,judge"])
def test_an_annotator_is_not_named_twice_and_not_the_judge(annotators: str) -> None:
    made = [{"id": at, "x": at % 5, **dict.fromkeys(("a", "b", "judge"), at % 3)} for at in range(40)]
    options: dict[str, Any] = {"data": written(made), "human": "x=x", "score": "x=judge", "alt_test": True}
    for more in ({}, {"scores": options["data"], "on": "id"}):
        with pytest.raises(UsageError, match=r"annotators=\.\.\.: '(a|judge)' stands for two"):
            agree(annotators=f"x={annotators}", **options, **more)
    assert agree(annotators="x=a,b,x", **options).alt_tests


def test_two_judges_are_a_panel_and_one_is_none(rows: list[dict[str, Any]]) -> None:
    assert "panels" not in asked(rows).to_dict()
    files = {
        name: written([{**row, "said": row[name]} for row in rows], f"{name}.jsonl")
        for name in ("one", "two")
    }
    table = agree(data=written(rows), scores=files, on="id", choice="people=said", resamples=0)
    (panel,) = table.to_dict()["panels"]
    assert (panel["judges"], panel["of"], panel["n"]) == (("one", "two"), "errors", 40)
    assert "The judges as a panel" in str(table)


def test_the_agents_of_debates_are_a_panel_by_their_openings() -> None:
    """Two agents open as one and a third by itself; what they say after they heard each other has no part in it."""
    draw = random.Random(2)
    rounds = []
    for number in range(60):
        people = draw.randint(1, 5)
        first, third = people + draw.choice([-1, 0, 1]), people + draw.choice([-1, 0, 1])
        for agent, score in (("a", first), ("b", first), ("c", third)):
            for turn, said in ((1, score), (2, 3)):
                rounds.append({"id": number, "round": turn, "agent": agent, "value": said, "gold": people})
    found = dynamics(data=written(rounds), rounds=RoundFields(human="gold"))
    (panel,) = found.panels
    assert (panel.judges, panel.n) == (("a", "b", "c"), 60)
    assert panel.value == pytest.approx(1.8, abs=0.25)
    assert found.to_dict()["panels"][0]["adds"] == pytest.approx(panel.adds)


@pytest.mark.parametrize(
    ("strategy", "says"),
    [
        ("jury", "Panel: 3 judges are worth this many that err independently: coherence "),
        ("chateval-simultaneous", "Panel: 3 judges, by their last ballots, are worth this many"),
        ("solo", ""),
    ],
)
async def test_every_page_of_a_run_says_how_many_judges_its_panel_is_worth(strategy: str, says: str) -> None:
    def reply(request: Any) -> str:
        return f"Well.\n\nCoherence: {random.Random(f'{request.context.item} {request.context.agent}').randint(1, 5)}"

    fields = {"source": "A.", "summary": "B."}
    items = [
        Item(
            task="summarization",
            id=f"i{at}",
            group=f"g{at // 2}",
            fields=fields,
            human={"coherence": at % 5 + 1},
        )
        for at in range(30)
    ]
    async with evaluate(
        items, strategy, model=Function("m", reply), aspects="coherence", store="s.db"
    ) as run:
        _ = [record async for record in run]
    with read_store("s.db") as reader:
        page = RunPage.read(reader, reader.run("last"))
    assert page.panels == agree("last", store="s.db").panels == dynamics("last", store="s.db").panels
    lines = [str(one) for one in page.blocks(see="") if str(one).startswith("Panel")]
    report = write_report("last", output="r.html", store="s.db").read_text(encoding="utf-8")
    markdown = markdown_of("last", store="s.db")
    assert len(lines) == bool(says)
    for line in lines:
        assert line.startswith(says)
        assert line in report
        assert line.partition(" [")[0] in markdown
        (panel,) = page.panels
        assert panel.value == pytest.approx(3, abs=1.5)
        assert panel.low is not None


def test_a_reserve_is_not_of_the_panel() -> None:
    """The fourth judge stands in for a lost one in two of forty texts."""
    draw = random.Random(3)
    rounds = [
        {"id": at, "round": 1, "agent": agent, "value": draw.randint(1, 5)}
        for at in range(40)
        for agent in ("a", "b", "reserve" if at < 2 else "c")
    ]
    found = dynamics(data=written(rounds))
    (panel,) = found.panels
    assert (panel.judges, panel.n, panel.of) == (("a", "b", "c"), 38, "votes")
    (of_one_source,) = panels_of_agents([replace(one, source="s") for one in found.talks.talks])
    assert (of_one_source.n, of_one_source.low) == (38, None)
    assert panel.low is not None
