"""What stands on a ballot that is not filled in with numbers: labelled lines in text, keys in JSON."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentdebate.ballots.ballot import Given, How
from agentdebate.ballots.braces import spans
from agentdebate.ballots.excerpt import Ends, excerpt
from agentdebate.ballots.fold import spoken
from agentdebate.ballots.lineup import Candidate
from agentdebate.ballots.markup import plain
from agentdebate.ballots.quotations import quotations
from agentdebate.ballots.reading.names import names_of
from agentdebate.ballots.refusal import declines
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.short_quotation import quoted
from agentdebate.ballots.withdrawal import WITHDRAWN, marked
from agentdebate.tasks import Aspect
from agentdebate.visible import is_blank

_ENTRY = re.compile(r"\s*(?:[-*•]|\(?(?P<number>[0-9]{1,3})[.):])\s+(?P<text>.*)")
"""An entry of a list below a label."""


@dataclass(frozen=True, slots=True)
class BallotPaper:
    """What a reader found on a ballot: the judgement on each aspect, the reason, and where the judgements stand in the reply."""

    given: tuple[Given, ...]
    reason: str
    how: How = "text"
    places: tuple[tuple[int, int], ...] = ()
    """Characters of the reply, from and to; empty where that cannot be told."""
    ends: Ends | None = None
    """As in a ballot's reading."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a reply writes under a label, in small letters and without markup: one line, or a list below it."""

    text: str
    items: tuple[tuple[int | None, str], ...]
    """The entries of a list, each with the number before it."""
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Form:
    """A reply taken apart: an object in it that has the keys of the form, or the lines that begin with its labels."""

    said: str
    values: Mapping[str, Any] | None
    entries: Mapping[str, Entry]
    """By the name of the aspect."""
    ends: Ends | None

    @property
    def reason(self) -> str:
        """What is said for the judgement: the reason in an object, else the whole reply."""
        if self.values is None:
            return self.said.strip()
        reason = self.values.get("reason")
        return reason.strip() if isinstance(reason, str) else ""

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Where the lines stand that hold the judgement."""
        return tuple((entry.start, entry.end) for entry in self.entries.values() if entry.start < entry.end)


def labels_of(aspects: Sequence[Aspect], word: str) -> dict[str, str]:
    """What the line of each aspect begins with: one word where there is a single aspect, else the aspect's title."""
    return {aspect.name: word if len(aspects) == 1 else aspect.title for aspect in aspects}


def keys_of(aspects: Sequence[Aspect], word: str) -> dict[str, str]:
    """The key of each aspect in JSON: one word where there is a single aspect, else the aspect's name."""
    return {aspect.name: word if len(aspects) == 1 else aspect.name for aspect in aspects}


def read_form(text: str, aspects: Sequence[Aspect], word: str, *, cut_off: bool) -> Form | Problem:
    """The form in a reply, with something for each of the aspects; or why there is none.

    `word` is the label of a single aspect. Lines that disagree are a Problem, and so is a line that a reply was cut off in.
    """
    said = spoken(text)
    part = excerpt(said)
    values = _object(part.text, keys_of(aspects, word))
    if isinstance(values, Problem):
        return values
    if values is not None:
        return Form(said, values, {}, part.ends)
    parts = quotations(part.text)
    labels = labels_of(aspects, word)
    entries = _entries(parts.own, labels) or _entries(parts.claimed, labels)
    if isinstance(entries, Problem):
        return entries
    missing = [label for name, label in labels.items() if name not in entries]
    if missing:
        return _nothing(said, missing, cut_off=cut_off)
    last = plain(said.rstrip().rpartition("\n")[2]).strip()
    if cut_off and any(last.endswith(entry.text) for entry in entries.values()):
        return Problem("cut_off", "The reply was cut off within its last line.")
    return Form(said, None, {name: _placed(entry, text) for name, entry in entries.items()}, part.ends)


