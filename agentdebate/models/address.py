"""An address that requests go to, in its parts."""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address

_PLAIN = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z][a-z0-9.-]*|(?P<number>[0-9]{1,3}(?:\.[0-9]{1,3}){3}))"
    r"(?::(?P<port>[1-9][0-9]{0,4}))?(?P<path>(?:/(?!\.)[A-Za-z0-9._~:-]*)*)"
)
"""An address that says the same to everybody, as nearly all do."""
_USUAL = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Address:
    """Where requests go to."""

    text: str
    scheme: str
    host: str
    port: int | None
    """None where it is the usual one."""
    netloc: str
    """Host and port as requests name them."""
    target: bytes
    """The path, and what stands behind it, as requests name them."""
    userinfo: bytes = b""

    @property
    def place(self) -> str:
        """Host and port."""
        return f"{self.host}:{self.port or _USUAL.get(self.scheme, 80)}"


def read_address(base: str, path: str) -> Address:
    """The address of a path below a base. Raises ValueError where the base is not an address."""
    base = base.strip()
    return _plain(f"{base.rstrip('/')}{path}") or _as_httpx_reads(base, path)


def _plain(text: str) -> Address | None:
    found = _PLAIN.fullmatch(text)
    if found is None or not _is_usual(found):
        return None
    scheme, host, port = found["scheme"], found["host"], found["port"]
    netloc = f"{host}:{port}" if port else host
    return Address(text, scheme, host, int(port) if port else None, netloc, (found["path"] or "/").encode())


def _is_usual(found: re.Match[str]) -> bool:
    """Whether nothing of it is to be written in another way."""
    if "xn--" in found["host"] or int(found["port"] or 0) == _USUAL[found["scheme"]]:
        return False
    if not found["number"]:
        return True
    try:
        return bool(IPv4Address(found["number"]))
    except ValueError:
        return False


def _as_httpx_reads(base: str, path: str) -> Address:
    """An address with other letters, an IPv6 number, a query or escapes. Raises ValueError where it is not an address."""
    import httpx  # takes 7 MB, which plain addresses do without

    try:
        url = httpx.URL(base)
        if url.host:
            url = url.copy_with(path=url.path.rstrip("/") + path)
    except httpx.InvalidURL as error:
        raise ValueError(str(error)) from error
    return Address(
        str(url), url.scheme, url.host, url.port, url.netloc.decode("ascii"), url.raw_path, url.userinfo
    )
