"""`calibrate`: thresholds of a cascade from people's labels, and the table that says on what they were found."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agentdebate.report.grid import Block, Columns, Grid, percent
from agentdebate.report.prose import counted
from agentdebate.report.result import Result
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import LAST, read_store
from agentdebate.studies.cascade import Cases, StageThreshold, calibrated, cases_of

_STAGES: Columns = {
    "stage": "stage",
    "confidence": "source",
    "texts": "reached",
    "threshold": lambda one: "none" if one.threshold is None else one.threshold,
    "stand": "n",
    "wrong": "errors",
    "at most": lambda one: "" if one.bound is None else percent(one.bound),
}


@dataclass(frozen=True, repr=False)
class CascadeTable(Result):
    """Thresholds of a cascade, as `calibrate` gives them: print it, or take its `thresholds`."""

    cases: Cases
    """The labelled texts."""
    risk: float
    """Largest share of the verdicts that stand and are not people's."""
    delta: float
    """Probability that the share is larger all the same."""
    stages: tuple[StageThreshold, ...]

    @property
    def title(self) -> str:
        """Title with the aspect that the thresholds are for."""
        return f"thresholds for {self.cases.about}"

    @property
    def thresholds(self) -> dict[str, float]:
        """The thresholds by stage, as the option `thresholds` of a cascade takes them; none of a stage that has none."""
        return {one.stage: one.threshold for one in self.stages if one.threshold is not None}

    def rows(self) -> list[dict[str, Any]]:
        """A record for each stage."""
        return list(map(asdict, self.stages))

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON has it."""
        return {
            "about": self.cases.about,
            "risk": self.risk,
            "delta": self.delta,
            "texts": len(self.cases.cases),
            "left_out": dict(self.cases.left_out),
            "thresholds": self.thresholds,
            "stages": self.rows(),
        }

    def blocks(self) -> Iterator[Block]:
        """The stages, what they come to together, and the option that holds the thresholds."""
        n, stand = len(self.cases.cases), sum(one.n for one in self.stages)
        left = "".join(f"; left out: {why} ({count})" for why, count in self.cases.left_out.items())
        yield Grid.of(self.title.capitalize(), self.stages, _STAGES, numeric=[*_STAGES][2:])
        yield f"{counted(n, 'labelled text')}: {stand} decided, {n - stand} left to people{left}"
        if not self.thresholds:
            yield (
                f"No threshold of any stage can be shown to keep to {percent(self.risk)} wrong: every text is left to people. "
                "More labels, or stages that are right where they are sure, can change that."
            )
            return
        yield (
            f"Of the verdicts that stand at most {percent(self.risk)} are wrong, but for a chance of {percent(self.delta)} that the labels "
            "mislead, which is split over the stages; for texts that are drawn as the labelled ones were, each from a source of its own."
        )
        yield f"thresholds={json.dumps(self.thresholds)}"


def calibrate(
    *runs: str,
    data: str | Path | None = None,
    aspects: str | None = None,
    risk: float = 0.1,
    delta: float = 0.1,
    store: str | Path = USUAL_STORE,
) -> CascadeTable:
    """Find the thresholds of a cascade from people's labels of runs in which no threshold let a verdict stand too early.

    `data` is a file of labels as the labelling page writes it: an id, and a score by the name of the aspect, or a "choice"; of a text
    that is not in it the score of people that came with the item is taken. `aspects` names the one that the thresholds are for, where the runs
    have several. Of the verdicts that stand at most the share `risk` is wrong, but for a chance of `delta`:

        found = ad.report.calibrate("last", data="labels.jsonl", store="runs.db")
        judge = ad.strategy("cascade", thresholds=found.thresholds)

    Raises UserError and StoreError.
    """
    with read_store(store) as reader:
        cases = cases_of(reader, runs or (LAST,), aspects, data)
    return CascadeTable(cases, risk, delta, tuple(calibrated(cases.cases, cases.sources, risk, delta)))
