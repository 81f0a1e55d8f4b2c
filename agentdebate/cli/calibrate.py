"""agentdebate calibrate: thresholds of a cascade from people's labels."""

from agentdebate.cli.console.output import out_json, show
from agentdebate.cli.options.common import STORE, Json, StorePath
from agentdebate.report.cascade import calibrate as calibrated


def calibrate(
    *runs: str,
    data: str | None = None,
    aspects: str | None = None,
    risk: float = 0.1,
    delta: float = 0.1,
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """Find how sure each stage of a cascade has to be, from people's labels of its debates.

    Example: agentdebate calibrate last --data labels.jsonl --risk 0.1

    Parameters
    ----------
    runs
        Runs of a cascade, held without thresholds, or with those that left the labelled texts to people [last].
    data
        A file of labels, as view --label writes it [people's scores that came with the items, as of texts that are not in it].
    aspects
        The aspect that the thresholds are for, where the runs have several.
    risk
        Largest share of the verdicts that stand and are not people's.
    delta
        Probability, over sets of labels, that the share is larger all the same.

    """
    found = calibrated(*runs, data=data, aspects=aspects, risk=risk, delta=delta, store=store)
    if as_json:
        out_json(found.to_dict())
    else:
        show(found.blocks())
    return 0
