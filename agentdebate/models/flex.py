"""Calls at the tier flex, which costs half and may have no room: then the standard tier answers."""

from dataclasses import replace

from agentdebate.errors import ModelTimeout, NoRoom
from agentdebate.log import get_log
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.wrapper import WrapperModel
from agentdebate.talk.turn_clock import note_trouble

_log = get_log(__name__, quiet=True)


class FlexFirst(WrapperModel):
    """A model that asks the model in it at the tier flex, and where that has no room even after retries, or no
    answer in time, once more at the standard tier.

    Every call that costs the full price so is a warning in the log, and its completion's model is not called "... at flex".
    """

    def __repr__(self) -> str:
        return f"<FlexFirst around {self.model!r}>"

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer the request. Raises what the model in it raises."""
        try:
            return await self.model.complete(request)
        except (NoRoom, ModelTimeout) as error:
            told = str(error)
        note_trouble(told)
        _log.warning(
            "flex has no room or time: asked at the standard tier, at its full price: %s", told, kind="tier"
        )
        completion = await self.model.complete(replace(request, standard=True))
        note_trouble("")
        return completion