def fields_of(pieces: Sequence[str], candidates: Sequence[Candidate]) -> tuple[str, ...] | Problem:
    """The fields of the candidates that pieces of a ballot name and say nothing else, one each."""
    names = names_of(tuple(candidate.label for candidate in candidates), "")
    places = [names.whole(piece) for piece in pieces]
    if None in places:
        known = ", ".join(candidate.label for candidate in candidates)
        unknown = quoted(pieces[places.index(None)])
        return Problem("several", f"{unknown} is none of {known}.")
    return tuple(candidates[place].field for place in places if place is not None)


def listed(candidates: Sequence[Candidate], fields: Sequence[str]) -> str:
    """What the candidates of these fields are called."""
    return ", ".join(candidate.label for candidate in candidates if candidate.field in fields)


def _nothing(said: str, missing: Sequence[str], *, cut_off: bool) -> Problem:
    if is_blank(said) or not any(character.isalnum() for character in said):
        return Problem("cut_off" if cut_off else "nothing", "The reply is empty.")
    if declines(said):
        return Problem("refusal", "The reply declined to answer.")
    if cut_off:
        return Problem("cut_off", f"The reply was cut off before its line {missing[0]}: came.")
    return Problem("missing", f"I found no line in the reply that begins with {missing[0]}:")


def _object(text: str, keys: Mapping[str, str]) -> Mapping[str, Any] | Problem | None:
    """The one object of a text that has a key for every aspect; None where there is none."""
    if "{" not in text:
        return None
    found: list[dict[str, Any]] = []
    for span in spans(text):
        try:
            pairs = json.loads(span.text, strict=False, object_pairs_hook=list)
            value = json.loads(span.text, strict=False)
        except (ValueError, RecursionError):
            continue
        if not (isinstance(value, dict) and all(key in value for key in keys.values())):
            continue
        names = [name for name, _ in pairs]
        twice = next((key for key in keys.values() if names.count(key) > 1), None)
        if twice is not None:
            return Problem("several", f'The object in the reply has the key "{twice}" twice.')
        found.append({name: value[key] for name, key in keys.items()} | {"reason": value.get("reason")})
    if any(one != found[0] for one in found):
        return Problem("several", "The reply holds several objects, and I cannot tell which one is meant.")
    return found[0] if found else None


def _entries(text: str, labels: Mapping[str, str]) -> dict[str, Entry] | Problem:
    """What a text writes under each label; behind words that take back what was said, only what follows them."""
    lines = text.split("\n")
    folded = [plain(line) for line in lines]
    taken_back = max((at for at, line in enumerate(folded) if WITHDRAWN in marked(line)), default=-1)
    found: dict[str, Entry] = {}
    for name, label in labels.items():
        pattern = re.compile(rf"[^\w\n]*(?:(?:my|the|final|overall)\s+)*{re.escape(plain(label))}\s*:\s*(.*)")
        hits = [(at, hit[1].strip()) for at, line in enumerate(folded) if (hit := pattern.fullmatch(line))]
        stated = [_entry(lines, folded, at, rest) for at, rest in hits if at >= taken_back]
        if hits and not stated:
            return Problem("several", f"The reply gives {label} and takes something back.")
        if any((one.text, one.items) != (stated[0].text, stated[0].items) for one in stated):
            return Problem(
                "several", f"I found several lines for {label}, and cannot tell which one is meant."
            )
        if stated:
            found[name] = stated[-1]
    return found


def _entry(lines: Sequence[str], folded: Sequence[str], at: int, rest: str) -> Entry:
    """A line with what stands behind its label; where nothing does, the list below it."""
    if rest:
        return Entry(rest, (), 0, len(lines[at]))
    items: list[tuple[int | None, str]] = []
    for line in lines[at + 1 :]:
        entry = _ENTRY.fullmatch(line)
        if entry is None and (line.strip() or items):
            break
        if entry is not None:
            number = entry["number"]
            items.append((int(number) if number else None, plain(entry["text"]).strip()))
    return Entry(folded[at + len(items)] if items else "", tuple(items), 0, 0)


def _placed(entry: Entry, text: str) -> Entry:
    """The entry with its place in the reply, where its words stand there as they are."""
    low = text.lower()
    comparable = entry.text and not entry.items and len(low) == len(text)
    start = low.rfind(entry.text) if comparable else -1
    return Entry(entry.text, entry.items, max(start, 0), start + len(entry.text) if start >= 0 else 0)
