"""Addresses, and which key goes where: by default to its provider's own host, and to what the user has said beside it."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from agentdebate.errors import UsageError
from agentdebate.project.model_spec import placed_name
from agentdebate.project.trust import Place
from agentdebate.project.user_endpoints import UserEndpoint, user_endpoints

if TYPE_CHECKING:
    import httpx

_VARIABLE = re.compile(r"\{([A-Z_]+)\}")
_PORTS = 0xFFFF
"""The highest port that there is."""


@dataclass(frozen=True, slots=True)
class Provider:
    """Provider under a name such as "anthropic/...": its address, its key, and how the key is sent.

    An address may have environment variables in it: "https://bedrock-runtime.{AWS_REGION}.amazonaws.com/openai/v1".
    """

    name: str
    address: str
    """Address of the provider, as far as the paths of its dialect begin behind it."""
    key: str
    """The environment variable that holds its key."""
    moved: str | None = None
    """The environment variable that holds another address; what the user has set there goes before its own."""
    key_header: str = "Authorization"
    """The header that carries the key; "Authorization" carries it behind "Bearer"."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Further headers of every request. They are not secret."""
    needs_key: bool = True
    """Tell whether its own address takes no call without a key."""
    own_domains: tuple[str, ...] = ()
    """Suffix of all its hosts, ".azure.com", for one whose whole address the environment says: any other host is not its own."""

    def usual_address(self) -> str:
        """Return the address where none is named. Raises UsageError where the environment does not say what it has to."""
        moved = os.environ.get(self.moved) if self.moved else None
        return moved or self.own_address()

    def own_address(self) -> str:
        """Address of the provider, with what the environment says in it. Raises UsageError where that is not set."""
        said = _VARIABLE.sub(lambda found: self._said(found[1]), self.address)
        return said.replace("//global-", "//")  # Vertex's location without a region has a host without one

    def key_variable(self, address: str) -> str | None:
        """The variable that holds the key for an address where none is named; None: no key is sent there.

        A key goes to its provider's own host, to the one that the environment names for this provider, and to an entry of
        endpoints.toml.
        """
        place = Place.read(address)
        if place is None:
            return self.key if address == self.usual_address() else None
        entry = _entry_of(place)
        if entry is not None:
            return entry.api_key_env
        return self.key if place in self._places() else None

    def is_own(self, place: str) -> bool:
        """Tell whether HOST:PORT is the provider's own."""
        if self.own_domains:
            return place.rpartition(":")[0].endswith(self.own_domains)
        return bool(self._own()) and place_of(self.own_address()) == place

    def placed(self, model: str, address: str | None = None) -> str:
        """The name of a model at an address, the usual one where none is given: with the host where that is not the provider's own.

        What is not an address is left to whatever opens it.
        """
        try:
            place = place_of(address or self.usual_address())
        except (UsageError, ValueError):
            return model
        return model if self.is_own(place) else placed_name(model, place)

    def _places(self) -> tuple[Place | None, ...]:
        """Return the hosts that get its key: its own host, and the one that the environment names."""
        given = os.environ.get(self.moved) if self.moved else None
        return (*self._own(), Place.read(given)) if given else self._own()

    def _own(self) -> tuple[Place | None, ...]:
        """Host of the provider, where the environment says all of it that it has to."""
        unset = [name for name in _VARIABLE.findall(self.address) if not os.environ.get(name)]
        return () if unset else (Place.read(self.own_address()),)

    def _said(self, variable: str) -> str:
        found = os.environ.get(variable, "").strip().rstrip("/")
        if not found:
            raise UsageError(f"{self.name}/ needs an address: set {variable}, or give base_url=...")
        return found


def entry_at(address: str) -> UserEndpoint | None:
    """The entry of endpoints.toml for an address."""
    place = Place.read(address)
    return None if place is None else _entry_of(place)


def _entry_of(place: Place) -> UserEndpoint | None:
    """The entry of endpoints.toml for a place."""
    return next((one for one in user_endpoints() if Place.read(one.address) == place), None)


OPENAI = Provider("openai", "https://api.openai.com/v1", "OPENAI_API_KEY", moved="OPENAI_BASE_URL")
DECISIONS = replace(OPENAI, name="decisions")
SYSTEM_ONE = Provider("systemone", "https://api.typesafe.ai", "TYPESAFE_API_KEY", moved="TYPESAFE_BASE_URL")
"""Provider where only OpenAI's dialect is named."""


def usual_address() -> str:
    """Return the address of OpenAI's dialects where none is named: where the environment says, else OpenAI's own."""
    return OPENAI.usual_address()


def endpoint_url(base: str, path: str) -> "httpx.URL":
    """The URL of a path below a base. Raises UsageError, which does not quote the base: it may hold a password."""
    try:
        url = _read(base)
    except ValueError as error:
        raise UsageError("base_url is not an address; write it like http://127.0.0.1:8080/v1") from error
    if url.scheme not in {"http", "https"} or not url.host:
        raise UsageError(
            "base_url starts with http:// or https:// and names a host: http://127.0.0.1:8080/v1"
        )
    if url.port is not None and not 0 < url.port <= _PORTS:
        raise UsageError(f"base_url names port {url.port}: a port is 1 to {_PORTS}")
    if url.userinfo:
        raise UsageError(
            "base_url holds no user or password; name the key's environment variable in api_key_env"
        )
    return url.copy_with(path=url.path.rstrip("/") + path)


def place_of(address: "str | httpx.URL") -> str:
    """The host and port of an address. Raises ValueError where it is not an address."""
    url = _read(address) if isinstance(address, str) else address
    return f"{url.host}:{url.port or (443 if url.scheme == 'https' else 80)}"


def _read(address: str) -> "httpx.URL":
    import httpx  # takes 50 ms, which a process without an endpoint does without

    try:
        return httpx.URL(address.strip())
    except httpx.InvalidURL as error:
        raise ValueError(str(error)) from error
