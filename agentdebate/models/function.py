"""A function as a model."""

import inspect
from collections.abc import Awaitable, Callable

from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.checked import check_completion
from agentdebate.models.wrapper import StandIn
from agentdebate.wrong_values import WrongValue

Reply = str | Completion
_REPLY = str, Completion


class Function(StandIn):
    """A model that asks a function of your own, plain or async, for the text or the completion.

    What the function raises is raised as it is; a ModelError that is retryable is tried again by the wrappers
    around.
    """

    def __init__(
        self,
        name: str,
        function: Callable[[ModelRequest], Reply | Awaitable[Reply]],
        *,
        structured: bool = False,
    ) -> None:
        super().__init__(name, structured=structured)
        self._function = function

    def __repr__(self) -> str:
        return f"<Function {self._name}>"

    async def complete(self, request: ModelRequest) -> Completion:
        """Ask the function. Raises WrongValue where it gives neither a text nor a completion, or one with an odd field."""
        reply = self._function(request)
        if not isinstance(reply, _REPLY) and inspect.isawaitable(reply):
            reply = await reply
        if isinstance(reply, Completion):
            return check_completion(reply, self._name)
        if not isinstance(reply, str):
            kind = type(reply).__name__
            raise WrongValue(f"the function of model {self._name!r} gives a str or a Completion, not {kind}")
        held = self._structured and request.schema is not None
        return Completion(text=reply, model=self._name, structured=held)
