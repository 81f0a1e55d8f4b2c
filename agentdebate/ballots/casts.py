"""The votes of a poll that was answered in JSON, whole or broken."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agentdebate.ballots.braces import spans
from agentdebate.ballots.entries import Entries, fold_key
from agentdebate.ballots.parts import Part, Titles
from agentdebate.ballots.pattern import pattern
from agentdebate.ballots.repair import repaired
from agentdebate.ballots.tree import Entry, Node, objects
from agentdebate.ballots.vote_reader import NOBODY, PartVote, VoteReader

_VOTES = frozenset(
    [
        "vote",
        "votes",
        "choice",
        "preference",
        "preferred",
        "verdict",
        "winner",
        "decision",
        "pick",
        "selection",
        "selected",
        "chosen",
        "answer",
        "better",
        "best",
        "final_vote",
        "final_choice",
        "final_verdict",
        "voted_for",
        "vote_for",
        "my_vote",
        "better_summary",
        "better_answer",
        "better_response",
        "preferred_summary",
        "preferred_answer",
        "preferred_response",
        "preferred_option",
    ]
)
_REASONS = frozenset(
    [
        "reason",
        "reasons",
        "reasoning",
        "explanation",
        "rationale",
        "analysis",
        "justification",
        "thought",
        "thoughts",
        "comment",
        "comments",
    ]
)
_NAMES = frozenset(
    [
        "role",
        "name",
        "title",
        "player",
        "persona",
        "voter",
        "judge",
        "role_name",
        "role_title",
        "user_type",
        "type",
        "character",
    ]
)
_NUMBERS = frozenset(["id", "index", "number", "no", "role_id", "role_number", "player_id"])
_FORM_KEY = pattern(r"role_([1-9][0-9]{0,2})")
_NOT_PLAYING = "?"
"""Stands for a name that no player has; no title in words looks like it."""
_VOTE_KEY = pattern(
    rf"[\"'“]?\b(?:{'|'.join(sorted(_VOTES, key=len, reverse=True))})[\"'”]?\s{{0,9}}:", re.IGNORECASE
)


@dataclass(slots=True)
class _Walk:
    """Gathers the parts of a poll from JSON values; `parts` in the order of the text."""

    titles: Titles
    reader: VoteReader
    parts: list[Part]

    def take(self, node: Node, title: str | None = None, number: int | None = None) -> None:
        """Gather from an object or an array and all in it; a title or number is what the key above it names."""
        if not node.entries:
            for inner in node.nodes:
                self.take(inner)
            return
        keyed = [(fold_key(entry.key), entry) for entry in node.entries]
        own = [entry for key, entry in keyed if key in _VOTES and not _is_nest(entry.node)]
        title, number = self._name(keyed, title, number)
        if own:
            told = [entry for key, entry in keyed if key in _REASONS]
            self._put(own, told, title, number)
        for key, entry in keyed:
            if (key in _VOTES and not _is_nest(entry.node)) or key in _REASONS:
                continue
            named = self._keyed(entry.key)
            if _is_nest(entry.node):
                self.take(entry.node, *named)
            elif named != (None, None) and not own and self._speaks(entry.node.value):
                self._put([entry], [], *named, whole=False)

    def _keyed(self, key: str) -> tuple[str | None, int | None]:
        """The title and the number that a key stands for. The form's own keys are numbers, even where a reader is called like one."""
        own = _FORM_KEY.fullmatch(key)
        return (None, int(own[1])) if own else self.titles.named(key)

    def _name(
        self, keyed: Sequence[tuple[str, Entry]], title: str | None, number: int | None
    ) -> tuple[str | None, int | None]:
        for key, entry in keyed:
            value = entry.node.value
            if key in _NAMES and isinstance(value, str) and value.strip():
                found, numbered = self.titles.named(value)
                # A name that no player has leaves the part without a player, whatever its place.
                title = found or (title if numbered else _NOT_PLAYING)
                number = numbered or number
            elif key in _NUMBERS | _NAMES and isinstance(value, int) and not isinstance(value, bool):
                number = value
        return title, number

    def _put(
        self,
        cast: Sequence[Entry],
        told: Sequence[Entry],
        title: str | None,
        number: int | None,
        *,
        whole: bool = True,
    ) -> None:
        entries = [*cast, *told]
        start = min(entry.start if whole else entry.node.start for entry in entries)
        end = max(entry.node.end for entry in entries)
        reason = "\n".join(_text(entry.node) for entry in told)
        votes = [self._vote(entry.node.value) for entry in cast if entry.node.value not in (None, "")]
        choice = _inner(cast[-1].node)
        self.parts.append(Part(start, end, title, number, votes=votes, reason=reason, choice=choice))

    def _vote(self, value: object) -> PartVote:
        """The vote of a value; a number may count from 0 as well as from 1."""
        vote = self.reader.value(value) if isinstance(value, str) else PartVote(NOBODY, _shown(value), "json")
        return replace(vote, rule="json")

    def _speaks(self, value: object) -> bool:
        """Whether what stands under a player's name holds a vote."""
        return isinstance(value, str) and bool(self.reader.votes(value))


