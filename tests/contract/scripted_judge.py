"""A judge whose replies follow from who is asked, what for and when: the same in every version, however prompts are worded.

Replies are JSON by the schema of the request. Values that a schema leaves open (a score, a choice, an order) are drawn from a
digest of agent, purpose, round and the place of the value among those of the reply; the texts beside them are fixed sentences.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from doors import Question, Reply

OBJECTION = "The second clause has no verb, and the score passes over that."
NO_ISSUE = "NO ISSUE"
PLANNED = ("Coherence", "Consistency", "Fluency", "Relevance", "Overall")
READERS = (
    "a bridge engineer",
    "a hurried commuter",
    "a tax lawyer",
    "a school child",
    "a sports reporter",
    "a poet",
)


@dataclass(frozen=True)
class Draws:
    """Numbers to fill a schema with. Texts have numbers of their own, so that one more text changes no score."""

    values: Iterator[int]
    words: Iterator[int]


def answer(question: Question) -> Reply:
    """Answer as the schema asks, or else with a sentence that suits the purpose; cost is declared, not counted."""
    drawn = Draws(_draws(question, "value"), _draws(question, "words"))
    text = (
        json.dumps(filled(question.schema, drawn), ensure_ascii=False)
        if question.schema is not None
        else _sentence(question)
    )
    return Reply(text, prompt_tokens=100 + 10 * len(question.heard), completion_tokens=7)


def _sentence(question: Question) -> str:
    """Give the sentence that a purpose needs; a critic gives in in the third round, unless the item is called stubborn."""
    if question.purpose == "criticise":
        return NO_ISSUE if question.round >= 3 and question.item != "stubborn" else OBJECTION
    if question.purpose == "plan":
        return "\n".join(f"{aspect}: rouge-1, chrf" for aspect in PLANNED)
    if question.purpose == "steps":
        return "1. Read the text.\n2. Compare it with the source.\n3. Score it."
    return f"{question.seat} says in round {question.round}: the second clause has no verb."


def _draws(question: Question, what: str) -> Iterator[int]:
    """Give one number after the other that follows from the question alone."""
    for place in count():
        key = f"{what}|{question.seat}|{question.purpose}|{question.round}|{question.item}|{question.sample}|{place}"
        yield int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big")


def filled(schema: Any, drawn: Draws) -> Any:
    """Fill a JSON schema: open values are drawn, texts are fixed."""
    if "enum" in schema:
        return schema["enum"][next(drawn.values) % len(schema["enum"])]
    if "anyOf" in schema:
        return filled(schema["anyOf"][0], drawn)
    return _OF_TYPE[schema.get("type", "string")](schema, drawn)


def _object(schema: Mapping[str, Any], drawn: Draws) -> dict[str, Any]:
    return {name: filled(one, drawn) for name, one in schema.get("properties", {}).items()}


def _text(_: Mapping[str, Any], drawn: Draws) -> str:
    return f"For {READERS[next(drawn.words) % len(READERS)]} clause {next(drawn.words) % 97} has no verb."


def _list(schema: Mapping[str, Any], drawn: Draws) -> Sequence[Any]:
    length = max(schema.get("minItems", 1), 1)
    items = schema.get("items", {})
    if "enum" in items:  # each at most once: an order, or a set
        start = next(drawn.words)
        options = items["enum"]
        return [options[(start + step) % len(options)] for step in range(min(length, len(options)))]
    return [filled(items, drawn) for _ in range(length)]


def _number(schema: Mapping[str, Any], drawn: Draws) -> int:
    low, high = int(schema.get("minimum", 1)), int(schema.get("maximum", 5))
    return low + next(drawn.words) % (high - low + 1)


def _truth(_: Mapping[str, Any], drawn: Draws) -> bool:
    return bool(next(drawn.values) % 2)


_OF_TYPE: Mapping[str, Callable[[Mapping[str, Any], Draws], Any]] = {
    "object": _object,
    "array": _list,
    "integer": _number,
    "number": _number,
    "boolean": _truth,
    "string": _text,
}
