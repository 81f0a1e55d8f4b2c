"""Completions recorded earlier, given again to the same requests."""

from collections.abc import Iterable

from agentdebate.errors import ModelError
from agentdebate.models.base import Completion, Model, ModelRequest


class Replay:
    """A model that knows the completions of earlier requests by `ModelRequest.key()`.

    A request that was made k times has k recordings; they are given in the order in which they were made.
    """

    def __init__(
        self, recordings: Iterable[tuple[str, Completion]], *, name: str = "replay", structured: bool = False
    ) -> None:
        self._recordings: dict[str, list[Completion]] = {}
        for key, completion in recordings:
            self._recordings.setdefault(key, []).append(completion)
        self._given: dict[str, int] = {}
        self._name, self._structured = name, structured

    def __repr__(self) -> str:
        return f"<Replay {self._name}: {self.remaining} recordings left>"

    @property
    def name(self) -> str:
        """The name it was given."""
        return self._name

    @property
    def structured(self) -> bool:
        """Whether it says that it holds replies to schemas."""
        return self._structured

    @property
    def remaining(self) -> int:
        """How many recordings have not been given yet."""
        return sum(map(len, self._recordings.values())) - sum(self._given.values())

    async def complete(self, request: ModelRequest) -> Completion:
        """Give the request's next recording. Raises ModelError where there is none."""
        key = request.key()
        made, given = self._recordings.get(key, []), self._given.get(key, 0)
        if given == len(made):
            raise ModelError(_missing(key, given), model=self._name)
        self._given[key] = given + 1
        return made[given]

    async def aclose(self) -> None:
        """Nothing to let go of."""


class Recording:
    """A model that keeps every completion of the model in it: `recorded` is what `Replay` takes."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.recorded: list[tuple[str, Completion]] = []

    def __repr__(self) -> str:
        return f"<Recording {len(self.recorded)} completions of {self.model!r}>"

    @property
    def name(self) -> str:
        """The name of the model in it."""
        return self.model.name

    @property
    def structured(self) -> bool:
        """Whether the model in it can hold replies to schemas."""
        return self.model.structured

    async def complete(self, request: ModelRequest) -> Completion:
        """Ask the model in it and keep its completion."""
        completion = await self.model.complete(request)
        self.recorded.append((request.key(), completion))
        return completion

    async def aclose(self) -> None:
        """Close the model in it."""
        await self.model.aclose()


def _missing(key: str, given: int) -> str:
    advice = "record it again with the model that you want to replay"
    if given:
        return f"request {key[:12]} was recorded {given} times and is made once more: {advice}"
    cause = "its messages, sampling parameters or schema differ from all that was recorded"
    return f"no recording of request {key[:12]}: {cause}; {advice}"
