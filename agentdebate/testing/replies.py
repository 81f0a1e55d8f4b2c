"""Replies of a fault server: from a script, from a function of the request, or from the request's digest."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from agentdebate.errors import UsageError
from agentdebate.testing.chance import Draws
from agentdebate.testing.chat import Asked, BadRequest, completion
from agentdebate.testing.forms import answer
from agentdebate.testing.schemas import fitting, schema_of

Said = str | Mapping[str, Any]
"""A reply: its text, or the whole JSON of the answer's body."""
Replies = Literal["hashed"] | Sequence[Said] | Callable[[Mapping[str, Any]], Said]
"""Source of replies: "hashed", a list that is gone through in order, or a function of the request's JSON."""


class Replier:
    """Makes the JSON of a reply to a request.

    Raises UsageError for a text, which is none of the three kinds.
    """

    def __init__(self, replies: Replies = "hashed") -> None:
        if isinstance(replies, str) and replies != "hashed":
            raise UsageError(
                f'replies are "hashed", a list or a function; for one text again and again: lambda _: {replies!r}'
            )
        self._script = None if isinstance(replies, str) or callable(replies) else iter(tuple(replies))
        self._function = replies if callable(replies) else None

    def reply(self, asked: Asked) -> dict[str, Any]:
        """The reply. Raises BadRequest where a list has come to its end."""
        if self._script is not None:
            said = next(self._script, None)
        elif self._function is not None:
            said = self._function(asked.given)
        else:
            return completion(asked, [hashed(asked, place) for place in range(asked.n)])
        if said is None:
            raise BadRequest("the server's list of replies has come to its end")
        return completion(asked, [said] * asked.n) if isinstance(said, str) else dict(said)


def hashed(asked: Asked, place: int = 0) -> str:
    """The text that follows from a request and the place of the choice: what its prompt asks for, filled in by chance."""
    draws = Draws("reply", asked.digest, place)
    schema = schema_of(asked.body)
    return answer(asked.prompt, draws) if schema is None else json.dumps(fitting(schema, draws))
