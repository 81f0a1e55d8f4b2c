"""How long a reply may be, and how large the answer that carries it."""

from agentdebate.errors import ReplyTooLong
from agentdebate.models.base import Completion, Sampling

MOST = 200_000
"""Bytes of a reply, in UTF-8. A longer one is never used, shown to others or stored."""
_ANSWER = 1 << 20
"""Bytes of an answer with one reply: five times the reply, for what is escaped, and for reasoning that comes beside it."""
_SAMPLE = 2 * MOST
"""Bytes for every further reply."""
_LOGPROB = 160
"""Bytes for one token with its log-probability, of which there is one for each alternative too."""
_TOKENS = 4096
"""Tokens of a reply for which no limit was asked for."""
_LARGEST = 32 << 20
SURE = MOST // 4
"""Characters that cannot have more than MOST bytes, whatever they are: in UTF-8 one has four at the most."""


def largest_answer(sampling: Sampling) -> int:
    """The bytes up to which the answer to a request with these parameters is read."""
    size = _ANSWER + (sampling.n - 1) * _SAMPLE
    if sampling.logprobs is not None:
        size += sampling.n * (sampling.max_tokens or _TOKENS) * (1 + sampling.logprobs) * _LOGPROB
    return min(size, _LARGEST)


def check_size(completion: Completion, *, model: str = "") -> Completion:
    """The completion. Raises ReplyTooLong where it, or one of its further samples, has more than MOST bytes."""
    for text in (completion.text, *completion.others):
        if len(text) > SURE and (size := _bytes(text)) > MOST:
            raise ReplyTooLong(
                f"a reply of {size:,} bytes is too long: {MOST:,} are read at the most",
                size=size,
                usage=completion.usage,
                model=model,
            )
    return completion


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
