"""Replies in the JSON of any dialect: the fields in it that make sense, and the completion that they come to.

Endpoints differ in what they leave out or set to null, so only the text is demanded: a field that is odd is as good as none,
for the reply was paid for.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from agentdebate.errors import ContentFiltered, MalformedReply, RequestRefused
from agentdebate.models.base import Completion, Finish, Sampling, TokenLogprob
from agentdebate.usage import Usage
from agentdebate.visible import is_blank

LARGEST_COUNT = 10**8
"""No call costs more tokens; a count beyond is as good as none."""
MARK = "\ufeff"
"""A byte-order mark, which some servers put before what they send: it is not part of it."""
MOST_CHOICES = 256
_LEAST = -9999.0
"""The log-probability of a token that the endpoint calls impossible; minus infinity is not JSON."""
_ROUNDING = 1e-3
"""Tolerance of log-probabilities above 0, which count as 0."""
_SHOWN = 200
"""Characters of an endpoint's text that an error quotes."""


def loaded(body: bytes) -> Any:
    """The JSON in a body; half a character in a text, as where an emoji was cut, is read. Raises ValueError."""
    try:
        return json.loads(body.removeprefix(MARK.encode()).decode("utf-8"))
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def read_object(body: bytes, what: str) -> dict[str, Any]:
    """The JSON object in a body. Raises MalformedReply, which says that it is not `what`, and shows it."""
    try:
        found = loaded(body)
    except ValueError as error:
        raise not_a(what, f"the body: {error}", body) from None
    if not isinstance(found, dict):
        raise not_a(what, "the body: it is not an object", body)
    return found


def not_a(what: str, why: str, body: bytes) -> MalformedReply:
    """The error of a body that is not `what`."""
    return MalformedReply(f"this is not {what}: {tidy(why)}: {tidy(body[:1000].decode('utf-8', 'replace'))}")


def mapping(value: object) -> dict[str, Any]:
    """A JSON object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def objects(value: object) -> list[dict[str, Any]]:
    """The objects in a list; none in anything else."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def text_or_none(value: object) -> str | None:
    """A text; None for anything else."""
    return value if isinstance(value, str) else None


def count(value: object) -> int:
    """A number of tokens; 0 for what cannot be one."""
    return int(value) if _is_count(value) else 0


def counts(value: object, *wanted: str, maybe: Sequence[str] = ()) -> dict[str, Any]:
    """An object of numbers of tokens; an empty one where a wanted number is missing, or one of them is odd.

    Half of what a call cost would pass for all of it, and where nothing is said our own count stands in for it.
    """
    said = mapping(value)
    sound = all(_is_count(said.get(name)) for name in wanted)
    return said if sound and all(_is_count(said.get(name, 0)) for name in maybe) else {}


def _is_count(value: object) -> TypeGuard[int | float]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    # An int may be too large to become a float, and NaN is in no range.
    return 0 <= value <= LARGEST_COUNT and value == int(value)


def token_logprob(found: object, name: str, alternatives: Sequence[object]) -> TokenLogprob:
    """A token with its log-probability, which stands under `name`, and the alternatives at its place. Raises MalformedReply."""
    token, value = _token(found, name)
    return TokenLogprob(token=token, logprob=value, top=tuple(_token(one, name) for one in alternatives))


def _token(found: object, name: str) -> tuple[str, float]:
    said = mapping(found)
    token, value = said.get("token"), said.get(name)
    value = _LEAST if value is None else value
    if not isinstance(token, str) or not isinstance(value, int | float):
        raise MalformedReply(f"a log-probability in the reply is none: {tidy(repr(found)[:1000])}")
    if not value <= _ROUNDING:
        raise MalformedReply("a log-probability in the reply is not a number of 0 or less")
    return token, min(max(float(value), _LEAST), 0.0)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the texts in a reply."""

    text: str
    finish: Finish
    logprobs: tuple[TokenLogprob, ...] | None = None


def ended(text: str, reason: str | None, known: Mapping[str | None, Finish]) -> tuple[str, Finish]:
    """The text of a choice, and why it ends. One without a text that ended as it should not is a refusal, which names the reason."""
    finish = known.get(reason, "other")
    if finish in ("other", "refusal") and is_blank(text):
        return f"refused: {tidy(reason or 'no reason given')}", "refusal"
    return text, finish


@dataclass(frozen=True, slots=True)
class Response:
    """A reply of any dialect, as far as it is read."""

    choices: Sequence[Choice]
    usage: Usage
    model: str | None = None
    id: str | None = None
    stopped: str = "the reply"
    """Make the reply of a filter, where it left no choice."""
    tier: str = ""
    """Tier at which it was answered; empty where that is the one it was asked at."""

    def completion(
        self, sampling: Sampling, *, model: str, structured: bool, latency: float, request_id: str | None
    ) -> Completion:
        """The completion in it, for a request with these sampling parameters; `model` is its whole name.

        Raises ContentFiltered where a filter stopped every choice, and RequestRefused where the endpoint passed over
        log-probabilities that were asked for.
        """
        kept = [choice for choice in self.choices if choice.finish != "filter"]
        if not kept:
            raise ContentFiltered(f"the provider's filter stopped {self.stopped}")
        first, others = kept[0], kept[1 : sampling.n]
        logprobs = None if sampling.logprobs is None else first.logprobs
        if sampling.logprobs is not None and logprobs is None:
            if first.text and first.finish != "refusal":
                raise RequestRefused(
                    "the endpoint gave no log-probabilities: use one that does, or do not ask for them"
                ).about("logprobs")
            logprobs = ()
        return Completion(
            text=first.text,
            model=model,
            usage=self.usage,
            finish=first.finish,
            structured=structured,
            logprobs=logprobs,
            latency=latency,
            request_id=request_id or tidy(self.id or "") or None,
            others=tuple(choice.text for choice in others),
            cut=tuple(number for number, choice in enumerate(others) if choice.finish == "length"),
        )


def tidy(text: str) -> str:
    """A short, single, printable line of somebody else's text."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text[: 10 * _SHOWN]).split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
