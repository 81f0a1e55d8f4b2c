"""Polls: one reply that holds the votes of several role players, each with a reason (DRPE, Section 3.2).

A reply is JSON by the schema, or text. In text a line that begins with a player's title, or with its number, opens that player's
part. Every player has exactly one vote, or the reply is a Problem: a part without one, two votes that differ, a tie, or a vote for
what is not there is never guessed at.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from agentdebate.ballots.lineup import Candidate
from agentdebate.ballots.replies import outcome
from agentdebate.ballots.replies.choices import read_choice
from agentdebate.ballots.replies.json_objects import objects
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.replies.refusal import declines

How = Literal["schema", "text"]
_KEYS = "vote|choice|preference|verdict|winner|decision"
_JSON_VOTE = re.compile(rf'(?<!\\)"(?:{_KEYS})"\s*:\s*"((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_FOUND = ("several", "off_scale")
"""What kinds of problem say that a vote is there."""
_VOTE_LINE = rf"(?im)^[^\w\n]{{0,12}}(?:final |my )?(?:{_KEYS})\b[^\n:：]{{0,40}}[:：][^\w\n]{{0,12}}"
"""The form of a vote: where it cannot be read, nothing else in the part is the vote."""
_REASON_WORD = re.compile(r"^\W*(?:reasons?|reasoning)\W*[:：]\W*", re.IGNORECASE)
_ROLE = r"(?:role|player|voter|reader|evaluator)[ \t_]{0,3}#?"


@dataclass(frozen=True, slots=True)
class Choice:
    """One player's vote: the field of the candidate, the reason, and from where to where the reply names the candidate.

    Where it cannot be told where the candidate is named, `start` and `end` are those of the player's whole part.
    """

    candidate: str
    reason: str
    start: int
    end: int
    how: How
    rule: str = ""
    """The rule of docs/explanation/reading-replies.md by which the vote was read."""


@dataclass(frozen=True, slots=True)
class _Part:
    """What a reply says for one player: its vote, and where that is in the reply."""

    reason: str
    vote: outcome.Choice
    start: int
    end: int


def poll_schema(players: Sequence[str], candidates: Sequence[Candidate]) -> dict[str, Any]:
    """The JSON schema of a poll: for each player a reason and then a vote; for at most one player just these two."""
    vote = {"type": "string", "enum": [candidate.label for candidate in candidates]}
    one = _closed({"reason": {"type": "string"}, "vote": vote})
    return one if len(players) <= 1 else _closed({f"role_{k + 1}": one for k in range(len(players))})


def read_poll(
    text: str,
    players: Sequence[str],
    candidates: Sequence[Candidate],
    *,
    structured: bool = False,
    cut_off: bool = False,
    patterns: bool = True,
) -> tuple[Choice, ...] | Problem:
    """Read the vote of every player, in the order of `players` (titles); or why not all can be told.

    With no players, or one, the whole reply is that one's. `structured` says that the endpoint held the reply to the schema,
    `cut_off` that it stopped at the length limit; without `patterns` only votes in a form count.
    """
    titles = list(players) or [""]
    owned: list[list[_Part]] = [[] for _ in titles]
    for start, end, player in _spoken(text, titles):
        labels = [candidate.label for candidate in candidates]
        cut = cut_off and end == len(text)
        owned[player].append(_part(text, start, end, labels, cut_off=cut, patterns=patterns))
    votes = [_settled(parts, text) for parts in owned]
    problem = _problem(titles, votes, cut_off=cut_off)
    if problem is not None:
        return problem
    fields = {candidate.label: candidate.field for candidate in candidates}
    how: How = "schema" if structured and text.lstrip().startswith("{") else "text"
    return tuple(
        Choice(fields[one.vote.choice or ""], one.reason, one.start, one.end, how, one.vote.rule)
        for one in votes
    )


def _spoken(text: str, titles: Sequence[str]) -> list[tuple[int, int, int]]:
    """Where each part of a reply begins and ends, and whose it is."""
    if len(titles) == 1:
        return [(0, len(text), 0)]
    heads = list(_heads(text, titles))
    ends = [start for start, _, _ in heads[1:]] + [len(text)] * bool(heads)
    return [(body, end, player) for (_, body, player), end in zip(heads, ends, strict=True)]


def _heads(text: str, titles: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """The headings: from where to where, and whose, by the title, or by the number where it is that title's or stands alone."""
    words = [_words(title) for title in titles]
    found = list(_heading(tuple(words)).finditer(text))
    keys = [head for head in found if head["key"]]
    for head in keys or [one for one in found if one["title"] or one["role"]] or found:
        number = int(head["key"] or head["number"] or 0) - 1
        title = _words(head["title"] or "")
        if number in range(len(titles)) and title in ("", words[number]):
            yield head.start(), head.end(), number
        elif title:
            yield head.start(), head.end(), words.index(title)


