"""The options of a command that holds debates: what `run` and `sweep` take alike."""

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.options.cast import CastOptions
from agentdebate.cli.options.common import AllowCode, Allowed, DebateOptions, ModelOptions, ProjectPath
from agentdebate.cli.options.data import DataOptions
from agentdebate.cli.options.order import Order
from agentdebate.cli.options.spending import SpendingOptions
from agentdebate.project.trust import Trust


@Parameter(name="*")
@dataclass(frozen=True)
class OrderOptions:
    """What is judged, by what, and how, besides the strategy and the data."""

    task: Annotated[
        str | None,
        Parameter(help='The kind of item; "agentdebate list tasks" shows them. Not needed with --as.'),
    ] = None
    aspects: Annotated[str | None, Parameter(help="Aspects with commas between them [the usual ones].")] = (
        None
    )
    concurrency: Annotated[int, Parameter(name=["--concurrency", "-c"], help="Debates held at once.")] = 64
    project: ProjectPath = None
    allow_endpoint: Allowed = ()
    allow_code: AllowCode = False
    source: DataOptions = DataOptions()
    models: ModelOptions = ModelOptions()
    casting: CastOptions = CastOptions()
    debates: DebateOptions = DebateOptions()
    spending: SpendingOptions = SpendingOptions()

    def order(self, strategy: str, data: str, *, dry: bool = False) -> Order:
        """The order for a strategy and a file of items, by the user, who may only want to look at it."""
        return Order(
            strategy,
            data,
            self.task,
            self.aspects,
            self.concurrency,
            self.project,
            self.source,
            self.models,
            self.casting,
            self.debates,
            self.spending,
            Trust.allowing(self.allow_endpoint, code=self.allow_code),
            dry=dry,
        )
