"""The votes in what one player of a poll says, read by the grammar of choices (see reading/), as every choice is.

Two rules are a poll's own: the player's name may be the subject ("Critic votes for Summary B"), and a line "Vote: ..." that
names none of the texts is not outdone by what the reasons prefer.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from agentdebate.ballots.choice import stated_choices
from agentdebate.ballots.lineup import Candidate
from agentdebate.ballots.markup import plain
from agentdebate.ballots.reading.choices import Pick
from agentdebate.ballots.reading.names import FOREIGN, PLAYER, TIE, names_of
from agentdebate.ballots.reading.rule import Rule
from agentdebate.ballots.reading.statement import Finality
from agentdebate.ballots.reading.vote_lines import line_of, vote_lines

NOBODY = -1
"""Stands for the candidate of a vote for what is not there: a tie, "Summary C", nothing that can be told."""


@dataclass(frozen=True, slots=True)
class PartVote:
    """A vote that stands in a player's part: the index of the candidate, or NOBODY, how the reply put it, and by which rule it was read."""

    candidate: int
    shown: str
    rule: Rule
    last: bool = False
    """Whether what was read ends in it, so that more of it could have followed."""


class VoteReader:
    """Finds the votes for candidates in what a player says."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self.names = names_of(tuple(candidate.label for candidate in candidates), "")

    def votes(self, text: str) -> list[PartVote]:
        """The votes in a part that count most. All of them should agree."""
        stated = stated_choices(text, self.names)
        lines = vote_lines(stated.words)
        unread = _unread(lines, stated.picks)
        picks = [pick for pick in stated.counted if pick.finality < Finality.HINT]
        if unread:
            picks = [pick for pick in picks if line_of(lines, pick.at)]
        shown, count = _Lines(text, stated.words), len(stated.words)
        whole, done = text[-1:].isalnum(), text[-1:] in {".", "!", "\n"}
        return [
            *(_vote(pick, shown, last=whole and pick.at == count - 1) for pick in picks),
            *(PartVote(NOBODY, shown.at(one[0]), "form", not done and one.stop == count) for one in unread),
        ]

    def value(self, text: str) -> PartVote:
        """The vote that a value is which stands where a vote belongs: under a key of JSON, in a column of a table."""
        found = self.votes(f"vote: {text}")
        same = len({vote.candidate for vote in found}) == 1
        return PartVote(found[0].candidate if same else NOBODY, " ".join(text.split()), "form")

    def cells(self, row: str) -> list[PartVote]:
        """The votes of a table's row without a header: its cells that name a candidate and say nothing else."""
        places = (self.names.whole(cell, by_key=False) for cell in row.split("|"))
        ends = row[-1:].isalnum()
        return [PartVote(place, "", "line", ends) for place in places if place is not None]


class _Lines:
    """The lines of a part, to be shown where they hold no vote for a candidate."""

    def __init__(self, text: str, words: Sequence[str]) -> None:
        self._text, self._words = text, words

    @cached_property
    def _said(self) -> list[str]:
        return [line for line in plain(self._text).replace(PLAYER, "").split("\n") if line.strip()]

    @cached_property
    def _ends(self) -> list[int]:
        return [i for i, word in enumerate(self._words) if word == "\n"]

    def at(self, at: int) -> str:
        """What the line that holds this place in the words says behind its label."""
        line = min(bisect_left(self._ends, at), len(self._said) - 1)
        label, _, value = self._said[line].partition(":")
        return " ".join((value if value.strip() else label).split()).strip(" .\"'|")


def _unread(lines: Sequence[range], picks: Sequence[Pick]) -> list[range]:
    """The lines "Vote: ..." in which no choice is stated."""
    read = {line_of(lines, pick.at) for pick in picks if pick.finality < Finality.HINT} if lines else set()
    return [line for line in lines if line not in read]


def _vote(pick: Pick, lines: _Lines, *, last: bool) -> PartVote:
    if pick.value in {TIE, FOREIGN}:
        return PartVote(NOBODY, lines.at(pick.at), pick.rule, last)
    return PartVote(pick.value, "", pick.rule, last)
