"""What the panel does when its readers agree, and when they do not. Run it with pytest."""

import asyncio
from pathlib import Path

import agentdebate as ad

PROJECT = ad.Project(Path(__file__).parent)
ITEM = ad.Item(
    task="headline",
    fields={"article": "The bridge opens on Monday.", "headline": "Bridge opens Monday"},
)


def judged(scores: dict[str, list[int]]) -> ad.Verdict:
    """The panel's verdict where the readers give these scores, one after the other."""
    replies = {who: [f"So I see it.\n\nClarity: {score}" for score in given] for who, given in scores.items()}
    model = ad.Scripted(replies)
    return asyncio.run(ad.debate(ITEM, "headline-panel", model=model, aspects="clarity", project=PROJECT))


def test_readers_who_agree_are_asked_once() -> None:
    verdict = judged({"hurried-reader": [4], "scorer": [4]})
    assert (verdict.score, verdict.rounds) == (4, 1)


def test_readers_who_differ_hear_each_other_and_score_again() -> None:
    verdict = judged({"hurried-reader": [2, 4], "scorer": [4, 4]})
    assert (verdict.score, verdict.rounds) == (4, 2)