def cast_in(text: str, titles: Titles, reader: VoteReader) -> list[Part] | None:
    """The parts of a poll in the whole JSON objects of a text; None where none of them speaks of votes."""
    if "{" not in text:
        return None
    walk = _Walk(titles, reader, [])
    for node in objects(text):
        walk.take(node)
    return walk.parts or None


def cast_in_broken(text: str, titles: Titles, reader: VoteReader, *, cut_off: bool) -> list[Part] | None:
    """The parts of a poll in broken JSON, mended. Every vote has to stand in the text as the mended JSON has it."""
    for span in spans(text):
        if span.closed and _is_whole(span.text):
            continue
        keys = list(_VOTE_KEY.finditer(span.text))
        mended = _mended(span.text) if keys else None
        if mended is None:
            continue
        walk = _Walk(titles, reader, [])
        walk.take(mended)
        quoted = [key for key in keys if key[0][0] in "\"'“"]
        if len(quoted or keys) != sum(len(part.votes) for part in walk.parts):
            # Of two votes under one key, mending keeps one.
            return []
        if walk.parts:
            offset = text.find(span.text)
            return list(_confirmed(walk.parts, span.text, offset, cut_off=cut_off))
    return None


def is_json(text: str) -> bool:
    """Whether a text starts as JSON does, in a fence or not."""
    return text.lstrip(" \t\r\n`").removeprefix("json").lstrip().startswith(("{", "["))


def _is_whole(text: str) -> bool:
    return next(objects(text), None) is not None


def _mended(text: str) -> Node | None:
    mended = repaired(text)
    return _placed(Entries.of(mended), iter(range(10**9))) if isinstance(mended, dict) else None


def _placed(value: Any, places: Iterator[int]) -> Node:
    """Mended JSON as nodes; since it has no places in the text, they are merely counted."""
    start = next(places)
    if isinstance(value, Entries):
        held: list[Any] = [Entry(key, next(places), _placed(inner, places)) for key, inner in value]
    elif isinstance(value, list):
        held = [_placed(inner, places) for inner in value]
    else:
        return Node(value, start, next(places))
    return Node(held, start, next(places))


def _confirmed(parts: Sequence[Part], text: str, offset: int, *, cut_off: bool) -> Iterator[Part]:
    """The parts with their places in the broken text, each vote looked for behind the one before."""
    at = 0
    for part in parts:
        found = _stands(part, text, at, cut_off=cut_off)
        if found is None:
            votes = [PartVote(NOBODY, "a vote that is not whole", "json")] if part.votes else []
            yield Part(0, 0, part.title, part.number, votes=votes, open=cut_off)
            continue
        start = text.rfind("{", at, found.start())
        end = text.find("}", found.end())
        stop = len(text.rstrip()) if end < 0 else end
        following = _VOTE_KEY.search(text, found.end())
        if following is not None and following.start() < stop:
            stop = found.end()
        part.start, part.end = (found.start() if start < 0 else start + 1) + offset, stop + offset
        part.choice = found.start("choice") + offset, found.end("choice") + offset
        at = stop
        yield part


def _stands(part: Part, text: str, at: int, *, cut_off: bool) -> re.Match[str] | None:
    """Where a vote stands in broken JSON with its key, to the quote, comma or line end that closes it."""
    if len(part.votes) != 1:
        return None
    said = part.votes[0].shown.split()
    # A dash by itself lies between two words: as a word it could be found in many ways, and in exponential time.
    said = [word for word in said if word.strip("_-")] or said[:1]
    words = r"[\s_-]{0,9}".join(map(re.escape, said))
    ends = r"\s{0,40}[.]?\s{0,40}(?:[\"'”]|[,}\n]" + (")" if cut_off else r"|\Z)")
    return re.compile(
        rf"(?:{_VOTE_KEY.pattern}|:)\s{{0,9}}[\"'“]?\s{{0,9}}(?P<choice>{words}){ends}", re.IGNORECASE
    ).search(text, at)


def _inner(node: Node) -> tuple[int, int]:
    """Where a value stands, without the quotes of a string."""
    quoted = isinstance(node.value, str)
    return (node.start + 1, node.end - 1) if quoted else (node.start, node.end)


def _is_nest(node: Node) -> bool:
    return isinstance(node.value, list)


def _text(node: Node) -> str:
    if isinstance(node.value, str):
        return node.value
    return "\n".join(
        [*(_text(entry.node) for entry in node.entries), *(_text(inner) for inner in node.nodes)]
    )


def _shown(value: object) -> str:
    return " ".join(str(value).split())[:80]
