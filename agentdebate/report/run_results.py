"""What the verdicts of a run come to, as tables: by item, by aspect or candidate, and by kind of failure."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import fmean
from typing import Any

from agentdebate.debates.outcome import CURTAILED, FAILURE, OutcomeCounts, outcome_of
from agentdebate.debates.record import offline_note
from agentdebate.meta.coverage import Coverage, coverage
from agentdebate.meta.prose import number_of
from agentdebate.meta.run_rows import about_of, best_of_people, judged
from agentdebate.meta.talk import TIE
from agentdebate.models.families import families_of
from agentdebate.report.coverage import coverage_blocks
from agentdebate.report.grid import Block, Grid, cell_text
from agentdebate.visible import one_line

Row = Mapping[str, Any]
"""A record as Record.row() gives it."""

MOST = 20
"""Items that a table shows before it says how many more there are."""
_NAMED = 5
"""Lost agents that are named before it is said how many more there are."""


@dataclass(frozen=True)
class RunResults:
    """The records of a run, item by item; `aspects` is their order as far as it is known."""

    rows: Sequence[Row]
    aspects: Sequence[str] = ()

    @cached_property
    def ended(self) -> OutcomeCounts:
        """How the debates ended."""
        return OutcomeCounts(Counter(outcome_of(row).name for row in self.rows))

    @cached_property
    def coverages(self) -> list[Coverage]:
        """How much has been judged, aspect by aspect."""
        return [replace(coverage(one), judge="") for one in judged(self.rows, "judge")]

    @property
    def compared(self) -> bool:
        """Whether texts are compared."""
        return any(row.get("candidates") for row in self.rows)

    @property
    def families(self) -> tuple[str, ...]:
        """The makers of the models that spoke."""
        return families_of(dict.fromkeys(model for row in self.rows for model in row["models"]))

    @property
    def note(self) -> str | None:
        """What has to be said beside verdicts of the offline judge."""
        return offline_note(model for row in self.rows for model in row["models"])

    @property
    def failures(self) -> list[tuple[str, int, Row]]:
        """The kinds of failure, the most frequent first: the error, how often it came, and the first row of it."""
        kinds: dict[str, list[Row]] = {}
        for row in self.rows:
            if outcome_of(row) is FAILURE:
                kinds.setdefault(row["failure"]["error"], []).append(row)
        found = [(error, len(rows), rows[0]) for error, rows in kinds.items()]
        return sorted(found, key=lambda kind: -kind[1])

    @property
    def short(self) -> list[Row]:
        """The verdicts without some of their ballots, samples or agents."""
        return [row for row in self.rows if row["missing"] or row["lost"]]

    def blocks(self, *, see: str) -> Iterator[Block]:
        """The items, what they come to together, and what has to be said beside them. `see` is the command that prints all."""
        if self.compared:
            yield from (*self.comparisons(see=see), "", self._outcomes(), "", self._candidates())
        else:
            yield from (*self.items(see=see), "", self._of_aspects())
        yield from coverage_blocks(self.coverages)
        yield from (one_line(f"{line}; {see} says which") for line in self._shortfall())
        if self.note:
            yield from ("", self.note)

    def items(self, *, see: str = "") -> Iterator[Block]:
        """A line an item: its scores, and the rounds of its debates."""
        shown = self._by_item()
        aspects = self._names()
        lines: list[list[object]] = [
            [
                name,
                *(_score(rows, aspect) for aspect in aspects),
                _rounds(rows),
            ]
            for name, rows in list(shown.items())[:MOST]
        ]
        unsettled = any(row["settled"] is False for row in self.rows)
        notes = ["* not settled: the debate ended without agreement"] if unsettled else []
        yield Grid("Verdicts", ["item", *aspects, "rounds"], lines, notes=notes)
        yield from _more(len(shown) - MOST, "more item", see)

    def comparisons(self, *, see: str = "") -> Iterator[Block]:
        """A line a comparison: each candidate's score, the winner, and whether all orders or samples came to the same."""
        names = list(dict.fromkeys(name for row in self.rows for name in row["candidates"]))
        about = ["aspect"] if len(set(map(about_of, self.rows))) > 1 else []
        lines: list[list[object]] = [
            [
                row["id"],
                *(about_of(row) for _ in about),
                *(_candidate_score(row, name) for name in names),
                _winner(row),
            ]
            + [row[it] for it in self._agreed]
            for row in self.rows[:MOST]
        ]
        notes = ["agreed: whether every order or sample came to the same winner"] if self._agreed else []
        if any(len(row["aspects"]) > 1 for row in self.rows):
            notes.append("a score is the sum over the aspects that were judged together")
        yield Grid("Verdicts", ["item", *about, *names, "winner", *self._agreed], lines, names, notes)
        yield from _more(len(self.rows) - MOST, "more comparison", see)

    def failure_blocks(self, worded: Callable[[str], str] = str) -> Iterator[Block]:
        """A line a kind of failure, with an example; `worded` puts its reason into the reader's words."""
        lines = [
            (count, error, debate_name(row), one_line(worded(str(row["failure"]["reason"]))))
            for error, count, row in self.failures
        ]
        if lines:
            yield from ("", Grid("Failures", ["count", "failure", "for example", "reason"], lines, ["count"]))

    def _by_item(self) -> dict[str, list[Row]]:
        found: dict[str, list[Row]] = {}
        for row in self.rows:
            found.setdefault(row["id"], []).append(row)
        return found

    def _names(self) -> list[str]:
        """The aspects in their order."""
        known = dict.fromkeys(name for row in self.rows for name in row["aspects"])
        return [
            *(name for name in self.aspects if name in known),
            *(name for name in known if name not in self.aspects),
        ]

    def _of_aspects(self) -> Grid:
        """A line an aspect: how its debates ended, the scores' mean, how many settled, and what people said."""
        people = (
            ["people", "n"]
            if any(one is not None for row in self.rows for one in row["human"].values())
            else []
        )
        lines = [self._aspect(name)[: None if people else -2] for name in self._names()]
        head = [
            "aspect",
            *(f"{noun}s" for noun in self._nouns),
            "mean",
            "lowest",
            "highest",
            "settled",
            *people,
        ]
        notes = ["people: the mean of people's scores of the n judged items that have one"] if people else []
        return Grid("Aspects", head, lines, notes=notes)

    def _aspect(self, name: str) -> list[object]:
        rows = [row for row in self.rows if name in row["aspects"]]
        scored = [row for row in rows if name in row["scores"]]
        people = [float(human) for row in scored if (human := row["human"].get(name)) is not None]
        settled = f"{sum(bool(row['settled']) for row in scored)} of {len(scored)}"
        spread = _spread([row["scores"][name] for row in scored])
        return [
            name,
            *self._ends(rows),
            *spread,
            settled,
            f"{fmean(people):.3f}" if people else None,
            len(people),
        ]

    @property
    def _agreed(self) -> list[str]:
        """The column of whether all orders or samples agreed, where there are several."""
        return ["agreed"] if any(row["agreed"] is not None for row in self.rows) else []

    def _outcomes(self) -> Grid:
        """A line an aspect of comparisons: how its debates ended, how many have a winner, are ties, and agreed."""
        people = ["with people"] if any(map(best_of_people, self.rows)) else []
        head = ["aspect", *(f"{noun}s" for noun in self._nouns), "won", "ties", *self._agreed, *people]
        lines: list[list[object]] = []
        for about in dict.fromkeys(map(about_of, self.rows)):
            rows = [row for row in self.rows if about_of(row) == about]
            verdicts = [row for row in rows if outcome_of(row).judged]
            ties = sum(_winner(row) == TIE for row in verdicts)
            known = [row for row in verdicts if best_of_people(row)]
            like = sum(set(best_of_people(row)) == set(row["winners"]) for row in known)
            more = {
                "agreed": f"{sum(row['agreed'] is True for row in verdicts)} of {len(verdicts)}",
                "with people": f"{like} of {len(known)}",
            }
            lines.append(
                [
                    about,
                    *self._ends(rows),
                    len(verdicts) - ties,
                    ties,
                    *(more[it] for it in head[-2:] if it in more),
                ]
            )
        notes = ["with people: how often the winner is the text that people found best"] if people else []
        return Grid("Outcomes", head, lines, notes=notes)

    def _candidates(self) -> Grid:
        """A line a candidate and aspect: how often it won, and the scores that it got in how many verdicts."""
        lines: list[list[object]] = []
        pairs = dict.fromkeys((about_of(row), name) for row in self.rows for name in row["candidates"])
        for about, name in pairs:
            rows = [row for row in self.rows if about_of(row) == about and name in row["candidates"]]
            scores = [score for row in rows if (score := _candidate_score(row, name)) is not None]
            wins = sum(_winner(row) == name for row in rows)
            lines.append([about, name, wins, *_spread(scores), len(scores)])
        head = ["aspect", "candidate", "wins", "mean", "lowest", "highest", "n"]
        return Grid("Candidates", head, lines, head[2:])

    @cached_property
    def _nouns(self) -> list[str]:
        return [noun for _, noun in self.ended.nouns]

    def _ends(self, rows: Iterable[Row]) -> list[int]:
        """How many debates ended in each way that occurs in the run."""
        counts = {
            noun: count for count, noun in OutcomeCounts(Counter(outcome_of(row).name for row in rows)).nouns
        }
        return [counts.get(noun, 0) for noun in self._nouns]

    def _shortfall(self) -> Iterator[str]:
        """How many verdicts do without what, and which agents were lost; what was asked of models and not sent."""
        if self.short:
            lost = Counter(name for row in self.short for name in {one["agent"] for one in row["lost"]})
            named = ", ".join(f"{name} in {count}" for name, count in lost.most_common(_NAMED))
            told = f" (lost: {named})" if named else ""
            yield f"{number_of(len(self.short), 'verdict')} without some of the ballots or samples{told}"
        if curtailed := sum(outcome_of(row) is CURTAILED for row in self.rows):
            yield f"{number_of(curtailed, 'verdict')} by debates that their limits made shorter"
        unsent = Counter(what for row in self.rows for what in row.get("unsent") or ())
        for what, count in unsent.items():
            yield f"not sent, since the model does not take it: {what}, in {number_of(count, 'debate')}"


