"""Completions of a debate that was cut short, given again when it is held once more: what was paid for is not paid twice."""

from collections import Counter, deque
from collections.abc import Iterable

from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.wrapper import WrapperModel


class Earlier:
    """The completions of one debate that are on disk, by agent and digest of the request, in the order of the calls.

    `common` holds those that serve any debate, since the agent had not been shown an item.
    """

    def __init__(self, calls: Iterable[tuple[str, str, Completion]], common: "Earlier | None" = None) -> None:
        self._common = common
        self._left: dict[tuple[str, str], deque[Completion]] = {}
        self._given = Counter[tuple[str, str]]()
        for agent, key, completion in calls:
            self._left.setdefault((agent, key), deque()).append(completion)

    def __repr__(self) -> str:
        return f"<Earlier: {sum(map(len, self._left.values()))} completions left>"

    def take(self, agent: str, key: str) -> Completion | None:
        """The next completion of a request, if there is one."""
        left = self._left.get((agent, key))
        if left:
            found: Completion | None = left.popleft()
        else:
            found = self._common.take(agent, key) if self._common else None
        self._given[agent, key] += found is not None
        return found

    def gave(self, agent: str, key: str) -> bool:
        """Tell whether the agent's answer to this request came from here, and so is on disk. Each answer is to be asked about once."""
        given = self._given[agent, key] > 0
        self._given[agent, key] -= given
        return given


class Resumed(WrapperModel):
    """A model that first gives what an agent got earlier, and asks the model in it for the rest."""

    def __init__(self, model: Model, agent: str, earlier: Earlier) -> None:
        super().__init__(model)
        self._agent, self._earlier = agent, earlier

    def __repr__(self) -> str:
        return f"<Resumed {self._agent!r}: {self._earlier!r}, {self.model!r}>"

    async def complete(self, request: ModelRequest) -> Completion:
        """Take the completion on disk, or the answer of the model in it."""
        return self._earlier.take(self._agent, request.key()) or await self.model.complete(request)
