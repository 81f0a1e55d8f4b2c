"""Where a store is, as it can be shown."""

import re
from pathlib import Path

from agentdebate.models.secrets import plain_address

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_PASSWORD = re.compile(r"(?<=://)([^:/@]*):.*@")


def shown(store: str | Path) -> str:
    """A store's path or URL, without the password that may stand in a URL, also one with characters that should be escaped."""
    text = str(store)
    return plain_address(_PASSWORD.sub(r"\1:***@", text, count=1)) if is_url(text) else text


def is_url(store: str | Path) -> bool:
    """Whether it is a database's URL, and no file's path."""
    return _SCHEME.match(str(store)) is not None
