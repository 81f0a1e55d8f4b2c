"""Polls: one reply that holds the votes of several role players, each with a reason (DRPE, Section 3.2).

A reply is JSON by the schema, or text. In text a line that begins with a player's title, or with its number, opens that player's
part. Every player has exactly one vote, or the reply is a Problem: a part without one, two votes that differ, a tie, or a vote for
what is not there is never guessed at.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from agentdebate.ballots.lineup import Candidate
from agentdebate.ballots.replies import outcome
from agentdebate.ballots.replies.choices import FORMS, read_choice
from agentdebate.ballots.replies.outcome import Problem

How = Literal["schema", "text"]
_NAMED = 4
"""Players that a problem names one by one."""
_LONGEST_NAME = 60
_KEYS = "vote|choice|preference|verdict|winner|decision"
_JSON_VOTE = re.compile(rf'(?<!\\)"(?:{_KEYS})"\s*:\s*"((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_JSON_REASON = re.compile(r'(?<!\\)"reason(?:ing)?"\s*:\s*"((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_FOUND = ("several", "off_scale")
"""What kinds of problem say that a vote is there."""
_VOTE_LINE = re.compile(rf"^[^\w\n]*(?:final |my )?(?:{_KEYS})\b[^\n]{{0,60}}$", re.MULTILINE | re.IGNORECASE)
_VOTED = re.compile(
    r"^[^\w\n]{0,9}(?:final |my )?vote[^\w\n]{0,4}[:：][^\w\n]*\w", re.MULTILINE | re.IGNORECASE
)
"""A vote in the form: where it cannot be read, nothing else in the part is the vote."""
_REASON_WORD = re.compile(r"^\W*(?:reasons?|reasoning)\W*[:：]\W*", re.IGNORECASE)


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
    labels = [candidate.label for candidate in candidates]
    titles = list(players) or [""]
    owned: list[list[_Part]] = [[] for _ in titles]
    for start, end, player in _spoken(text, titles):
        part = _part(text, start, end, labels, cut_off=cut_off and end == len(text), patterns=patterns)
        owned[player].append(part)
    votes = [_settled(parts) for parts in owned]
    if not any(owned):
        votes = [_part(text, 0, len(text), [], cut_off=False, patterns=False)] * len(titles)
    problem = _problem(titles, [vote.vote.problem for vote in votes], cut_off=cut_off)
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
    """The headings: from where to where, and whose. Players who share a title are told apart by number, else by order."""
    words = [_words(title) for title in titles]
    owners = {title: [k for k, other in enumerate(words) if other == title] for title in words}
    found = list(_heading(tuple(words)).finditer(text))
    keys = [head for head in found if head["key"]]
    for head in keys or [one for one in found if one["title"] or one["role"]] or found:
        number = int(head["key"] or head["number"] or head["only"] or 0) - 1
        same = owners.get(_words(head["title"] or ""), [])
        if number in same or (not same and 0 <= number < len(titles)):
            yield head.start(), head.end(), number
        elif same:
            yield head.start(), head.end(), same.pop(0) if len(same) > 1 else same[0]


def _words(title: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", title.casefold()))


@lru_cache(maxsize=64)
def _heading(titles: tuple[str, ...]) -> re.Pattern[str]:
    named = sorted({title for title in titles if title}, key=len, reverse=True)
    joined = "|".join(r"[\W_]{1,9}".join(map(re.escape, title.split())) for title in named) or "(?!)"
    role = r"(?:role|player|voter|reader|evaluator)[ \t_]{0,3}#?"
    titled = rf"(?:(?:{role})?(?P<number>\d{{1,3}})\b[^\w\n]{{1,9}})?(?:(?:role|as|for)\b:?[ ])?(?:(?:the|an?)[ ])?(?P<title>{joined})(?!\w)(?:['’]s\b)?"
    key = r'(?<!\\)"role_(?P<key>\d{1,3})"\s*:'
    return re.compile(
        rf"{key}|^(?![ \t]{{0,40}}[{{\"])[^\w\n]{{0,12}}(?:{titled}|(?P<role>{role})?(?P<only>\d{{1,3}})\b[\"*_]{{0,4}}[.):\s])",
        re.MULTILINE | re.IGNORECASE,
    )


def _part(text: str, start: int, end: int, labels: Sequence[str], *, cut_off: bool, patterns: bool) -> _Part:
    """A player's part of a reply, from behind its heading."""
    own = text[start:end]
    in_json = list(_JSON_VOTE.finditer(own))
    if in_json:
        votes = [read_choice(one[1], labels, ties=False) for one in in_json]
        told = _told(_JSON_REASON.search(own))
        part = [
            _Part(told, replace(vote, rule="json"), start + one.start(1), start + one.end(1))
            for vote, one in zip(votes, in_json, strict=True)
        ]
        return _settled(part)
    vote = read_choice(own.lstrip(" :.-*)\"'\n"), labels, ties=False, cut_off=cut_off, patterns=patterns)
    if vote.choice and vote.rule not in FORMS and _VOTED.search(own):
        vote = outcome.Choice(
            problem=outcome.Problem("off_scale", "I found a vote that is none of the choices.")
        )
    reason = _REASON_WORD.sub("", _VOTE_LINE.sub("", own).strip(" :-*\r\n\t"))
    return _Part(reason.strip(), vote, *_place(own, start, vote.choice))