def _words(title: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", title.casefold()))


@lru_cache(maxsize=64)
def _heading(titles: tuple[str, ...]) -> re.Pattern[str]:
    named = sorted(filter(None, titles), key=len, reverse=True)
    joined = "|".join(r"[\W_]{1,9}".join(map(re.escape, title.split())) for title in named) or "(?!)"
    key = r'(?<!\\)"role_(?P<key>\d{1,3})"\s*:'
    number = rf"(?P<role>{_ROLE})?(?P<number>\d{{1,3}})\b(?:[^\w\n]{{1,9}}|$)"
    title = rf"(?:(?:role|as|for)\b:? )?(?:(?:the|an?) )?(?P<title>{joined})(?!\w)(?:['’]s\b)?"
    return re.compile(rf"(?im){key}|^(?![ \t]{{0,40}}[{{\"])[^\w\n]{{0,12}}(?=\w)(?:{number})?(?:{title})?")


def _part(text: str, start: int, end: int, labels: Sequence[str], *, cut_off: bool, patterns: bool) -> _Part:
    """A player's part of a reply, from behind its heading."""
    own = text[start:end]
    in_json = list(_JSON_VOTE.finditer(own))
    if in_json:
        vote = read_choice("\n".join(f"Vote: {one[1]}" for one in in_json), labels, ties=False)
        reasons = [str(value) for found, _, _ in objects(own) for key, value in found if key == "reason"]
        place = start + in_json[-1].start(1), start + in_json[-1].end(1)
        return _Part("\n".join(reasons), replace(vote, rule="json"), *place)
    patterns = patterns and not re.search(_VOTE_LINE, own)
    vote = read_choice(own.lstrip(" :.-*)\"'\n"), labels, ties=False, cut_off=cut_off, patterns=patterns)
    reason = _REASON_WORD.sub("", re.sub(rf"{_VOTE_LINE}.*", "", own).strip(" :-*\r\n\t"))
    return _Part(reason.strip(), vote, *_place(own, start, vote.choice))


def _place(own: str, start: int, choice: str | None) -> tuple[int, int]:
    """From where to where a part names the text it votes for: behind the label of a form's line, else where it does so last."""
    words = [re.escape(word) for word in (choice or "?").split()]
    whole = r"[\s_*-]{0,5}".join(words)
    for pattern in (rf"{_VOTE_LINE}(?:for |is )?({whole}|{words[-1]})(?!\w)", rf"(?i)(?<!\w)({whole})(?!\w)"):
        found = list(re.finditer(pattern, own))
        if found:
            return start + found[-1].start(1), start + found[-1].end(1)
    return start, start + len(own)


def _settled(parts: Sequence[_Part], text: str) -> _Part:
    """The longest of the parts that hold a player's vote; a refused one where they differ or none is there."""
    if not parts:
        kind: outcome.Kind = "refusal" if declines(text) else "missing" if text.strip() else "nothing"
        return _refused(kind, "I found no vote in the reply.")
    told = [part for part in parts if not part.vote.problem or part.vote.problem.kind in _FOUND]
    if len({part.vote.choice for part in told}) > 1:
        return _refused("several", "I found votes that differ.")
    return max(told or parts, key=lambda part: len(part.reason))


def _refused(kind: outcome.Kind, text: str) -> _Part:
    return _Part("", outcome.Choice(problem=Problem(kind, text)), 0, 0)


def _problem(titles: Sequence[str], votes: Sequence[_Part], *, cut_off: bool) -> Problem | None:
    """What is wrong with the votes, by player."""
    said = [
        f"{title}: {vote.vote.refused}" if title else vote.vote.refused
        for title, vote in zip(titles, votes, strict=True)
        if vote.vote.problem
    ]
    kinds = [vote.vote.problem.kind for vote in votes if vote.vote.problem]
    kinds.sort(key=lambda kind: kind not in _FOUND)
    return Problem("cut_off" if cut_off else kinds[0], " ".join(said)) if said else None


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
