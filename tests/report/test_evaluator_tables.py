"""A judge beside the evaluators of its run: each against people, and each against the judge (Fusion-Eval, tables 2 and 5)."""

from typing import Any

import pytest
from scipy import stats  # type: ignore[import-untyped]  # it has no types of its own

import agentdebate as ad
from agentdebate.errors import UsageError

SOURCE = "Engineers found corrosion in two bearings of the bridge, so it closes for eleven weeks."
SUMMARIES = (
    "The bridge closes for eleven weeks.",
    "Two bearings of the bridge are corroded, so it closes.",
    "Engineers.",
    "Corrosion bridge corrosion bridge weeks.",
    "It closes since engineers found corrosion in two bearings.",
    "A ferry sinks.",
)
ITEMS = [
    ad.Item(
        id=f"i{number}",
        task="summarization",
        fields={"source": SOURCE, "summary": summary, "reference": "The bridge closes for corrosion."},
        human={"coherence": score},
    )
    for number, (summary, score) in enumerate(zip(SUMMARIES, (4, 5, 2, 1, 4.5, 1.5), strict=True))
]


async def held() -> dict[str, float]:
    """The verdicts on coherence of a run with two evaluators, in the store s.db."""
    strategy = ad.strategy("fusion", plan="none", evaluators=["rouge-l", "chrf"])
    async with ad.evaluate(ITEMS, strategy, aspects="coherence,fluency", store="s.db") as records:
        return {record.item.id or "": record.scores["coherence"] async for record in records}


@pytest.mark.parametrize(
    ("statistic", "theirs"),
    [("spearman", stats.spearmanr), ("kendall-b", stats.kendalltau), ("pearson", stats.pearsonr)],
)
async def test_each_figure_is_that_of_the_scores_in_the_transcripts(statistic: str, theirs: Any) -> None:
    verdicts = await held()
    table = ad.agree("last", store="s.db", against="evaluators", statistic=statistic, resamples=0).to_dict()
    shares = {(one["id"], one["aspect"]): one for one in ad.aggregate("last", store="s.db").rows()}
    columns = {
        name: [shares[item.id, "coherence"]["shares"][name] for item in ITEMS] for name in ("rouge-l", "chrf")
    }
    columns["fusion"] = [verdicts[item.id or ""] for item in ITEMS]
    people = [item.human["coherence"] for item in ITEMS]
    for row in table["rows"]:
        assert row["value"] == pytest.approx(theirs(people, columns[row["judge"]]).statistic)
    assert [row["judge"] for row in table["rows"]] == ["fusion", "rouge-l", "chrf"]
    of_coherence = [row for row in table["evaluators"] if row["aspect"] == "coherence"]
    for row in of_coherence:
        assert row["value"] == pytest.approx(theirs(columns["fusion"], columns[row["judge"]]).statistic)
    assert [row["judge"] for row in of_coherence] == ["rouge-l", "chrf"]


async def test_aspects_that_people_did_not_score_are_in_the_judges_table_alone() -> None:
    await held()
    table = ad.agree("last", store="s.db", against="evaluators", aspects="fluency", statistic="spearman")
    assert (table.rows(), table.empty) == ([], False)
    assert "The judge and its evaluators: Spearman's rho, pooled (n=6)" in str(table)


async def test_other_judges_and_runs_without_evaluators_are_refused() -> None:
    await held()
    for runs, against in ((("last", "b=last"), "evaluators"), (("last",), "people's")):
        with pytest.raises(UsageError, match="takes one run that scores texts"):
            ad.agree(*runs, store="s.db", against=against)
    async with ad.evaluate(ITEMS[:1], "solo", aspects="coherence", store="s.db") as records:
        _ = [record async for record in records]
    with pytest.raises(UsageError, match="has evaluators' scores"):
        ad.agree("last", store="s.db", against="evaluators")


async def test_frames_have_the_judges_table_too_and_errors_between_scales_are_refused() -> None:
    await held()
    table = ad.agree(
        "last", store="s.db", against="evaluators", aspects="coherence", statistic="spearman", resamples=0
    )
    own = table.to_dict()["evaluators"]
    assert {f"{one['judge']} against fusion": one["value"] for one in own}.items() <= {
        row["judge"]: row["value"] for row in table.to_table().rows()
    }.items()
    assert "chrf against fusion" in table.to_csv()
    for more in ({"statistic": "bias"}, {"calibration": True}):
        with pytest.raises(UsageError, match="scales of their own"):
            ad.agree("last", store="s.db", against="evaluators", **more)
