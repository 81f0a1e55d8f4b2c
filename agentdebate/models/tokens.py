"""How many tokens a text has: exactly where a vocabulary of tiktoken is at hand, and an estimate marked as one elsewhere.

tiktoken fetches vocabularies over the network, without a time limit. So it is only asked where the file that it would
fetch lies in its cache already (the folder that TIKTOKEN_CACHE_DIR names).
"""

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import tiktoken

ENCODING = "o200k_base"
_FILE = "fb374d419588a4632f3f557e76b4b70aebbca790"
"""What tiktoken calls the file of this vocabulary: a digest of the address that it would fetch it from."""

BYTES_A_TOKEN = 4
"""Of UTF-8, for the estimate: within a fifth or so for prose and code in the languages that it was tried on."""


@dataclass(frozen=True, slots=True)
class TokenCount:
    """A number of tokens, and whether it was counted or estimated."""

    n: int
    method: Literal["exact", "estimate"]


def count(text: str) -> TokenCount:
    """How many tokens a text has."""
    vocabulary = _vocabulary(_cached_file())
    if vocabulary is not None:
        return TokenCount(len(vocabulary.encode(text, disallowed_special=())), "exact")
    return TokenCount(-(-len(text.encode("utf-8", "surrogatepass")) // BYTES_A_TOKEN), "estimate")


def _cached_file() -> Path | None:
    """Where tiktoken keeps the vocabulary, if it has it."""
    folder = os.environ.get("TIKTOKEN_CACHE_DIR") or os.environ.get("DATA_GYM_CACHE_DIR")
    if not folder:
        return None
    path = Path(folder) / _FILE
    return path if path.is_file() else None


@cache
def _vocabulary(path: Path | None) -> "tiktoken.Encoding | None":
    """The vocabulary in a file; None where there is none. Read once a process."""
    if path is None:
        return None
    import tiktoken

    return tiktoken.get_encoding(ENCODING)