def ended_words(ended: OutcomeCounts, *, beside_verdicts: str = "") -> str:
    """The counts in words: "3 verdicts, 1 failure". What is said `beside_verdicts` stands behind their number."""
    verdicts, *others = (number_of(count, noun) for count, noun in ended.nouns)
    return ", ".join([f"{verdicts}{beside_verdicts}", *others])


def ended_columns(outcomes: Mapping[str, int], everywhere: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The counts of one run as columns: verdicts, failures, and whatever occurred in any of the runs `everywhere`."""
    met = {name for one in everywhere for name, count in one.items() if count}
    counts = {noun: count for count, noun in OutcomeCounts(outcomes).nouns}
    nouns = [noun for _, noun in OutcomeCounts(dict.fromkeys(sorted(met), 1)).nouns]
    return {f"{noun}s": counts.get(noun, 0) for noun in nouns}


def usage_line(row: Mapping[str, Any]) -> str:
    """Calls and tokens in words."""
    tokens = f"{row['prompt_tokens']} prompt and {row['completion_tokens']} completion tokens"
    return f"{number_of(row['calls'], 'call')}, {tokens}"


def debate_name(row: Row) -> str:
    """What a row's debate is called within its run."""
    return f"{row['id']}/{'+'.join(row['aspects'])}"


def _more(count: int, noun: str, see: str) -> Iterator[str]:
    if count > 0:
        yield f"... and {number_of(count, noun)}{f'; {see} prints all of them' if see else ''}"


def _spread(values: Sequence[float]) -> list[object]:
    """Mean, lowest and highest."""
    return [f"{fmean(values):.3f}", min(values), max(values)] if values else [None, None, None]


def _score(rows: Sequence[Row], aspect: str) -> str:
    """A score of an item, or why there is none."""
    for row in rows:
        if aspect in row["scores"]:
            return cell_text(float(row["scores"][aspect])) + ("*" if row["settled"] is False else "")
    ends = [outcome_of(row).cell or "none" for row in rows if aspect in row["aspects"]]
    return ends[0] if ends else ""


def _rounds(rows: Sequence[Row]) -> int | None:
    """The rounds of an item's debates together."""
    used = [row["rounds"] for row in rows if row["rounds"] is not None]
    return sum(used) if used else None


def _winner(row: Row) -> str:
    """The field of the best candidate; "tie" where several are equally good, "failed" or the like where none was chosen."""
    outcome = outcome_of(row)
    return str(row["winner"] or TIE) if outcome.judged else outcome.cell


def _candidate_score(row: Row, candidate: str) -> float | None:
    """A candidate's score, summed over the aspects that were judged together; None where it has none."""
    names = [f"{aspect}.{candidate}" for aspect in row["aspects"]]
    return float(sum(row["scores"][name] for name in names)) if names[0] in row["scores"] else None
