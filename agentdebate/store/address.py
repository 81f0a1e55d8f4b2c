"""Where a store is, as it can be shown."""

import re
from pathlib import Path

_PASSWORD = re.compile(r"(?<=://)([^:/@]*):[^/]*@")


def shown(store: str | Path) -> str:
    """A store's path or URL, without the password that may stand in a URL."""
    return _PASSWORD.sub(r"\1:***@", str(store), count=1)
