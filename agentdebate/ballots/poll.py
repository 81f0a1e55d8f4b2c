"""Polls: one reply that holds the votes of several role players, each with a reason (DRPE, Section 3.2).

A reply is JSON or text. In text each player's part begins behind a heading that names the player, and the part's own
votes are read (see vote_reader.py). Every player has exactly one vote, or the reply is a Problem: a part without one, two
votes that differ, a tie, or a vote for what is not there is never guessed at.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from agentdebate.ballots.casts import cast_in, cast_in_broken, is_json
from agentdebate.ballots.choice_place import choice_place
from agentdebate.ballots.excerpt import Ends, Excerpt, excerpt
from agentdebate.ballots.lineup import Candidate
from agentdebate.ballots.parts import Part, Titles, assign
from agentdebate.ballots.refusal import declines
from agentdebate.ballots.replies.outcome import Kind, Problem
from agentdebate.ballots.rows import tables, votes_in
from agentdebate.ballots.view import View, quiet, sound, view
from agentdebate.ballots.vote_reader import NOBODY, VoteReader

__all__ = ["Choice", "Problem", "poll_schema", "read_poll"]

How = Literal["schema", "text", "repaired"]
_VOTE_LINE = re.compile(r"^[^\w\n]*(?:final |my )?vote\b[^\n]{0,40}$", re.MULTILINE | re.IGNORECASE)
_REASON_WORD = re.compile(r"^\W*(?:reasons?|reasoning)\W*[:：]\W*", re.IGNORECASE)
_NAMED = 4
"""Players that a problem names one by one."""
_LONGEST_NAME, _LONGEST_VOTE = 60, 80


@dataclass(frozen=True, slots=True)
class Choice:
    """One player's vote: the field of the candidate, the reason, and where the candidate is named in the reply.

    `start` and `end` are places in the reply as it came, thinking included; neither the reason nor the form is between them,
    unless it cannot be told where the candidate is named: then they are those of the player's whole part. `how` and `ends` are as in ballot.Reading.
    """

    candidate: str
    reason: str
    start: int
    end: int
    how: How
    rule: str = ""
    """The rule of docs/explanation/reading-replies.md by which the vote was read."""
    ends: Ends | None = None


@dataclass(frozen=True, slots=True)
class _Cast:
    """What a reply gives one player: the part that holds the vote, and all votes found."""

    title: str
    part: Part | None
    votes: tuple[tuple[int, str], ...]

    rule: str

    @property
    def candidate(self) -> int:
        """The one candidate voted for, or NOBODY."""
        return self.votes[0][0] if len(self.votes) == 1 and self.part and not self.part.open else NOBODY


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
) -> tuple[Choice, ...] | Problem:
    """The vote of every player, in the order of `players` (titles); or why not all can be told.

    With no players, or one, the whole reply is that one's. `structured` says that the endpoint held the reply to the
    schema, `cut_off` that it stopped at the length limit: then a vote at its very end is not trusted. Of a
    very long reply only the start and the end are read (see excerpt.py), and every choice says so. Raises nothing.
    """
    part = excerpt(quiet(text))
    if part.is_empty or part.splits_object:
        return Problem("missing", f"The reply is too long to find the vote{_of(players)} in it.{part.note}")
    found = _read(part.text, players, candidates, structured=structured, cut_off=cut_off)
    if isinstance(found, Problem):
        return replace(found, text=found.text + part.note)
    return tuple(_placed(choice, part) for choice in found)


def _placed(choice: Choice, part: Excerpt) -> Choice:
    """A choice in a part of a reply, at its place in the reply."""
    return replace(choice, start=part.place(choice.start), end=part.place(choice.end), ends=part.ends)


def _read(
    said: str, players: Sequence[str], candidates: Sequence[Candidate], *, structured: bool, cut_off: bool
) -> tuple[Choice, ...] | Problem:
    if not any(character.isalnum() for character in said):
        return _silent(players, cut_off=cut_off)
    reader = VoteReader(candidates)
    titles = Titles(players, reader.names)
    found, how = _in_json(said, titles, reader, structured=structured, cut_off=cut_off)
    if found is None:
        labels = [candidate.label for candidate in candidates]
        found, how = _Text(view(said), titles, reader, labels, cut_off=cut_off).parts(), "text"
    casts = [_cast(title, parts) for title, parts in zip(players or [""], _owned(found, titles), strict=True)]
    if not any(cast.votes for cast in casts) and declines(said.strip()):
        return Problem("refusal", f"The reply declined to answer: it gives no vote{_of(list(players))}.")
    problem = _problem(casts, candidates, cut_off=cut_off)
    if problem is not None:
        return problem
    return tuple(
        Choice(candidates[cast.candidate].field, sound(cast.part.reason), *_where(cast.part), how, cast.rule)
        for cast in casts
        if cast.part is not None
    )


class _Text:
    """Reads a poll in free text. Parts come out with places in the original."""

    def __init__(
        self, seen: View, titles: Titles, reader: VoteReader, labels: Sequence[str], *, cut_off: bool
    ) -> None:
        self._view, self._titles, self._reader, self._labels = seen, titles, reader, labels
        self._cut_off, self._said = cut_off, quiet(seen.source)

    def parts(self) -> list[Part]:
        text = self._view.text
        if len(self._titles.words) <= 1:
            return [self._placed(part, text) for part in self._alone(text)]
        rows: list[Part] = []
        for table in tables(text):
            found = votes_in(table, self._titles, self._reader)
            if found:
                rows += found
                # What is in the table is read; the part above it goes on below it.
                text = text[: table.start] + " " * (table.end - table.start) + text[table.end :]
        parts = list(self._titles.parts(text))
        if not rows and not any(part.title or part.number for part in parts):
            parts = self._titles.counted(text)
        for part in parts:
            self._vote(part, text)
        for part in rows:
            part.open = self._is_open(part)
        return [self._placed(part, text) for part in [*rows, *parts]]

    def _alone(self, text: str) -> list[Part]:
        """The whole reply as the one player's part, without a heading that it opens with."""
        start = len(text) - len(text.lstrip())
        end = text.find("\n", start)
        heading = self._titles.heading(text[start : len(text) if end < 0 else end])
        part = Part(start, len(text), number=1)
        if heading is not None and heading.title:
            part.start, part.acts = start + heading.start, heading.acts
        self._vote(part, text)
        return [part]

    def _vote(self, part: Part, text: str) -> None:
        if part.row:
            line = text.find("\n", part.start)
            part.end = part.end if line < 0 else min(line, part.end)
        own = text[part.start : part.end]
        part.votes = (
            self._reader.cells(own) if part.row else self._reader.votes(self._titles.spoken(own, part))
        )
        part.open = self._is_open(part)

    def _is_open(self, part: Part) -> bool:
        """Whether a part ends in a vote, and with it the reply, which stopped at the length limit."""
        at, source = self._view.at, self._view.source
        over = self._cut_off and bool(at) and part.end >= len(at) and at[-1] + 1 == len(source)
        return over and any(vote.last for vote in part.votes)

    def _placed(self, part: Part, text: str) -> Part:
        end = part.start + len(text[part.start : part.end].rstrip()) if not part.row else part.end
        start, stop = self._view.span(part.start, max(end, part.start))
        reason = _reason(self._said[start:stop])
        choice = self._choice(part, text)
        return Part(
            start, stop, part.title, part.number, part.row, part.votes, reason, part.open, choice=choice
        )

    def _choice(self, part: Part, text: str) -> tuple[int, int] | None:
        """Where the candidate is named that the part votes for: in the line of its vote, else where it is named last."""
        voted = {vote.candidate for vote in part.votes}
        if len(voted) != 1 or NOBODY in voted:
            return None
        named = choice_place(text[part.start : part.end], self._labels[voted.pop()])
        return self._view.span(part.start + named[0], part.start + named[1]) if named else None


