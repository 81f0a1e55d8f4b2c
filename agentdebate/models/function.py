"""A function as a model."""

import inspect
from collections.abc import Awaitable, Callable

from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.completion_check import check_completion
from agentdebate.models.wrapper import StandIn
from agentdebate.wrong_values import WrongValue

_Said = str | Completion


class Function(StandIn):
    """A model that asks a function of your own, plain or async, for the text or the completion.

    What the function raises is raised as it is; a ModelError that is retryable is tried again by the wrappers
    around.
    """

    def __init__(
        self,
        name: str,
        function: Callable[[ModelRequest], _Said | Awaitable[_Said]],
        *,
        structured: bool = False,
    ) -> None:
        super().__init__(name, structured=structured)
        self._function = function

    def __repr__(self) -> str:
        return f"<Function {self.name}>"

    async def complete(self, request: ModelRequest) -> Completion:
        """Ask the function. Raises WrongValue where it gives neither a text nor a completion, or one with an odd field."""
        reply = self._function(request)
        if not isinstance(reply, _Said) and inspect.isawaitable(reply):
            reply = await reply
        if isinstance(reply, Completion):
            return check_completion(reply, self.name)
        if not isinstance(reply, str):
            kind = type(reply).__name__
            raise WrongValue(f"the function of model {self.name!r} gives a str or a Completion, not {kind}")
        held = self.structured and request.schema is not None
        return Completion(text=reply, model=self.name, structured=held)
