"""Findings of assistant evaluators, and of scores that came with an item, as agents are told of them (Fusion-Eval, Section 2)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from agentdebate.ballots.lineup import lineup
from agentdebate.evaluators.model_options import ReadRange
from agentdebate.prompts.foreign_text import line
from agentdebate.talk.messages import Evidence, Finding
from agentdebate.tasks import Item, Task


def _as_specs(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Specs = Annotated[tuple[str, ...], BeforeValidator(_as_specs)]
"""Evaluators as they are written, or one of them: "rouge-l", "nli/PATH:label=entailment"."""

OPENING = "Evaluators that take no part in the talk have scored the text:"


class EvidenceColumn(BaseModel):
    """A column of scores that came with the items: a judge cannot tell what a bare number means. An evaluator can be described so, too."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    about: str = Field(min_length=1)
    """Sentence on what it measures."""
    better: Literal["higher", "lower"]
    """Direction of the scale: the higher or the lower score is the better one."""
    range: ReadRange | None = None
    """The scores that there can be: "0-1", "-1..1"."""
    premise: str = ""
    """Text or field that it was compared with, such as "source"."""

    def describe(self, finding: Finding) -> Finding:
        """A score of the column, with what is said of it here."""
        low, high = (self.range.low, self.range.high) if self.range else (finding.low, finding.high)
        premise = self.premise or finding.premise
        return replace(finding, about=self.about, better=self.better, premise=premise, low=low, high=high)


Columns = Mapping[str, EvidenceColumn]
"""Columns of scores by their names."""


def described(finding: Finding, columns: Columns) -> Finding:
    """A finding with what is said of its column or evaluator, in one line each."""
    column = columns.get(finding.evaluator)
    told = column.describe(finding) if column else finding
    return replace(told, evaluator=line(told.evaluator), about=line(told.about))


def given_scores(
    task: Task, item: Item, columns: Columns, order: Sequence[str] | None = None
) -> list[Finding]:
    """The scores that came with an item, with what is said of each column.

    Behind the last dot of a column's name may be the candidate that a score is of. Scores of candidates that are not in `order` [all],
    or that the item does not have, empty columns of a table mostly, are left out.
    """
    shown = [one.field for one in lineup(task, item)] if order is None else order
    found: list[Finding] = []
    for name, score in item.evidence.items():
        head, _, last = name.rpartition(".")
        if last not in task.candidates:
            found.append(Finding(evaluator=name, score=score))
        elif last in shown:
            found.append(Finding(evaluator=head, score=score, candidate=last))
    return [described(one, columns) for one in found]


def evidence(findings: Sequence[Finding], labels: Mapping[str, str], seconds: float) -> Evidence:
    """The findings as agents are shown them; `labels` are those of the texts that are compared, by field."""
    text = "\n".join([OPENING, *(f"- {_line(one, labels)}" for one in findings)])
    return Evidence(findings=tuple(findings), text=text, seconds=seconds)


def _line(finding: Finding, labels: Mapping[str, str]) -> str:
    of = f" of {labels.get(finding.candidate, finding.candidate)}" if finding.candidate else ""
    score = "no score" if finding.score is None else f"{finding.score:.4g}"
    ranged = finding.low is not None and finding.high is not None
    within = f", on a range from {finding.low:g} to {finding.high:g}" if ranged else ""
    beside = f"compared with the {finding.premise}" if finding.premise else ""
    better = f"{finding.better} is better" if finding.better else ""
    parts = [f"{finding.evaluator}{of}: {score}{within}", beside, better, finding.about]
    return "; ".join(part for part in parts if part)
