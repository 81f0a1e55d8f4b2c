"""How comparisons of texts came out: who won, what was a tie, which scores the candidates got."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from agentdebate.debates.outcome import OutcomeCounts, outcome_of
from agentdebate.meta.run_rows import about_of, best_of_people
from agentdebate.meta.talk import TIE
from agentdebate.report.run_tables.places import Names, Place
from agentdebate.report.run_tables.rows import Row
from agentdebate.report.run_tables.spread import Spread
from agentdebate.report.text_table import Block, TextTable

_WITH_PEOPLE = (
    "with people: how often the winner is the text that people found best, a tie being a winner of its own"
)


@dataclass
class _Candidate:
    wins: int = 0
    scores: Spread = field(default_factory=Spread)


@dataclass
class _Outcome:
    """What the debates about one aspect came to, or about several together."""

    ended: OutcomeCounts = field(default_factory=OutcomeCounts)
    ties: int = 0
    agreed: int = 0
    judged_by_people: int = 0
    like_people: int = 0
    names: Names = field(default_factory=Names)
    candidates: defaultdict[str, _Candidate] = field(default_factory=lambda: defaultdict(_Candidate))

    def take(self, row: Row, place: Place, best: tuple[str, ...]) -> None:
        """Take in a row, where `best` is what people found best."""
        self.names.note(row.get("candidates", ()), place)
        for name in row.get("candidates", ()):
            candidate = self.candidates[name]
            candidate.wins += winner_of(row) == name
            score = score_of(row, name)
            if score is not None:
                candidate.scores.add(score)
        outcome = outcome_of(row)
        self.ended.add(outcome)
        if not outcome.judged:
            return
        self.ties += winner_of(row) == TIE
        self.agreed += row["agreed"] is True
        self.judged_by_people += bool(best)
        self.like_people += bool(best) and set(best) == set(row["winners"])


class Outcomes:
    """Counts how comparisons came out."""

    def __init__(self) -> None:
        self.candidates = Names()
        """The candidates that are compared; none where nothing is."""
        self.abouts = Names()
        """What the debates are about, one aspect or several together."""
        self.agreeable = False
        """Whether anything was asked several times, so that the answers could agree."""
        self._with_people = False
        self._outcomes = defaultdict[str, _Outcome](_Outcome)

    def __repr__(self) -> str:
        return f"<Outcomes of {list(self.abouts)}>"

    def take(self, row: Row, place: Place) -> None:
        """Take in a row."""
        about, best = about_of(row), best_of_people(row)
        self.candidates.note(row.get("candidates", ()), place)
        self.abouts.note([about], place)
        self.agreeable = self.agreeable or row["agreed"] is not None
        self._with_people = self._with_people or bool(best)
        self._outcomes[about].take(row, place, best)

    def blocks(self) -> Iterator[Block]:
        """A line an aspect: how its debates ended, how many have a winner, are ties, and agreed."""
        more = [*(["agreed"] * self.agreeable), *(["with people"] * self._with_people)]
        head = ["aspect", *(f"{noun}s" for noun in self._nouns), "won", "ties", *more]
        yield ""
        yield TextTable("Outcomes", head, [self._line(about) for about in self.abouts], numeric=head[1:])
        if self._with_people:
            yield _WITH_PEOPLE

    def candidate_blocks(self) -> Iterator[Block]:
        """A line a candidate and aspect: how often it won, and the scores that it got in how many verdicts."""
        head = ["aspect", "candidate", "wins", "mean", "lowest", "highest", "n"]
        yield ""
        yield TextTable("Candidates", head, [*self._of_candidates()], numeric=head[2:], whole=["candidate"])
        yield "mean, lowest and highest: of the n verdicts with a score of the candidate"

    def _line(self, about: str) -> list[object]:
        of = self._outcomes[about]
        counts = {noun: count for count, noun in of.ended.nouns}
        verdicts = of.ended.verdicts
        agreed, like_people = (
            f"{of.agreed} of {verdicts}",
            f"{of.like_people} of {of.judged_by_people}",
        )
        ends = [*([agreed] * self.agreeable), *([like_people] * self._with_people)]
        return [about, *(counts.get(noun, 0) for noun in self._nouns), verdicts - of.ties, of.ties, *ends]

    @property
    def _nouns(self) -> list[str]:
        """What the columns count: verdicts, failures, and whatever else occurred."""
        return list(dict.fromkeys(noun for of in self._outcomes.values() for _, noun in of.ended.nouns))

    def _of_candidates(self) -> Iterator[list[object]]:
        for about in self.abouts:
            for name in self._outcomes[about].names:
                of = self._outcomes[about].candidates[name]
                yield [about, name, of.wins, *of.scores.cells(), of.scores.count]


def winner_of(row: Row) -> str:
    """The field of the best candidate; "tie" where several are equally good, "failed" or the like where none was chosen."""
    outcome = outcome_of(row)
    return (row["winner"] or TIE) if outcome.judged else outcome.cell


def score_of(row: Row, candidate: str) -> float | None:
    """A candidate's score, summed over the aspects that were judged together; None where it has none."""
    names = [f"{aspect}.{candidate}" for aspect in row["aspects"]]
    return sum(row["scores"][name] for name in names) if names[0] in row["scores"] else None
