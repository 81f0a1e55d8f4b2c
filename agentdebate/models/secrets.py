"""Secrets in what is shown or stored: the one place that knows what looks like one, and takes it out.

A key comes from the environment and should stand nowhere else. Where one was put into an option, an address or a URL all
the same, it is used and not kept: what is written down and shown holds HIDDEN in its place.
"""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

HIDDEN = "[key]"
"""Stands where a secret stood."""

_NAME = re.compile(
    r"(?:^|_)(?:keys?|pwd|pass|passphrase|passcode|auth|authorization|bearer|credentials?|cookies?|signature|sig|jwt)(?:_|$)"
    r"|(?:api|access|secret|private|auth)_?keys?(?:_|$)|(?:access|refresh)_?tokens(?:_|$)"
    r"|(?:token|secrets?|passwords?|passwd)(?:_|$)"
)
"""Names of secrets, with "_" between words in small letters; the last may end a word: "mytoken". "tokens" is none of them: max_tokens."""
_VALUES = re.compile(
    r"\b(?:Bearer|Basic|Token)\s+[\w.~+/=-]{6,}"  # what an Authorization header says
    r"|\b(?:sk|pk|rk|gsk|xai|r8|pplx|glpat|xox[abeoprs])[-_][\w*.-]{6,}"
    r"|\b(?:gh[oprsu]_|github_pat_|hf_)\w{10,}"
    r"|\bA[KS]IA[0-9A-Z]{12,}|\bAIza[\w-]{20,}"
    r"|\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?",
    re.IGNORECASE,
)
"""Texts that keys look like, wherever they stand."""
_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s'\"<>`]+", re.IGNORECASE)
_PAIR = re.compile(r"(?P<name>[\w.-]+)=(?P<value>\"[^\"]*\"|[^\s,;&]+)")
_RANDOM = re.compile(r"(?=\w*[0-9])(?=\w*[A-Za-z])[A-Za-z0-9]{16,}")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_PLAIN_QUERY = frozenset({"api-version", "sslmode"})
"""Parameters that an address may hold openly."""


def is_secret_name(name: str) -> bool:
    """Tell whether what stands under a name is a secret, however it is spelled: api_key, x-api-key, accessToken, TOKEN.

    The name of an environment variable (api_key_env) is none.
    """
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    words = re.sub(r"\d*[^a-z0-9]+|\d+$", "_", apart).strip("_")
    return not words.endswith("_env") and bool(_NAME.search(words))


def without_secrets(value: Any) -> Any:
    """JSON without secrets: all that stands under the name of one goes, and what looks like one in any text."""
    if isinstance(value, Mapping):
        return {
            name: _hidden(inner) if is_secret_name(str(name)) else without_secrets(inner)
            for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [without_secrets(inner) for inner in value]
    return without_keys(value) if isinstance(value, str) else value


def without_keys(text: str) -> str:
    """A text without what looks like a key, and without what the addresses in it may hold of secrets."""
    return _VALUES.sub(HIDDEN, _URL.sub(lambda found: plain_address(found[0]), text))


def without_pairs(text: str) -> str:
    """A text of NAME=VALUE pairs without the values of secrets, and without what `without_keys` takes out."""
    shown = _PAIR.sub(
        lambda found: f"{found['name']}={HIDDEN}" if is_secret_name(found["name"]) else found[0], text
    )
    return without_keys(shown)


def plain_address(address: str) -> str:
    """An address without its user and password, and without what path and query may hold of keys.

    An API's version stays; so does the user's name where it is the address of a database.
    """
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return HIDDEN  # brackets that do not close: nothing says where a secret would stand
    web = parts.scheme.lower() in {"http", "https"}
    query = [
        (name, value if name in _PLAIN_QUERY or not (web or is_secret_name(name)) else HIDDEN)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
    ]
    asked = f"?{urlencode(query, safe='[]', quote_via=quote)}" if query else ""
    return f"{parts.scheme}://{_place(parts.netloc, web=web)}{_path(parts.path)}{asked}"


def _hidden(value: Any) -> Any:
    """Mask a secret; a figure or a switch is none, nor is a table of these."""
    if isinstance(value, Mapping):
        return {name: _hidden(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_hidden(inner) for inner in value]
    # A whole number below that may be of a token; a longer one may be a password.
    figure = isinstance(value, bool | float) or (isinstance(value, int) and abs(value) < 10**4)
    return value if value is None or figure else HIDDEN


def _place(netloc: str, *, web: bool) -> str:
    user, at, host = netloc.rpartition("@")
    if not at:
        return netloc
    name, colon, _ = user.partition(":")
    if web or is_random(name):
        return f"{HIDDEN}@{host}"
    return f"{name}:***@{host}" if colon else netloc


def _path(path: str) -> str:
    """A path without parts that look like a key, and without what comes behind a part that is called like one."""
    before, shown = "", []
    for part in path.split("/"):
        secret = part and (is_random(part) or _VALUES.fullmatch(part) or is_secret_name(before))
        shown.append(HIDDEN if secret else part)
        before = part
    return "/".join(shown)


def is_random(text: str) -> bool:
    """Tell whether a text looks as if a machine had drawn it: long, of letters and figures, and no word."""
    return bool(_UUID.search(text) or _RANDOM.search(text))
