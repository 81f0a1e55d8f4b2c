"""Any strategy with the scores of assistant evaluators on the table (after Fusion-Eval, Section 2)."""

from collections.abc import Mapping

from agentdebate.errors import StrategyError
from agentdebate.strategies.assistants import WithAssistants
from agentdebate.strategies.base import Cards
from agentdebate.strategies.evidence import Specs
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.wrapper import Wrapper, inside
from agentdebate.talk.messages import Verdict
from agentdebate.tasks import Aspect, Task


class WithEvidence(WithAssistants, Wrapper):
    """Debate in which everyone hears what the evaluators say of the text, and then the debate inside is held."""

    evaluators: Specs = ()
    """Evaluators as they are written: "rouge-l", "nli/PATH:label=entailment". Scores that come with the items are shown
    in any case."""
    cast: Mapping[str, Cards] = {}

    def check(self, task: Task, aspects: tuple[Aspect, ...]) -> None:
        """Raise StrategyError where the texts change places after the evidence was shown."""
        if task.candidates and any(one.sits_again for one in inside(self.around)):
            raise StrategyError(
                f"{self.title}: {self.around.title} shows the texts in several orders, and the evidence names them by their"
                " places: put the evidence inside it"
            )
        super().check(task, aspects)

    async def debate(self, floor: Floor) -> Verdict:
        """Measure, tell everyone, and debate."""
        await floor.publish(await self.measure(floor))
        return await self.around.debate(floor)
