"""Any strategy with the scores of assistant evaluators on the table (after Fusion-Eval, Section 2)."""

from collections.abc import Iterable, Mapping

from agentdebate.errors import StrategyError
from agentdebate.evaluators.registry import evaluators
from agentdebate.strategies.base import Cards
from agentdebate.strategies.evidence import Specs, gather
from agentdebate.strategies.evidence_check import check_evidence
from agentdebate.strategies.evidence_column import EvidenceColumn
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.wrapper import Wrapper
from agentdebate.talk.messages import Verdict
from agentdebate.tasks import Aspect, Item, Task


class WithEvidence(Wrapper):
    """Everyone hears what the evaluators say of the text, and then the debate inside is held."""

    evaluators: Specs = ()
    """Evaluators as they are written: "rouge-l", "nli/PATH:label=entailment". Scores that come with the items are shown
    in any case."""
    columns: Mapping[str, EvidenceColumn] = {}
    """What the columns of scores that come with the items are, by their names, as for `fusion`."""
    cast: Mapping[str, Cards] = {}

    def require(self) -> None:
        """Raise UserError for an evaluator that does not exist or is not installed."""
        super().require()
        evaluators(self.evaluators)

    def check(self, task: Task, aspects: tuple[Aspect, ...]) -> None:
        """Raise StrategyError where the texts change places after the evidence was shown."""
        if task.candidates and self.around.sits_again():
            raise StrategyError(
                f"{self.title}: {self.around.title} shows the texts in several orders, and the evidence names them by their"
                " places: put the evidence inside it"
            )
        super().check(task, aspects)

    def check_items(self, items: Iterable[tuple[Task, Item]]) -> None:
        """Raise UserError or StrategyError for a column with an evaluator's name, where no item has a reference, and as the strategy inside does."""
        known = list(items)
        check_evidence(known, self.evaluators)
        super().check_items(known)

    async def debate(self, floor: Floor) -> Verdict:
        """Measure, tell everyone, and debate."""
        await floor.publish(await gather(floor, self.evaluators, columns=self.columns))
        return await self.around.debate(floor)
