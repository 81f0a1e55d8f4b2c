"""Debates that limits made shorter, and those that a budget left out, stand in no published convention."""

import json

import anyio
import pytest

import agentdebate as ad

ITEMS = [
    ad.Item(
        id=f"a{number}/s",
        task="summarization",
        group=f"a{number}",
        system="s",
        fields={"source": "The bridge closes.", "summary": "It closes."},
        human={"coherence": 1 + number},
    )
    for number in range(4)
]


def model(tokens: int) -> ad.Function:
    """Every call takes so many tokens of prompt."""
    said = ad.Completion(
        text="Fine.\n\nCoherence: 4", model="m", usage=ad.Usage(calls=1, prompt_tokens=tokens)
    )
    return ad.Function("m", lambda _: said)


async def held(tokens: int, items: list[ad.Item] = ITEMS) -> str:
    """Hold a run in which a debate may take 9,000 tokens; its name comes back."""
    strategy = ad.strategies.OneByOne(rounds=4)
    limits = ad.DebateLimits(tokens=9_000)
    async with ad.evaluate(
        items, strategy, model=model(tokens), aspects="coherence", store="runs.db", debate_limits=limits
    ) as run:
        assert [record.verdict is not None async for record in run] == [True] * len(items)
    return run.id or ""


async def test_a_run_with_debates_that_were_made_shorter_is_refused_under_a_published_convention() -> None:
    short, whole = await held(2_000), await held(1)
    with pytest.raises(ad.UserError, match=r"limits made 4 debates of OneByOne shorter \(curtailed\)"):
        ad.agree(short, convention="summeval-summary", store="runs.db")
    with ad.open_store("runs.db") as store:
        rows = [record.row() for record in store.run(short).records()]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    await anyio.Path("short.jsonl").write_text(lines, encoding="utf-8")
    with pytest.raises(ad.UserError, match="limits made 4 debates of short shorter"):
        ad.agree(
            data="short.jsonl", scores="short.jsonl", on="id", human="coherence=human.coherence",
            score="coherence=scores.coherence", convention="summeval-summary",
        )  # fmt: skip
    assert ad.agree(short, statistic="spearman", level="pooled", store="runs.db").rows()[0]["n"] == 4
    assert ad.agree(whole, convention="summeval-summary", store="runs.db").rows()
    other = ad.agree(whole, statistic="bias", scale="people=1-10", store="runs.db")
    assert [line.partition(":")[2] for line in other.warnings if "between two scales" in line]
    with pytest.raises(ad.UserError, match="names a field of a file"):
        ad.agree(whole, human="coherence=x", store="runs.db")
    with pytest.raises(ad.UserError, match="Did you mean 'coherence'"):
        ad.agree(whole, aspects="coherency", store="runs.db")


async def test_a_run_that_its_budget_stopped_says_so_and_is_refused_under_a_published_convention() -> None:
    with pytest.raises(ad.errors.BudgetSpent):
        async with ad.evaluate(
            ITEMS, "solo", model=model(2_000), aspects="coherence", store="runs.db", concurrency=1, budget=ad.Budget(tokens=7_000)
        ) as run:  # fmt: skip
            assert [record.verdict is not None async for record in run]
    found = ad.agree("last", statistic="spearman", store="runs.db")
    assert found.rows()[0]["reasons"]["debates that have not ended"] == 1
    assert "it has not ended).\nLeft out, at most: debates that have not ended (1);" in found.caption
    with pytest.raises(ad.UserError, match=r"debates of solo have not ended \(1; go on with the run\)"):
        ad.agree("last", convention="summeval-summary", store="runs.db")


async def test_a_run_whose_items_nobody_scored_is_refused_and_a_file_is_asked_for() -> None:
    run = await held(1, [one.model_copy(update={"human": {}}) for one in ITEMS])
    with pytest.raises(ad.UserError, match=f"people scored no item of run {run}: data='FILE'"):
        ad.agree(run, store="runs.db")
