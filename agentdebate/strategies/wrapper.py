"""Strategies that go around another strategy: what they all share."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from pydantic import SerializeAsAny

from agentdebate.agents.seat import SeatPlan
from agentdebate.errors import StrategyError
from agentdebate.strategies.base import Cards, Strategy, addresses
from agentdebate.talk.messages import Verdict
from agentdebate.tasks import Aspect, Item, Task

if TYPE_CHECKING:
    from agentdebate.strategies.floor import Floor  # which brings along what holds debates


class Composite(Strategy):
    """A strategy with others inside it. Its cast is everyone inside, and its own roles where it has some.

    Sampling parameters and models that it sets go before those of the strategies inside.
    """

    cast: Mapping[str, Cards] = {}

    @property
    @abstractmethod
    def parts(self) -> Mapping[str, Strategy]:
        """The strategies inside, by the name that their roles begin with: "solo" of "solo.scorer"; empty where roles stay as they are."""

    def seats(self) -> dict[str, tuple[SeatPlan, ...]]:
        """Roles inside, and its own."""
        inner = {
            f"{name}.{role}" if name else role: (name, seats)
            for name, one in self.parts.items()
            for role, seats in one.seats().items()
        }
        own = super().seats()
        clash = sorted(inner.keys() & own.keys())
        if clash:
            raise StrategyError(
                f"{self.title}: the strategy inside has a role {clash[0]!r} too; rename one of them"
            )
        return {
            **{
                role: tuple(
                    self._over(name, role, seat, address)
                    for seat, address in zip(seats, addresses(seat.card for seat in seats), strict=True)
                )
                for role, (name, seats) in inner.items()
            },
            **own,
        }

    def speakers(self) -> frozenset[str]:
        """Add the names of the strategies inside, each of which stands for all its agents."""
        return super().speakers() | (self.parts.keys() - {""})

    def check_files(self, aspects: tuple[Aspect, ...]) -> None:
        """Check the files of the strategies inside."""
        for one in self.parts.values():
            one.check_files(aspects)

    def check_items(self, items: Iterable[tuple[Task, Item]]) -> None:
        """Check the items for the strategies inside."""
        known = list(items) if len(self.parts) > 1 else items
        for one in self.parts.values():
            one.check_items(known)

    def fenced(self) -> bool:
        """Tell whether neither it nor a strategy inside leaves fences out."""
        return self.fences and all(one.fenced() for one in self.parts.values())

    def require(self) -> None:
        """Raise UserError where a strategy inside lacks something that it needs."""
        for one in self.parts.values():
            one.require()

    def judges_together(self) -> bool:
        """Tell whether the strategies inside judge all aspects together."""
        return all(one.judges_together() for one in self.parts.values())

    def _over(self, part: str, role: str, seat: SeatPlan, address: str) -> SeatPlan:
        model = self._model_of(role, seat.card, address) or self.models.get(part) or seat.model
        sampling = seat.sampling.overlaid(self.sampling)
        return seat.model_copy(update={"model": model, "sampling": sampling})


class Wrapper(Composite):
    """A strategy that goes around another one."""

    around: SerializeAsAny[Strategy]
    """The strategy inside."""

    @property
    def parts(self) -> Mapping[str, Strategy]:
        """The strategy inside."""
        return {"": self.around}

    def asked(self, aspects: tuple[Aspect, ...]) -> tuple[Aspect, ...]:
        """Return the aspects of the strategy inside."""
        return self.around.asked(aspects)

    def check(self, task: Task, aspects: tuple[Aspect, ...]) -> None:
        """Run the check of the strategy inside."""
        self.around.check(task, aspects)

    def salvage(self, floor: "Floor") -> Verdict:
        """Have the strategy inside salvage a verdict."""
        return self.around.salvage(floor)


def inside(strategy: Strategy, role: str | None = None) -> Iterator[Strategy]:
    """Give the strategy and those inside it: all, or those that have to do with a role as the outermost calls it."""
    return (one for one, _ in seating(strategy, role))


def seating(strategy: Strategy, role: str | None) -> Iterator[tuple[Strategy, str]]:
    """The strategies that have to do with a role, the outermost first, each with what it calls the role; all of them for None."""
    yield strategy, role or ""
    for name, one in strategy.parts.items() if isinstance(strategy, Composite) else ():
        own = role and role.removeprefix(f"{name}.") if name else role
        if not name or role is None or own != role:
            yield from seating(one, own)