def _where(part: Part) -> tuple[int, int]:
    """Where the choice of a part stands; the whole part where that is not known."""
    return part.choice if part.choice and part.choice[0] < part.choice[1] else (part.start, part.end)


def _reason(text: str) -> str:
    """What a part says besides the lines that merely hold the vote, without the word "Reason" before it."""
    return _REASON_WORD.sub("", _VOTE_LINE.sub("", text).strip()).strip()


def _in_json(
    said: str, titles: Titles, reader: VoteReader, *, structured: bool, cut_off: bool
) -> tuple[list[Part] | None, How]:
    """The parts in whole JSON, or in mended JSON where only that speaks for every player; None where there is none."""
    if "{" not in said:
        return None, "text"
    whole: How = "schema" if structured else "text"
    found = cast_in(said, titles, reader)
    if found is not None and _is_full(found, titles):
        return found, whole
    mended = cast_in_broken(said, titles, reader, cut_off=cut_off)
    if mended is not None and (_is_full(mended, titles) or is_json(said)):
        return mended, "repaired"
    # Where a brace merely stands somewhere in prose, the prose may hold the votes.
    return found, whole


def _is_full(found: Sequence[Part], titles: Titles) -> bool:
    return all(any(part.votes for part in own) for own in _owned(found, titles))