def _told(reason: re.Match[str] | None) -> str:
    try:
        return str(json.loads(f'"{reason[1]}"', strict=False)) if reason else ""
    except ValueError:
        return reason[1] if reason else ""


def _place(own: str, start: int, choice: str | None) -> tuple[int, int]:
    """From where to where a part names the text it votes for: behind the label of a form's line, else where it does so last."""
    words = [re.escape(word) for word in (choice or "?").split()]
    whole = r"[\s_*-]{0,5}".join(words)
    line = rf"^[^\w\n]{{0,12}}(?:final |my )?(?:{_KEYS})\b[^\n:]{{0,40}}:[^\w\n]{{0,12}}(?:for |is )?({whole}|{words[-1]})(?!\w)"
    for pattern in (line, rf"(?<!\w)({whole})(?!\w)"):
        found = list(re.finditer(pattern, own, re.MULTILINE | re.IGNORECASE))
        if found:
            return start + found[-1].start(1), start + found[-1].end(1)
    return start + len(own) - len(own.lstrip()), start + len(own.rstrip())


def _settled(parts: Sequence[_Part]) -> _Part:
    """The part that holds a player's vote: a refused one where what they say differs, the longest of those that agree."""
    if not parts:
        return _Part(
            "", outcome.Choice(problem=outcome.Problem("missing", "I found no choice in the reply.")), 0, 0
        )
    disputed = [part for part in parts if part.vote.problem and part.vote.problem.kind in _FOUND]
    voted = [part for part in parts if part.vote.choice]
    if len({part.vote.choice for part in voted}) > 1:
        return replace(
            voted[0], vote=outcome.Choice(problem=outcome.Problem("several", "I found votes that differ."))
        )
    return max(disputed or voted or parts, key=lambda part: len(part.reason))


def _problem(
    titles: Sequence[str], problems: Sequence[outcome.Problem | None], *, cut_off: bool
) -> Problem | None:
    """What is wrong with the votes: those that cannot be told, by player, and those that are not there."""
    refused = [(title, problem) for title, problem in zip(titles, problems, strict=True) if problem]
    if not refused:
        return None
    found = [(title, problem) for title, problem in refused if problem.kind in _FOUND]
    absent = [title for title, problem in refused if problem.kind not in _FOUND]
    said = [f"{problem.text.removesuffix('.')}{_of([title])}." for title, problem in found]
    if absent:
        said.append(
            f"The reply was cut off before the vote{_of(absent)} was complete."
            if cut_off
            else f"I found no vote{_of(absent)} in the reply."
        )
    return Problem("cut_off" if cut_off and not found else [*found, *refused][0][1].kind, " ".join(said))


def _of(titles: Sequence[str]) -> str:
    """Whose: " of General public and Critic"; nothing where the only player has no title."""
    names = [" ".join(title.split())[:_LONGEST_NAME] or "a player without a title" for title in titles]
    shown = names[:_NAMED] + ([f"{len(names) - _NAMED} more"] if len(names) > _NAMED else [])
    listed = " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)
    return f" of {listed}" if any(titles) else ""


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
