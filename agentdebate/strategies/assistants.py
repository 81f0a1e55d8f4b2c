"""Strategies with assistant evaluators: what they share (Fusion-Eval, Section 2)."""

from abc import ABC
from collections.abc import Iterable, Mapping, Sequence

from agentdebate.errors import StrategyError
from agentdebate.evaluators.registry import evaluators
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.evidence import EvidenceColumn, Specs, gather
from agentdebate.strategies.evidence_check import check_evidence
from agentdebate.strategies.floor import Floor
from agentdebate.talk.messages import Evidence
from agentdebate.tasks import Aspect, Item, Task


class WithAssistants(Strategy, ABC):
    """A strategy that has evaluators score the text. A class of it that goes around another strategy names this one first."""

    evaluators: Specs = ("rouge-1", "rouge-2", "rouge-l", "bleu", "chrf")
    """Evaluators as they are written: "rouge-l", "nli/PATH:label=entailment"."""
    columns: Mapping[str, EvidenceColumn] = {}
    """Columns of scores that come with the items, by name, with what each measures and which score is better:
    `{bleurt = {about = "...", better = "higher", range = "0-1", premise = "source"}}`."""

    async def measure(self, floor: Floor, about: Mapping[str, str] | None = None) -> Evidence:
        """The scores of the evaluators, and those that came with the item; `about` says what an evaluator is."""
        return await gather(
            floor,
            self.evaluators,
            about=about or {},
            columns=self.columns,
            check=self.check_columns,
        )

    def check_columns(self, task: Task, item: Item) -> None:
        """Raise StrategyError where an item has a column of scores that cannot be used."""

    def check_items(self, items: Iterable[tuple[Task, Item]]) -> None:
        """Raise UserError or StrategyError for columns that cannot be used, and where no item has a reference, say."""
        known = list(items)
        check_evidence(known, self.evaluators, self.check_columns)
        super().check_items(known)

    def require(self) -> None:
        """Raise UserError for an evaluator that does not exist or is not installed."""
        super().require()
        evaluators(self.evaluators)


def check_scores(title: str, aspects: Sequence[Aspect]) -> None:
    """Raise StrategyError where places are wanted of a strategy that gives scores."""
    if any(aspect.rank for aspect in aspects):
        raise StrategyError(f"{title} gives scores, and no places: judge another aspect")
