"""Ballots out of JSON, whole or broken."""

import json
import math
import re
from collections.abc import Sequence
from typing import Any

from agentdebate.ballots.ballot import Ballot, How
from agentdebate.ballots.braces import Span, spans
from agentdebate.ballots.entries import Entries, gather, keys_of
from agentdebate.ballots.letters import with_numbers
from agentdebate.ballots.markup import plain
from agentdebate.ballots.numbers import Value, show, to_number
from agentdebate.ballots.reading.decision import Found, settle
from agentdebate.ballots.reading.reply_pieces import pieces_of
from agentdebate.ballots.reading.scores import whole_value
from agentdebate.ballots.repair import repaired
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.tasks import Aspect

_LONGEST_STRING = 60
"""Characters; a longer string is not a number."""

_NUMBER = r"[-+]?(?:[0-9]++(?:[.][0-9]++)?+|[.][0-9]++)(?:[eE][+-]?[0-9]++)?+"
_QUOTE = "[\"'“”]?"
_ENDS = rf"\s*+{_QUOTE}\s*+(?:[,;}}\]\n#]|//|(?<=[\"'”\s])[\"'“](?=\w)"


def read_json(
    text: str, aspects: Sequence[Aspect], *, structured: bool, cut_off: bool, partial: bool = False
) -> Ballot | Problem | None:
    """The ballot in the JSON that a text is or holds; None where no object in it has a key that is wanted.

    The text comes without the thinking before it (see fold.py).
    `structured` says that the endpoint enforced the schema, `cut_off` that the text stopped at the length limit.
    """
    if "{" not in text:
        return None
    wanted = keys_of(aspects)
    hits = [span for span in spans(text) if wanted.search(span.text)]
    objects = [entries for span in hits if span.closed and (entries := _parse(span.text)) is not None]
    gathered = gather(objects, aspects)
    # JSON that speaks of other aspects alone is missing ours: it is not to be read as prose.
    if gathered.has_keys or (objects and is_json(text)):
        found = [
            Found(aspect, tuple(_value(raw, aspect) for raw in raws if raw is not None), "json")
            for aspect, raws in zip(aspects, gathered.raws, strict=True)
        ]
        how: How = "schema" if structured else "text"
        return settle(found, reason=gathered.reason, how=how, cut_off=cut_off, partial=partial)
    return _read_broken(text, hits, aspects, cut_off=cut_off, partial=partial)


def _parse(text: str) -> Entries | None:
    try:
        # Not strict: grammars of some servers let raw line ends and control characters into strings.
        parsed = json.loads(text, object_pairs_hook=Entries, parse_int=float, strict=False)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, Entries) else None


def _value(raw: object, aspect: Aspect) -> Value:
    """What a JSON value says as a score; one outside every scale where it is not a number."""
    if isinstance(raw, float | int) and not isinstance(raw, bool):
        return Value((float(raw),), show(float(raw)))
    if isinstance(raw, str) and len(raw) <= _LONGEST_STRING:
        said = with_numbers(raw, [aspect], aspect.scale.grades)
        _, value = whole_value(pieces_of(plain(said), [aspect])) or (0, None)
        if value is not None:
            return value
    return Value(
        (math.nan,), json.dumps(raw)[:_LONGEST_STRING] if isinstance(raw, str | bool) else "a list or object"
    )


def _read_broken(
    text: str, hits: list[Span], aspects: Sequence[Aspect], *, cut_off: bool, partial: bool
) -> Ballot | Problem | None:
    for span in hits:
        mended = _mend(span.text)
        gathered = gather([mended] if mended is not None else [], aspects)
        if not gathered.has_keys:
            continue
        found = [
            _confirmed(span, aspect, raws, cut_off)
            for aspect, raws in zip(aspects, gathered.raws, strict=True)
        ]
        settled = settle(found, reason=gathered.reason, how="repaired", cut_off=cut_off, partial=partial)
        # Where a brace merely stands somewhere in prose, the prose may hold the score.
        return None if isinstance(settled, Problem) and not is_json(text) else settled
    return None


def is_json(text: str) -> bool:
    """Whether a text starts as JSON does, in a fence or not."""
    return text.lstrip(" \t\r\n`").removeprefix("json").lstrip().startswith(("{", "["))


def _mend(text: str) -> Entries | None:
    mended = repaired(text)
    return Entries.of(mended) if isinstance(mended, dict) else None


def _confirmed(span: Span, aspect: Aspect, raws: list[Any], cut_off: bool) -> Found:
    """The values that stand in the broken JSON word for word, each as a whole.

    Mending guesses: it makes 4 of "4 or 5", and 1 of a 10 that was cut in two.
    """
    ends = _ENDS + (")" if cut_off else r"|\Z)")
    numbers = {
        to_number(m[1].lower()) for m in re.finditer(rf":\s*+{_QUOTE}\s*+({_NUMBER}){ends}", span.text)
    }
    values = []
    for raw in raws:
        value = _value(raw, aspect) if raw is not None else None
        if value is None:
            continue
        if isinstance(raw, str):
            stands = re.search(rf":\s*+{_QUOTE}\s*+{re.escape(raw)}{ends}", span.text) is not None
        else:
            stands = value.numbers[0] in numbers
        if not stands and cut_off:
            return Found(aspect, (value,), "json", cut=True)
        values.append(value if stands else Value((math.nan,), "a number with something after it"))
    return Found(aspect, tuple(values), "json")
