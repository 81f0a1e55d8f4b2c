"""Strategies that go around another strategy: what they all share."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from pydantic import SerializeAsAny

from agentdebate.agents.seat import SeatPlan
from agentdebate.errors import StrategyError
from agentdebate.strategies.base import Cards, Strategy, addresses
from agentdebate.talk.messages import Verdict
from agentdebate.tasks import Aspect, Item, Task

if TYPE_CHECKING:
    from agentdebate.strategies.floor import Floor  # which brings along what holds debates


class Wrapper(Strategy):
    """A strategy with another one inside it. Its cast is everyone inside, and its own roles where it has some.

    Sampling parameters and models that it sets go before those of the strategy inside.
    """

    around: SerializeAsAny[Strategy]
    """The strategy inside."""
    cast: Mapping[str, Cards] = {}

    def seats(self) -> dict[str, tuple[SeatPlan, ...]]:
        """Everyone inside, and the wrapper's own."""
        inner, own = self.around.seats(), super().seats()
        clash = sorted(inner.keys() & own.keys())
        if clash:
            raise StrategyError(
                f"{self.title}: the strategy inside has a role {clash[0]!r} too; rename one of them"
            )
        return {
            **{
                role: tuple(map(partial(self._over, role), seats, addresses(seat.card for seat in seats)))
                for role, seats in inner.items()
            },
            **own,
        }

    def asked(self, aspects: tuple[Aspect, ...]) -> tuple[Aspect, ...]:
        """Return the aspects of the strategy inside."""
        return self.around.asked(aspects)

    def check(self, task: Task, aspects: tuple[Aspect, ...]) -> None:
        """Run the check of the strategy inside."""
        self.around.check(task, aspects)

    def check_files(self, aspects: tuple[Aspect, ...]) -> None:
        """Check the files of the strategy inside."""
        self.around.check_files(aspects)

    def check_items(self, items: Iterable[tuple[Task, Item]]) -> None:
        """Check the items for the strategy inside."""
        self.around.check_items(items)

    def salvage(self, floor: "Floor") -> Verdict:
        """Have the strategy inside salvage a verdict."""
        return self.around.salvage(floor)

    def fenced(self) -> bool:
        """Tell whether neither it nor the strategy inside leaves fences out."""
        return self.fences and self.around.fenced()

    def require(self) -> None:
        """Raise UserError where the strategy inside lacks something that it needs."""
        self.around.require()

    def judges_together(self) -> bool:
        """Tell whether the strategy inside judges all aspects together."""
        return self.around.judges_together()

    def _over(self, role: str, seat: SeatPlan, address: str) -> SeatPlan:
        model = self._model_of(role, seat.card, address) or seat.model
        sampling = seat.sampling.overlaid(self.sampling)
        return seat.model_copy(update={"model": model, "sampling": sampling})


def inside(strategy: Strategy) -> Iterator[Strategy]:
    """The strategy, and those inside it."""
    yield strategy
    around = getattr(strategy, "around", None)
    if isinstance(around, Strategy):
        yield from inside(around)
