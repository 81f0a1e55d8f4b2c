"""Completions recorded earlier, given again to the same requests."""

from collections.abc import Iterable

from agentdebate.errors import RequestRefused
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.checked import check_completion
from agentdebate.models.wrapper import StandIn, Wrapper


class Replay(StandIn):
    """A model that knows the completions of earlier requests by `ModelRequest.key()`.

    A request that was made k times has k recordings; they are given in the order in which they were made.
    """

    def __init__(
        self, recordings: Iterable[tuple[str, Completion]], *, name: str = "replay", structured: bool = False
    ) -> None:
        super().__init__(name, structured=structured)
        self._recordings: dict[str, list[Completion]] = {}
        for key, completion in recordings:
            self._recordings.setdefault(key, []).append(completion)
        self._given: dict[str, int] = {}

    def __repr__(self) -> str:
        return f"<Replay {self._name}: {self.remaining} recordings left>"

    @property
    def remaining(self) -> int:
        """How many recordings have not been given yet."""
        return sum(map(len, self._recordings.values())) - sum(self._given.values())

    async def complete(self, request: ModelRequest) -> Completion:
        """Give the request's next recording.

        Raises RequestRefused where there is none: for several samples, say, that the endpoint refused in its time too. Raises WrongValue
        where a recording has an odd field.
        """
        key = request.key()
        made, given = self._recordings.get(key, []), self._given.get(key, 0)
        if given == len(made):
            raise RequestRefused(_missing(key, given), model=self._name)
        self._given[key] = given + 1
        return check_completion(made[given], self._name)


class Recording(Wrapper):
    """A model that keeps every completion of the model in it: `recorded` is what `Replay` takes."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.recorded: list[tuple[str, Completion]] = []

    def __repr__(self) -> str:
        return f"<Recording {len(self.recorded)} completions of {self.model!r}>"

    async def complete(self, request: ModelRequest) -> Completion:
        """Ask the model in it and keep its completion."""
        completion = await self.model.complete(request)
        self.recorded.append((request.key(), completion))
        return completion


def _missing(key: str, given: int) -> str:
    advice = "record it again with the model that you want to replay"
    if given:
        return f"request {key[:12]} was recorded {given} times and is made once more: {advice}"
    cause = "its messages, sampling parameters or schema differ from all that was recorded"
    return f"no recording of request {key[:12]}: {cause}; {advice}"
