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
from agentdebate.ballots.problem import Problem
from agentdebate.ballots.replies import outcome
from agentdebate.ballots.replies.choices import FORMS, read_choice

How = Literal["schema", "text"]
_NAMED = 4
"""Players that a problem names one by one."""
_LONGEST_NAME = 60
_KEYS = "vote|choice|preference|verdict|winner|decision"
_JSON_VOTE = re.compile(rf'(?<!\\)"(?:{_KEYS})"\s*:\s*"((?:[^"\\]|\\.)*)"', re.IGNORECASE)
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
    """What a reply says for one player, from `start` on, and the vote in it."""

    start: int
    text: str
    reason: str
    vote: outcome.Choice
    place: tuple[int, int] | None = None
    """Where the candidate is named, in a part that holds nothing else."""


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
    parts = _of_json(text, titles, labels)
    how: How = "schema" if structured and parts else "text"
    if not parts:
        spoken = _spoken(text, titles)
        last = max((start for start, _, _ in spoken), default=0)
        parts = [
            (k, _part(text, start, end, labels, cut_off=cut_off and start == last, patterns=patterns))
            for start, end, k in spoken
        ]
    owned = [[part for k, part in parts if k == player] for player in range(len(titles))]
    votes = [_settled(own) for own in owned]
    problem = _problem(titles, votes, cut_off=cut_off)
    if problem is not None:
        return problem
    fields = {candidate.label: candidate.field for candidate in candidates}
    return tuple(
        Choice(fields[part.vote.choice or ""], part.reason, *_place(part), how, part.vote.rule)
        for part in votes
        if part is not None
    )


def _of_json(text: str, titles: Sequence[str], labels: Sequence[str]) -> list[tuple[int, _Part]]:
    """The parts of a reply that is one JSON object by the schema, or under the players' titles; none of any other reply."""
    try:
        said = json.loads(text[text.find("{") : text.rfind("}") + 1], object_pairs_hook=_unique)
    except (ValueError, RecursionError):
        return []
    if len(titles) == 1 and any(key in said for key in ("vote", "choice")):
        said = {"role_1": said}
    keys = {f"role_{k}": k - 1 for k in range(1, len(titles) + 1)}
    keys = {title: k for k, title in enumerate(titles)} | keys
    held = [(keys[key], one) for key, one in said.items() if key in keys and isinstance(one, dict)]
    places = [match.span(1) for match in _JSON_VOTE.finditer(text)]
    if len(held) != len(places):
        return []
    return [
        (
            k,
            _Part(
                start,
                text[start:end],
                str(one.get("reason", "")),
                _chosen(text[start:end], labels),
                (start, end),
            ),
        )
        for (k, one), (start, end) in zip(held, places, strict=True)
    ]


def _chosen(value: str, labels: Sequence[str]) -> outcome.Choice:
    return replace(read_choice(value, labels, ties=False), rule="json")


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON whose keys are different; of two votes under one key json would keep one."""
    found = {key.strip(): value for key, value in pairs}
    if len(found) < len(pairs):
        raise ValueError
    return found


def _spoken(text: str, titles: Sequence[str]) -> list[tuple[int, int, int]]:
    """Where each part of a reply in text begins and ends, and whose it is."""
    if len(titles) == 1:
        return [(0, len(text), 0)]
    heads = list(_heads(text, titles))
    ends = [start for start, _, _ in heads[1:]] + [len(text)] * bool(heads)
    return [(body, end, k) for (_, body, k), end in zip(heads, ends, strict=True)]


def _heads(text: str, titles: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """The headings: from where to where, and whose. Players who share a title are told apart by number, else by order."""
    words = [_words(title) for title in titles]
    owners = {title: [k for k, other in enumerate(words) if other == title] for title in words}
    found = list(_heading(tuple(words)).finditer(text))
    for head in [one for one in found if one["title"] or one["role"]] or found:
        number = int(head["number"] or head["only"] or 0) - 1
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
    return re.compile(
        rf"^[^\w\n]{{0,12}}(?:{titled}|(?P<role>{role})?(?P<only>\d{{1,3}})\b[\"*_]{{0,4}}[.):\s])",
        re.MULTILINE | re.IGNORECASE,
    )


def _part(text: str, start: int, end: int, labels: Sequence[str], *, cut_off: bool, patterns: bool) -> _Part:
    """A player's part of a reply in text, from behind its heading."""
    own = text[start:end]
    vote = read_choice(own.lstrip(" :.-*)\"'\n"), labels, ties=False, cut_off=cut_off, patterns=patterns)
    if vote.choice and vote.rule not in FORMS and _VOTED.search(own):
        vote = outcome.Choice(
            problem=outcome.Problem("off_scale", "I found a vote that is none of the choices.")
        )
    reason = _REASON_WORD.sub("", _VOTE_LINE.sub("", own).strip(" :-*\r\n\t"))
    return _Part(start, own, reason.strip(), vote)


