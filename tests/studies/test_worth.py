"""Worth of a run's talk, and the lines that say it."""

from dataclasses import replace
from typing import Any

import pytest

from agentdebate.meta import talks
from agentdebate.meta.talks import first_talks
from agentdebate.models.function import Function
from agentdebate.models.prices import PriceTable
from agentdebate.report.run_page import RunPage
from agentdebate.runs.evaluation import evaluate
from agentdebate.store.reader import read_store
from agentdebate.strategies.load import strategy
from agentdebate.studies.cells import Cost
from agentdebate.studies.worth import Case, Worth, highest_share, worth_lines, worth_of
from agentdebate.tasks import Item
from benchmarks.worth import MOST_WRONG, RUNS, made


def worth(*parts: tuple[int, Case], calls: int = 0) -> Worth:
    """A run with so many of each case, each of a source of its own."""
    cases = [one for count, one in parts for _ in range(count)]
    numbered = (Case(f"s{at}", one.vote, one.verdict, one.people, one.split) for at, one in enumerate(cases))
    debate, vote = (Cost(count, 0, 100 * count, 0, None) for count in (3 * calls, calls))
    return Worth(tuple(numbered), 3.0, debate, vote)


KEPT, UNSCORED = Case("", "a", "a", "a"), Case("", "a", "a")
RIGHTED, WRONGED = Case("", "a", "b", "b", split=True), Case("", "a", "b", "a", split=True)
SPOILT, CHANGED = Case("", "a", "b", "a"), Case("", "a", "b", split=True)


def test_of_a_thousand_made_runs_at_most_fifty_claims_are_wrong_and_none_is_made_over_zero() -> None:
    runs = [made(seed) for seed in range(RUNS)]
    assert sum(truth.wrong(found.claim) for found, truth in runs) <= MOST_WRONG
    for found, _ in runs:
        if found.claim in ("vote", "debate", "some"):
            assert found.difference is not None
            assert not found.difference.low <= 0 <= found.difference.high
    assert {found.claim for found, _ in runs} == {"vote", "same", "debate", "some", "open"}


@pytest.mark.parametrize(
    ("parts", "claim", "says"),
    [
        (((30, KEPT), (12, RIGHTED)), "debate", "Debate here"),
        (((100, KEPT), (20, RIGHTED)), "some", "Debate only the 16.7% whose openings differ"),
        (((30, KEPT), (12, SPOILT)), "vote", "people agree with it more often than with the debate"),
        (((90, KEPT),), "same", "the debate changes at most 4.0% of the verdicts"),
        (((30, KEPT), (6, RIGHTED), (5, WRONGED)), "open", "with vote or debate cannot be told with n = 41"),
        (((90, UNSCORED), (10, CHANGED)), "at most", "Debate at most the 10.0% whose openings differ"),
        (((30, UNSCORED), (10, CHANGED)), "unscored", "people's scores would tell"),
    ],
)
def test_what_follows_is_what_the_cases_allow(parts: Any, claim: str, says: str) -> None:
    lines = worth_lines({"run": worth(*parts)})
    assert (worth(*parts).claim, len(lines) <= 3) == (claim, True)
    assert says in lines[-1]


def test_texts_of_one_source_are_no_more_evidence_than_one() -> None:
    free = Cost(0, 0, 0, 0, None)
    alike = Worth(tuple(Case(f"s{at % 4}", "a", "b", "b") for at in range(40)), 1, free, free)
    assert (alike.claim, alike.lines[-1]) == (
        "open",
        "Whether people agree more often with vote or debate cannot be told with n = 40 of 4 sources.",
    )


@pytest.mark.parametrize(
    ("events", "n", "high"), [(0, 10, 0.3085), (3, 10, 0.6525), (10, 10, 1.0), (7, 60, 0.2257)]
)
def test_the_end_of_an_interval_is_clopper_and_pearsons(events: int, n: int, high: float) -> None:
    assert highest_share(events, n) == pytest.approx(high, abs=1e-4)


def test_several_runs_come_to_three_lines() -> None:
    found = {"a": worth((90, KEPT)), "b": worth((30, KEPT), (12, RIGHTED)), "c": worth((9, KEPT)), "d": None}
    assert [line.rpartition(" ")[2] for line in worth_lines(found)] == ["a.", "b.", "c."]


async def of_run(name: str, **options: Any) -> Worth | None:
    """The worth of a run in which the reviewer follows the others in the second round."""

    def reply(request: Any) -> str:
        context = request.context
        score = 2 if context.agent == "reviewer" and not context.heard else 4
        return f"Well.\n\nCoherence: {score}"

    items = [
        Item(
            task="summarization",
            id=f"i{at}",
            group="g",
            fields={"source": "A.", "summary": "B."},
            human={"coherence": 4},
        )
        for at in range(2)
    ]
    judge = strategy(name, **options)
    async with evaluate(items, judge, model=Function("m", reply), aspects="coherence", store="s.db") as run:
        _ = [record async for record in run]
    with read_store("s.db") as reader:
        head = reader.run("last")
        return worth_of(reader, head, PriceTable(), first_talks(reader, head))


async def test_the_worth_of_a_run_is_read_off_its_transcripts() -> None:
    found = await of_run(
        "chateval-simultaneous", ballots="every", cast={"debaters": ("reviewer", "scientist")}
    )
    assert found is not None
    assert (found.same, found.to_right, found.to_wrong, found.split, found.openings) == (0, 2, 0, 1.0, 2.0)
    assert found.times["calls"] == 2.0
    assert str(found.difference) == "n = 2 of 1 sources"


async def test_of_a_large_run_the_first_debates_are_read_and_its_lines_say_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(talks, "MOST", 1)
    found = await of_run("chateval-simultaneous", ballots="every")
    assert found is not None
    assert len(found.cases) == 1
    assert found.lines[0].startswith("Worth, of the first 1 of 2 debates: the vote")
    with read_store("s.db") as reader:
        page = RunPage.read(reader, reader.run("last"))
    assert any(
        str(one).startswith("Panel, of the first 1 of 2 debates: 3") for one in page.result_blocks(see="")
    )


async def test_a_merge_that_is_not_installed_here_is_why_nothing_is_known() -> None:
    await of_run("chateval-simultaneous", ballots="every")
    with read_store("s.db") as reader:
        head = reader.run("last")
        elsewhere = {**head.configuration, "strategy": {"merge": "theirs"}}
        talk = first_talks(reader, head)
        found = worth_of(reader, replace(head, configuration=elsewhere), PriceTable(), talk)
    assert worth_lines({"run": found})[0].startswith("Worth: not known, since there is no merge 'theirs'")


async def test_a_talk_without_openings_says_why_and_how_to_have_some() -> None:
    assert worth_lines({"run": await of_run("chateval-simultaneous")})[0].endswith(
        "since no ballot was cast before the talk; with ballots=every there are some."
    )


@pytest.mark.parametrize(("name", "options"), [("solo", {}), ("society", {"rounds": 1})])
async def test_where_nobody_can_use_what_is_said_nothing_is_said_of_worth(
    name: str, options: dict[str, int]
) -> None:
    assert await of_run(name, **options) is None
