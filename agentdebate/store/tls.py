"""How a database server's connection is encrypted, by the words of PostgreSQL's own URLs: sslmode, sslrootcert, sslcert and sslkey."""

import ssl
from pathlib import Path
from typing import Literal

import sqlalchemy as sa

from agentdebate.errors import UsageError, nearest

MODES = ("disable", "prefer", "require", "verify-ca", "verify-full")
"""PostgreSQL's modes, without the one that encrypts only what would be refused otherwise."""

WORDS = ("sslmode", "sslrootcert", "sslcert", "sslkey")
"""What a URL may say about encryption."""


def without_tls(url: sa.URL) -> tuple[sa.URL, ssl.SSLContext | Literal[False] | None]:
    """The URL without its words on encryption, and what the driver is told: a context, False for no encryption, None for "prefer".

    As in PostgreSQL's own programs, a URL that says nothing means "prefer", which encrypts where the server can; "require" encrypts and believes any server unless there is an sslrootcert, "verify-ca" wants a
    certificate that sslrootcert has signed, and "verify-full" wants it to be that host's too. Raises UsageError for another
    mode, and for a file that cannot be used.
    """
    words = {word: str(url.query[word]) for word in WORDS if word in url.query}
    if not words:
        return url, None
    mode = words.get("sslmode", "verify-full" if "sslrootcert" in words else "require")
    if mode not in MODES:
        raise UsageError(
            f"sslmode={mode} in the store's URL: say one of {', '.join(MODES)}. {nearest(mode, MODES)}"
        )
    rest = url.difference_update_query(WORDS)
    if mode == "disable":
        return rest, False
    return rest, None if mode == "prefer" else _context(mode, words)


def _context(mode: str, words: dict[str, str]) -> ssl.SSLContext:
    root = words.get("sslrootcert")
    try:
        context = ssl.create_default_context(cafile=_file(root) if root and root != "system" else None)
        context.check_hostname = mode == "verify-full"
        if mode == "require" and root is None:
            context.verify_mode = ssl.CERT_NONE
        if "sslcert" in words:
            context.load_cert_chain(
                _file(words["sslcert"]), _file(words["sslkey"]) if "sslkey" in words else None
            )
    except OSError as error:  # ssl.SSLError is one
        named = ", ".join(f"{word}={words[word]}" for word in WORDS[1:] if word in words)
        raise UsageError(
            f"the certificates that the store's URL names ({named}) cannot be used: {error}"
        ) from error
    return context


def _file(path: str) -> str:
    return str(Path(path).expanduser())