def _owned(found: Sequence[Part], titles: Titles) -> list[list[Part]]:
    """The parts of each player; parts that name no player are shared out in order, where there is one for each."""
    if len(titles.words) <= 1:
        return [list(found)]
    if len(found) == len(titles.words) and all(part.title is None and part.number is None for part in found):
        return [[part] for part in found]
    return assign(found, titles.words)


def _cast(title: str, parts: Sequence[Part]) -> _Cast:
    voted = [part for part in parts if part.votes]
    cast = [vote for part in voted for vote in part.votes]
    votes = {
        (vote.candidate, vote.shown.lower() if vote.candidate == NOBODY else ""): vote.shown for vote in cast
    }
    longest = max(voted, key=lambda part: (not part.open, part.end - part.start), default=None)
    shown = tuple((candidate, shown) for (candidate, _), shown in votes.items())
    return _Cast(title, longest, shown, cast[-1].rule if cast else "")


def _problem(casts: Sequence[_Cast], candidates: Sequence[Candidate], *, cut_off: bool) -> Problem | None:
    several = [cast for cast in casts if len(cast.votes) > 1]
    unsettled = [cast for cast in casts if len(cast.votes) <= 1 and cast.candidate == NOBODY]
    absent = [cast for cast in unsettled if not cast.votes or (cast.part and cast.part.open)]
    off = [cast for cast in unsettled if cast not in absent]
    if not several and not off and not absent:
        return None
    labels = " nor ".join(candidate.label for candidate in candidates)
    sentences = [_several(several, candidates)] if several else []
    sentences += (
        [f"I found {_listed([_found(cast, candidates) for cast in off])}, which is neither {labels}."]
        if off
        else []
    )
    sentences += [_absent([cast.title for cast in absent], cut_off=cut_off)] if absent else []
    kind: Kind = "several" if several else "off_scale" if off else "cut_off" if cut_off else "missing"
    return Problem(kind, " ".join(sentences))


def _several(several: Sequence[_Cast], candidates: Sequence[Candidate]) -> str:
    return f"I found {_listed([_found(cast, candidates) for cast in several])}, and cannot tell which one is meant."


def _found(cast: _Cast, candidates: Sequence[Candidate]) -> str:
    shown = [
        f'"{shown[:_LONGEST_VOTE]}"' if k == NOBODY else candidates[k].label for k, shown in cast.votes[:4]
    ]
    return f"{' and '.join(shown)}{_of([cast.title])}" if cast.title else f"{' and '.join(shown)} as the vote"


def _absent(titles: Sequence[str], *, cut_off: bool) -> str:
    if cut_off:
        return f"The reply was cut off before the vote{_of(titles)} was complete."
    return f"I found no vote{_of(titles)} in the reply."


def _silent(players: Sequence[str], *, cut_off: bool) -> Problem:
    if cut_off:
        return Problem("cut_off", f"The reply was cut off before it gave a vote{_of(players)}.")
    return Problem("nothing", f"The reply was empty: it gives no vote{_of(players)}.")


def _of(titles: Sequence[str]) -> str:
    """Whose: " of General public and Critic"; nothing where the only player has no title."""
    return f" of {_listed([_name(title) for title in titles])}" if any(titles) else ""


def _name(title: str) -> str:
    return sound(" ".join(title.split()))[:_LONGEST_NAME] or "a player without a title"


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:_NAMED])
    if len(names) > _NAMED:
        shown.append(f"{len(names) - _NAMED} more")
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
