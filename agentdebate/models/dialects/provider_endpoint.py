"""One address of a provider, with its key, and errors that say where they come from."""

import re
from copy import copy
from dataclasses import replace
from urllib.parse import urlsplit

from agentdebate.errors import ModelError, UsageError
from agentdebate.models.credentials import Credentials
from agentdebate.models.dialects.options import Reach
from agentdebate.models.dialects.problems import Problem, failure, is_page, read_problem
from agentdebate.models.dialects.reply import tidy
from agentdebate.models.http import Answer, Endpoint
from agentdebate.models.key_command import KeyCommand
from agentdebate.models.provider_keys import OPENAI, Provider, entry_at

_IDS = ("x-request-id", "request-id")
"""The headers in which providers name a call."""
_VERSION = re.compile(r"/v\d\w*(?=/)")
_CALL = re.compile(r"/(chat(/completions)?|completions|responses|messages|embeddings)/*$")
"""A path of single calls at the end of an address."""
_AT_THE_END = re.compile(r"/v\d\w*/*$")


class ProviderEndpoint:
    """Posts to one path of an address. `name` is the model's, for errors.

    An address that ends in the version with which the path begins ("/v1") may be given with it or without. Raises UsageError
    where there is no key for a provider's own address that wants one, and where the variable that `reach` names has none.
    """

    def __init__(self, name: str, path: str, reach: Reach, provider: Provider = OPENAI) -> None:
        self.name, self._provider, self._path = name, provider, path
        self.address = _without_version(reach.base_url or provider.usual_address(), path)
        entry = None if reach.api_key_env or reach.headers else entry_at(self.address)
        named = reach.api_key_env or (entry and entry.api_key_env)
        variable = named or provider.key_variable(self.address)
        command = KeyCommand(entry.api_key_command, name) if entry and entry.api_key_command else None
        self._credentials = Credentials.from_environment(variable, reach.headers, provider, command)
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
        self.post = self._endpoint.post
        """The answer to a body, read to its end unless it is larger than so many bytes. Raises ModelError."""
        if named and not self._credentials.key_found:
            raise UsageError(
                f"{name}: the environment variable {named}, which is named for its key, is not set"
            )
        if provider.needs_key and self.is_own and not self._credentials.any:
            raise UsageError(
                f"{name} needs a key: set {variable or provider.key}, or name a server of your own with base_url=..."
            )

    def __repr__(self) -> str:
        return f"<ProviderEndpoint {self.place}>"

    @property
    def is_own(self) -> bool:
        """Tell whether the address is the provider's own."""
        return self._provider.is_own(self.place)

    @property
    def place(self) -> str:
        """The address as it may be shown."""
        return self._endpoint.place

    def hide(self, text: str) -> str:
        """A text without known keys."""
        return self._credentials.hide(text)

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._endpoint.aclose()

    def id(self, answer: Answer) -> str | None:
        """The provider's own id of a call, as a short printable line."""
        headers = answer.headers
        found = headers.get(_IDS[0]) or headers.get(_IDS[1])
        return tidy(self.hide(found)) or None if found else None

    def problem(self, answer: Answer) -> Problem:
        """Quote an answer that is not a success, without keys."""
        found = read_problem(answer)
        return replace(found, message=self.hide(found.message), request_id=self.id(answer))

    def failure(self, problem: Problem) -> ModelError:
        """The error that a problem comes to."""
        return failure(
            problem, model=self.name, place=self.place, key=self._hint(), address=self._address_hint()
        )

    def _hint(self) -> str:
        """Advise where the endpoint wants another key, or one at all."""
        variable = self._credentials.variable
        if variable is None:
            sent = "check the headers" if self._credentials.any else "no key was sent"
            return f"{sent}: name the variable that holds the key for this address with api_key_env=..."
        return f"check the key in {variable}" if self._credentials.any else f"no key was sent: set {variable}"

    def _address_hint(self) -> str:
        """Describe the address that is expected, where it does not look like one that servers take; it is named without its path."""
        path = urlsplit(self.address).path
        if found := _CALL.search(path):
            return f"base_url=... ends with {found[0].rstrip('/')}, which requests add to it: leave that out"
        if not _VERSION.search(f"{path}{self._path}/"):
            return "base_url=... has no /v1 at its end; most servers want it"
        return ""

    def placed(self, error: ModelError, answer: Answer) -> ModelError:
        """An error found in an answer, with where it was found; one that holds on to nothing of the answer."""
        placed = copy(error).with_traceback(None)
        placed.__cause__ = None
        told, hint = str(error), ""
        if is_page(answer.body):
            told = (
                f"in place of a reply came a web page: {tidy(answer.body[:1000].decode('utf-8', 'replace'))}"
            )
            odd = self._address_hint() or "a page to log in at comes from a gateway before the model"
            hint = f" (check the address in base_url: the server is {self.place}; {odd})"
        placed.args = (f"{self.name}: {self.hide(f'HTTP {answer.status}: {told}')}{hint}",)
        placed.model, placed.status, placed.request_id = self.name, answer.status, self.id(answer)
        return placed


def _without_version(address: str, path: str) -> str:
    """The address without a version at its end where the path begins with one; the path's is meant."""
    return _AT_THE_END.sub("", address) if _VERSION.match(path) else address
