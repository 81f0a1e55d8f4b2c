"""Polls: one reply that holds the votes of several role players, each with a reason (DRPE, Section 3.2).

A reply is JSON by the schema, or text. In text a line that begins with a player's title, or with its number, opens that player's
part. Every player has exactly one vote, or the reply is a Problem: a part without one, two votes that differ, a tie, or a vote for
what is not there is never guessed at.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal

from agentdebate.ballots.json_objects import objects
from agentdebate.ballots.lineup import Candidate
from agentdebate.ballots.replies import outcome
from agentdebate.ballots.replies.choices import read_choice
from agentdebate.ballots.replies.outcome import Problem, declines
from agentdebate.ballots.sheet import closed_object

How = Literal["schema", "text"]
_KEYS = "vote|choice|preference|verdict|winner|decision"
_JSON_VOTE = re.compile(rf'(?<!\\)"(?:{_KEYS})"\s*:\s*"((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_VOTE_LINE = rf"(?im)^[^\w\n]{{0,12}}(?:final |my )?(?:{_KEYS})\b[^\n:：]{{0,40}}[:：][^\w\n]{{0,12}}"
"""The form of a vote: where it cannot be read, nothing else in the part is the vote."""
_REASON_WORD = re.compile(r"^\W*reason(?:s|ing)?\W*[:：]\W*", re.IGNORECASE)
_ROLE = r"(?:role|reader|player)[ \t_]{0,3}#?"
_JSON_REASON = re.compile(r'(?<!\\)"reason"\s*:\s*"((?:[^"\\]|\\.)*)"')

Places = tuple[tuple[int, int], ...]
"""Parts of a reply, each from where to where."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One player's vote: the field of the candidate, the reason, and the places in the reply where each of them stands.

    Where it cannot be told where the candidate is named, `named` is the player's whole part.
    """

    candidate: str
    reason: str
    named: Places
    reasoned: Places
    how: How
    rule: str = ""
    """The rule of docs/explanation/reading-replies.md by which the vote was read."""


@dataclass(frozen=True, slots=True)
class _Part:
    """Part of a reply for one player: its vote, and where that is in the reply."""

    reason: str
    vote: outcome.Choice
    named: Places = ()
    reasoned: Places = ()


def poll_schema(players: Sequence[str], candidates: Sequence[Candidate]) -> dict[str, Any]:
    """The JSON schema of a poll: for each player a reason and then a vote; for at most one player just these two."""
    vote = {"type": "string", "enum": [candidate.label for candidate in candidates]}
    one = closed_object({"reason": {"type": "string"}, "vote": vote})
    return one if len(players) <= 1 else closed_object({f"role_{k + 1}": one for k in range(len(players))})


def read_poll(
    text: str,
    players: Sequence[str],
    candidates: Sequence[Candidate],
    *,
    structured: bool = False,
    cut_off: bool = False,
) -> tuple[Choice, ...] | Problem:
    """Read the vote of every player, in the order of `players` (titles); or why not all can be told.

    With no players, or one, the whole reply is that one's. `structured` says that the endpoint held the reply to the schema,
    `cut_off` that it stopped at the length limit.
    """
    labels = [candidate.label for candidate in candidates]
    titles = players or [""]
    owned: list[list[_Part]] = [[] for _ in titles]
    for start, end, player in _spoken(text, titles):
        part = _part(text[start:end], start, labels, cut_off=cut_off and end == len(text))
        owned[player].append(part)
    votes = [_settled(parts, text) for parts in owned]
    problem = _problem(titles, votes, cut_off=cut_off)
    if problem:
        return problem
    fields = {candidate.label: candidate.field for candidate in candidates}
    return tuple(
        Choice(
            fields[one.vote.choice or ""],
            one.reason,
            one.named,
            one.reasoned,
            "schema" if structured and one.vote.rule == "json" else "text",
            one.vote.rule,
        )
        for one in votes
    )


def _spoken(text: str, titles: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Find the beginning, end and player of each part of a reply."""
    heads = list(_heads(text, titles)) if len(titles) > 1 else [(0, 0, 0)]
    for (_, start, player), (end, _, _) in pairwise([*heads, (len(text), 0, 0)]):
        yield start, end, player


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
        elif title in words:
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


def _part(own: str, start: int, labels: Sequence[str], *, cut_off: bool) -> _Part:
    """A player's part of a reply, from behind its heading."""
    in_json = list(_JSON_VOTE.finditer(own))
    if in_json:
        vote = read_choice("\n".join(f"Vote: {one[1]}" for one in in_json), labels, ties=False)
        vote = replace(vote, rule="json")
        reason = "\n".join(str(dict(found).get("reason", "")) for found, _, _ in objects(own))
        reasoned = tuple(one.span(1) for one in _JSON_REASON.finditer(own) if one[1])
    else:
        patterns = not re.search(_VOTE_LINE, own)
        said = own.lstrip(" :.-*)\"'\n")
        vote = read_choice(said, labels, ties=False, cut_off=cut_off, patterns=patterns)
        reason = _REASON_WORD.sub("", re.sub(rf"{_VOTE_LINE}.*", "", own).strip(" :-*\r\n\t")).strip()
        reasoned = _lines_of(reason, own)
    named = in_json or _named(own, vote.choice or "?")
    at = named[-1].span(1) if named else (0, len(own))
    places = [(start + first, start + last) for first, last in (at, *reasoned)]
    return _Part(reason, vote, tuple(places[:1]), tuple(places[1:]))


def _lines_of(reason: str, own: str) -> Places:
    """The places of a reason's lines in a part of a reply, behind the word that opens it."""
    opening = _REASON_WORD.match(own)
    at, found = opening.end() if opening else 0, []
    for line in filter(None, map(str.strip, reason.splitlines())):
        first = own.find(line, at)
        at = first + len(line)
        found.append((first, at))
    return tuple(found)


def _named(own: str, choice: str) -> list[re.Match[str]]:
    """The places where a part names the text it votes for: behind the label of a form's line, else all."""
    words = [re.escape(word) for word in choice.split()]
    whole = r"[\s_*-]{0,5}".join(words)
    form = rf"{_VOTE_LINE}(?:for |is )?({whole}|{words[-1]})(?!\w)"
    return list(re.finditer(form, own)) or list(re.finditer(rf"(?i)(?<!\w)({whole})(?!\w)", own))


def _settled(parts: Sequence[_Part], text: str) -> _Part:
    """The longest of the parts that hold a player's vote; a refused one where they differ or none is there."""
    if not parts:
        kind: outcome.Kind = "refusal" if declines(text) else "missing" if text.strip() else "nothing"
        return _refused(kind, "I found no vote in the reply.")
    told = [
        part for part in parts if not part.vote.problem or part.vote.problem.kind in ("several", "off_scale")
    ]
    if len({part.vote.choice for part in told}) > 1:
        return _refused("several", "I found votes that differ.")
    return max(told or parts, key=lambda part: len(part.reason))


def _refused(kind: outcome.Kind, text: str) -> _Part:
    return _Part("", outcome.Choice(problem=Problem(kind, text)))


def _problem(titles: Sequence[str], votes: Sequence[_Part], *, cut_off: bool) -> Problem | None:
    """Describe what is wrong with the votes, by player."""
    told = zip(titles, (vote.vote.problem for vote in votes), strict=True)
    refused = [(title, problem) for title, problem in told if problem]
    said = " ".join(f"{title}: {problem.text}" if title else problem.text for title, problem in refused)
    return Problem("cut_off" if cut_off else refused[0][1].kind, said) if refused else None
