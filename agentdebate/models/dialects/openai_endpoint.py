"""One address that speaks a protocol of OpenAI's, with its key, and errors that say where they come from."""

from collections.abc import Coroutine
from copy import copy
from dataclasses import replace
from typing import Any

from agentdebate.errors import ModelError, UsageError
from agentdebate.models.credentials import Credentials
from agentdebate.models.dialects.problems import Problem, failure, read_problem, tidy
from agentdebate.models.dialects.reach import Reach
from agentdebate.models.http import LARGEST, Answer, Endpoint
from agentdebate.models.provider_keys import KEY, key_variable, usual_address

_HOST = "api.openai.com"


class OpenAIEndpoint:
    """Posts to one path of an address. `name` is the model's, for errors.

    Raises UsageError where there is no key for OpenAI's own address.
    """

    def __init__(self, name: str, path: str, reach: Reach) -> None:
        self.name = name
        self.address = reach.base_url or usual_address()
        variable = reach.api_key_env or key_variable(self.address)
        self._credentials = Credentials.from_environment(variable, reach.headers)
        self._endpoint = Endpoint(
            self.address,
            path,
            self._credentials,
            model=name,
            timeout=reach.timeout,
            connections=reach.connections,
            client=reach.client,
            transport=reach.transport,
        )
        if self._endpoint.host == _HOST and not self._credentials.any:
            raise UsageError(
                f"{name} needs a key: set {variable or KEY}, or base_url for a server of your own"
            )

    def __repr__(self) -> str:
        return f"<OpenAIEndpoint {self.place}>"

    @property
    def place(self) -> str:
        """The address as it may be shown."""
        return self._endpoint.place

    def hide(self, text: str) -> str:
        """A text without known keys."""
        return self._credentials.hide(text)

    def post(self, body: bytes, largest: int = LARGEST) -> Coroutine[Any, Any, Answer]:
        """The answer to a body, read to its end unless it is larger than so many bytes. Raises ModelError."""
        return self._endpoint.post(body, largest)

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._endpoint.aclose()

    def id(self, answer: Answer) -> str | None:
        """The provider's own id of a call, as a short printable line."""
        found = answer.headers.get("x-request-id")
        return tidy(self.hide(found)) or None if found else None

    def problem(self, answer: Answer) -> Problem:
        """What an answer that is no success says, without keys."""
        found = read_problem(answer)
        return replace(found, message=self.hide(found.message), request_id=self.id(answer))

    def failure(self, problem: Problem) -> ModelError:
        """The error that a problem comes to."""
        return failure(problem, model=self.name, place=self.place, key=self._hint())

    def _hint(self) -> str:
        """What to do where the endpoint wants another key, or one at all."""
        variable = self._credentials.variable
        if variable is None:
            sent = "check the headers" if self._credentials.any else "no key was sent"
            return f"{sent}: name the variable that holds the key for this address with --api-key-env (api_key_env)"
        return f"check the key in {variable}" if self._credentials.any else f"no key was sent: set {variable}"

    def placed(self, error: ModelError, answer: Answer) -> ModelError:
        """An error found in an answer, with where it was found; one that holds on to nothing of the answer."""
        placed = copy(error).with_traceback(None)
        placed.__cause__ = None
        placed.args = (f"{self.name}: {self.hide(f'HTTP {answer.status}: {error}')}",)
        placed.model, placed.status, placed.request_id = self.name, answer.status, self.id(answer)
        return placed
