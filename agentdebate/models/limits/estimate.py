"""How many tokens a call will cost, before it is made."""

from agentdebate.models import prompt_tokens
from agentdebate.models.base import ModelRequest
from agentdebate.usage import Usage

_WEIGHT = 0.1
"""Of the newest reply in the running mean."""


class Estimate:
    """The prompt by its length; the reply by the request's limit, else by the mean of the replies so far."""

    __slots__ = ("call", "reply")

    def __init__(self, *, reply: float = 256.0) -> None:
        self.reply = reply
        """Tokens of a reply, on average."""
        self.call = 2 * reply
        """Tokens of a whole call, on average."""

    def of(self, request: ModelRequest) -> float:
        """Tokens that the call may cost: the prompt by its bytes, and the reply."""
        return (
            prompt_tokens.estimated(request)
            + (request.sampling.max_tokens or self.reply) * request.sampling.n
        )

    def learn(self, usage: Usage, samples: int) -> None:
        """Take in what a call cost. A usage of nothing means that the endpoint does not tell."""
        if tokens := usage.prompt_tokens + usage.completion_tokens:
            self.reply += _WEIGHT * (usage.completion_tokens / samples - self.reply)
            self.call += _WEIGHT * (tokens - self.call)
