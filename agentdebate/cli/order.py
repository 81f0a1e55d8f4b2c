"""What is to be judged, by what, and how: the options of a command that holds debates, brought together."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from agentdebate.agenda import Items
from agentdebate.cli.casting import CastOptions
from agentdebate.cli.console import say
from agentdebate.cli.data import DataOptions
from agentdebate.cli.options import DebateOptions, ModelOptions
from agentdebate.cli.preparing import Prepared, prepare
from agentdebate.cli.spending import SpendingOptions
from agentdebate.cli.supply import Supply
from agentdebate.errors import UsageError
from agentdebate.evaluation import Evaluation, evaluate
from agentdebate.forecast import Forecast, forecast
from agentdebate.models.composition import Around
from agentdebate.tasks import Item, Task


@dataclass(frozen=True)
class Order:
    """What is to be judged, by what, and how: everything that a run needs to be taken up again."""

    strategy: str
    data: str
    task: str | None
    aspects: str | None
    concurrency: int
    project: Path | None
    source: DataOptions
    models: ModelOptions
    casting: CastOptions
    debates: DebateOptions
    spending: SpendingOptions = SpendingOptions()

    def described(self) -> dict[str, Any]:
        """The order as JSON, with the folder in which it was given."""
        plain: dict[str, Any] = TypeAdapter(Order).dump_python(self, mode="json")
        return {"folder": str(Path.cwd()), **plain, "models": self.models.described()}

    def prepared(self) -> Prepared:
        """What is looked up and checked. Raises UserError."""
        if self.concurrency < 1:
            raise UsageError("--concurrency is at least 1")
        return prepare(
            self.strategy,
            self.source.task(self.task),
            self.aspects,
            project=self.project,
            models=self.models,
            casting=self.casting,
            debates=self.debates,
        )

    async def supply(self, task: Task) -> Supply:
        """The items. Raises UserError."""
        supply = await self.source.supply(self.data, task)
        for line in self.source.account(supply.taken):
            say(line)
        return supply

    @asynccontextmanager
    async def evaluated(
        self,
        items: Items,
        prepared: Prepared,
        around: Around,
        *,
        store: str,
        configuration: Mapping[str, Any],
        **more: Any,
    ) -> AsyncIterator[Evaluation]:
        """Hold the debates of the order; `more` is what `evaluate` takes beside that. Raises AgentDebateError."""
        async with (
            aclosing(self.models.open(self.concurrency, around)) as model,
            evaluate(
                items,
                prepared.strategy,
                model=model,
                aspects=prepared.aspects,
                together=self.debates.together,
                concurrency=self.concurrency,
                store=store,
                configuration={**configuration, "command": self.described()},
                around=around,
                limits=self.spending.limits(self.project),
                **prepared.how,
                **more,
            ) as evaluation,
        ):
            yield evaluation

    async def foretold(self, items: Sequence[Item], prepared: Prepared, *, of: int | None = None) -> Forecast:
        """What the order will cost at the most; `of` is how many items there are where these are some of them."""
        return await forecast(
            items,
            prepared.strategy,
            prepared.task,
            model=self.models.model,
            aspects=prepared.aspects,
            together=self.debates.together,
            sampling=prepared.how["sampling"],
            form=prepared.how["form"],
            project=prepared.how["project"],
            prices=self.spending.table(self.project),
            of=of,
        )

    @classmethod
    def read(cls, described: Mapping[str, Any]) -> "Order":
        """The order in JSON."""
        return TypeAdapter(cls).validate_python({k: v for k, v in described.items() if k != "folder"})
