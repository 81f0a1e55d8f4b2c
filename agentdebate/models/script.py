"""Replies given in advance, for tests and examples."""

from collections.abc import Iterable, Iterator, Mapping

from agentdebate.errors import ModelError, UsageError
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.completion_check import check_completion
from agentdebate.models.wrapper import StandIn
from agentdebate.usage import Usage

Line = str | Completion | Exception
"""Step of a scripted model: say a text, give a completion, or raise."""


class Scripted(StandIn):
    """A model that gives the replies of a script, one a request, in order.

    The script is one iterable for everybody, or a mapping from an agent's name or a purpose to an iterable;
    the agent's name goes first. An exception in a script is raised. `requests` holds everything that was
    asked.
    """

    def __init__(
        self,
        script: Iterable[Line] | Mapping[str, Iterable[Line]],
        *,
        name: str = "scripted",
        structured: bool = False,
    ) -> None:
        super().__init__(name, structured=structured)
        if isinstance(script, str):
            raise UsageError(f"a script is a list of replies: write [{script[:40]!r}]")
        parts = script if isinstance(script, Mapping) else {"": script}
        self._parts = {part: _lines(part, lines) for part, lines in parts.items()}
        self.requests: list[ModelRequest] = []

    def __repr__(self) -> str:
        return f"<Scripted {self.name}: asked {len(self.requests)} times>"

    async def complete(self, request: ModelRequest) -> Completion:
        """Give the next reply, or raise the next error. Raises ModelError where the script has nothing
        more, and WrongValue where a completion has an odd field.
        """
        self.requests.append(request)
        line = next(self._part(request), None)
        if line is None:
            raise ModelError(f"the script has nothing more for {_asker(request)}", model=self.name)
        if isinstance(line, Exception):
            raise line
        if isinstance(line, Completion):
            return check_completion(line, self.name)
        return Completion(text=line, model=self.name, usage=Usage(calls=1), structured=self._holds(request))

    def _part(self, request: ModelRequest) -> Iterator[Line]:
        context = request.context
        asked = (context.agent, context.seat, context.purpose, "") if context else ("",)
        for part in asked:
            if part in self._parts:
                return self._parts[part]
        known = ", ".join(sorted(self._parts))
        raise ModelError(f"the script has no part for {_asker(request)}; it has: {known}", model=self.name)

    def _holds(self, request: ModelRequest) -> bool:
        return self.structured and request.schema is not None


def _lines(part: str, lines: Iterable[Line]) -> Iterator[Line]:
    if isinstance(lines, str):
        raise UsageError(f"the part {part!r} of a script is a list of replies: write [{lines[:40]!r}]")
    return iter(lines)


def _asker(request: ModelRequest) -> str:
    context = request.context
    if context is None:
        return "this request, which names no agent"
    return f"{context.agent!r} ({context.purpose}, round {context.round})"