def _place(part: _Part) -> tuple[int, int]:
    """From where to where a part names the text it votes for: behind the label of a form's line, else where it does so last."""
    if part.place is not None:
        return part.place
    for pattern in _namings(part.vote.choice or ""):
        found = [match.span("choice") for match in pattern.finditer(part.text)]
        if found:
            return part.start + found[-1][0], part.start + found[-1][1]
    blank = len(part.text) - len(part.text.lstrip())
    return part.start + blank, part.start + max(len(part.text.rstrip()), blank)


@lru_cache(maxsize=256)
def _namings(label: str) -> tuple[re.Pattern[str], ...]:
    words = [re.escape(word) for word in label.split()]
    whole = r"[\s_*-]{0,5}".join(words)
    line = rf"^[^\w\n]{{0,12}}(?:final |my )?(?:{_KEYS})\b[^\n:]{{0,40}}:[^\w\n]{{0,12}}(?:for |is )?(?P<choice>{whole}|{words[-1]})(?!\w)"
    return tuple(
        re.compile(way, re.MULTILINE | re.IGNORECASE) for way in (line, rf"(?<!\w)(?P<choice>{whole})(?!\w)")
    )


def _settled(parts: Sequence[_Part]) -> _Part | None:
    """The part that holds a player's vote: of several that agree the longest; one that is refused where none agrees."""
    voted = [part for part in parts if part.vote.choice]
    disputed = [
        part for part in parts if part.vote.problem and part.vote.problem.kind in ("several", "off_scale")
    ]
    if len({part.vote.choice for part in voted}) > 1:
        several = outcome.Problem("several", "I found votes that differ, and cannot tell which one is meant.")
        return replace(voted[0], vote=outcome.Choice(problem=several))
    return max([*disputed] or voted or parts, key=lambda part: len(part.text), default=None)


def _problem(titles: Sequence[str], votes: Sequence[_Part | None], *, cut_off: bool) -> Problem | None:
    """What is wrong with the votes: those that cannot be told, by player, and those that are not there."""
    refused = [
        (title, part and part.vote.problem)
        for title, part in zip(titles, votes, strict=True)
        if not part or part.vote.problem
    ]
    if not refused:
        return None
    problems = [problem for _, problem in refused if problem]
    if problems and len(problems) == len(titles) and {one.kind for one in problems} == {"refusal"}:
        return Problem("refusal", f"The reply declined to answer: it gives no vote{_of(titles)}.")
    found = [(title, one) for title, one in refused if one and one.kind in ("several", "off_scale")]
    absent = [title for title, one in refused if not one or one.kind not in ("several", "off_scale")]
    said = [f"{one.text.removesuffix('.')}{_of([title])}." if title else one.text for title, one in found]
    if absent:
        said.append(
            f"The reply was cut off before the vote{_of(absent)} was complete."
            if cut_off
            else f"I found no vote{_of(absent)} in the reply."
        )
    kind = found[0][1].kind if found else "cut_off" if cut_off else "missing"
    return Problem(kind, " ".join(said))


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
