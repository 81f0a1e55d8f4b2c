"""Addresses that requests go to, as httpx reads them."""

from typing import TYPE_CHECKING

from agentdebate.errors import UsageError

if TYPE_CHECKING:
    import httpx

_PORTS = 0xFFFF
"""The highest port that there is."""


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
