"""A debate that benchmarks hold: an item, and a scorer and a critic who use all rounds."""

import agentdebate as ad

ARTICLE = "The council of Kelby voted on Tuesday to repair the swing bridge over the harbour. " * 20
ITEM = ad.Item(
    task="summarization",
    id="one",
    fields={"source": ARTICLE, "summary": "The bridge will be repaired, says Kelby."},
)


def answer(request: ad.ModelRequest) -> str:
    """A scorer that keeps its score and a critic that keeps objecting, so that all rounds are used."""
    assert request.context is not None
    if request.context.reply == "critique":
        return "The score is too high, since the summary leaves out when the vote was held and what it will cost."
    return (
        "The summary names the main point and is short; it leaves out the date and the cost.\n\nCoherence: 4"
    )
