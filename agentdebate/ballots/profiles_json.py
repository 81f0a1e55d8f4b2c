"""Pairs of a type and a description in a roster that was answered in JSON, whole or broken."""

import json
import re
from collections.abc import Iterator
from typing import Any

from agentdebate.ballots.braces import spans
from agentdebate.ballots.entries import Entries, fold_key
from agentdebate.ballots.profiles import TEXT_KEYS, TYPE_KEYS, Pair, halves, is_heading, kind_of, tidy
from agentdebate.ballots.repair import repaired


def pairs_in_json(text: str, *, cut_off: bool) -> tuple[list[Pair], bool]:
    """The pairs in the JSON of a text, in order, and whether it had to be mended first."""
    found: list[Pair] = []
    for span in spans(text):
        parsed = _parsed(span.text) if span.closed else None
        if parsed is not None:
            found += _walk(parsed)
    mended = list(_mended(text, cut_off=cut_off))
    return (mended, True) if len(mended) > len(found) else (found, False)


def _walk(value: Any) -> Iterator[Pair]:
    """The pairs in a JSON value: objects with both halves, or keys and strings, or strings that hold both."""
    if isinstance(value, Entries):
        keyed = [(fold_key(key), inner) for key, inner in value]
        kinds = [inner for key, inner in keyed if key in TYPE_KEYS and isinstance(inner, str)]
        texts = [inner for key, inner in keyed if key in TEXT_KEYS and isinstance(inner, str)]
        if kinds and texts:
            yield tidy(kinds[0]), tidy(texts[0])
            return
        for key, inner in value:
            if isinstance(inner, str):
                yield from _from_key(key, inner)
            else:
                yield from _walk_named(key, inner)
    elif isinstance(value, list):
        for inner in value:
            if isinstance(inner, str):
                pair = halves(inner)
                yield (kind_of(pair[0]), tidy(pair[1])) if pair else (tidy(inner), "")
            else:
                yield from _walk(inner)


def _walk_named(key: str, value: Any) -> Iterator[Pair]:
    """As _walk; an object that holds a description alone has its type in the key."""
    if isinstance(value, Entries) and len(value) == 1 and fold_key(value[0][0]) in TEXT_KEYS:
        inner = value[0][1]
        if isinstance(inner, str):
            yield tidy(key), tidy(inner)
            return
    yield from _walk(value)


def _from_key(key: str, text: str) -> Iterator[Pair]:
    if re.fullmatch(r"(?:role|user|reader|judge|type)?_?[0-9]{1,3}", fold_key(key)):
        pair = halves(text)
        yield (kind_of(pair[0]), tidy(pair[1])) if pair else (tidy(text), "")
    elif not is_heading(key):
        yield tidy(key), tidy(text)


def _parsed(text: str) -> Entries | None:
    try:
        parsed = json.loads(text, object_pairs_hook=Entries, strict=False)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, Entries) else None


def _mended(text: str, *, cut_off: bool) -> Iterator[Pair]:
    """The pairs of broken JSON, mended, so far as both halves stand in the text with a quote behind each."""
    mended = repaired(text[text.find("{") :] if "[" not in text.split("{", 1)[0] else text)
    quotes = "\"'”" if cut_off else "\"'”\n}"
    for kind, description in _walk(Entries.of(mended)):
        if all(_stands(half, text, quotes) for half in (kind, description)):
            yield kind, description


def _stands(half: str, text: str, quotes: str) -> bool:
    words = r"(?:\s|\\n)+".join(re.escape(word).replace('"', r'\\?"') for word in half.split())
    return (
        re.search(
            rf"{words}\s*(?:[{re.escape(quotes)}]|\Z)" if "\n" in quotes else rf"{words}\s*[{quotes}]", text
        )
        is not None
    )
