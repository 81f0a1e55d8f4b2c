"""Worth of a run's talk: its verdicts beside the vote of its openings, what both cost, and what may be concluded.

A claim is made only where an exact interval leaves no other: of the sources that the debate moved towards or away from people's judgement the share
of either kind (McNemar's test, Clopper and Pearson's interval), and of the verdicts that it changed their share. Verdicts of one source
count as one, however many there are, since they may all err together.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import chain
from math import ceil, exp, fsum, lgamma, log
from typing import Any, Literal

from agentdebate.debates.outcome import ABSTAINED
from agentdebate.errors import AgentDebateError
from agentdebate.meta.dynamics import HAIR, WITHIN
from agentdebate.meta.run_rows import ALL_ABSTAINED, scales_of
from agentdebate.meta.talk import Stand, Talk, Value, openings
from agentdebate.meta.talks import Talks
from agentdebate.models.prices import PriceTable
from agentdebate.store.reader import Reader
from agentdebate.store.run_head import RunHead
from agentdebate.studies.cells import Cost, cost_of
from agentdebate.studies.controls import Vote, no_openings, turns_of
from agentdebate.tasks import Scale
from agentdebate.visible import one_line

Claim = Literal["vote", "same", "debate", "some", "open", "at most", "unscored"]
"""People agree with the vote more often; the debate changes next to nothing; people agree with the debate more often, or do so where the
openings differ, and elsewhere it changes next to nothing; it cannot be told; and without people's scores: only where the
openings differ does the debate change more, or nothing can be said."""

_VOTE = "Worth{part}: the vote of the openings ({openings:.3g} a debate) gives the same verdict in {same:,} of {n:,}{gone}{costs}."
_PEOPLE = (
    "Of {scored:,} that people judged {to_wrong:,} went from right to wrong and {to_right:,} from wrong to right: "
    "{difference.value:+.3f} [{difference.low:+.3f}, {difference.high:+.3f}]{where}, {of}."
)
_CLAIMS: Mapping[Claim, str] = {
    "vote": "Use the vote here: people agree with it more often than with the debate.",
    "same": "Use the vote here: the debate changes at most {changed_most:.1%} of the verdicts.",
    "debate": "Debate here: people agree with it more often than with the vote.",
    "some": "Debate only the {split:.1%} whose openings differ: there people agree with it more often, and it changes at most "
    "{settled_most:.1%} of the others.",
    "open": "Whether people agree more often with vote or debate cannot be told with {of}.",
    "at most": "Debate at most the {split:.1%} whose openings differ: it changes at most {settled_most:.1%} of the others. Whether it "
    "helps, people's scores would tell.",
    "unscored": "Whether vote or debate is right more often, people's scores would tell.",
}
"""The template of a run."""
_OF_SEVERAL: Mapping[tuple[Claim, ...], str] = {
    ("vote", "same"): "Worth: use the vote of the openings in place of {}.",
    (
        "debate",
        "some",
    ): "Worth: people agree more often with the debate than with the vote of its openings in {}.",
    (
        "open",
        "at most",
        "unscored",
    ): "Worth: whether debate or the vote of its openings is right more often cannot be told in {}.",
}
"""The template of several runs."""
_NAMED = 3
"""Runs that a line names."""

RARE = 0.05
"""Largest share of verdicts that a debate changes next to nothing of."""
_TAIL = 0.025
"""Share that an interval leaves out at either end."""
_HALVINGS = 40


@dataclass(frozen=True, slots=True)
class Case:
    """One verdict beside the vote of the openings of its debate."""

    source: str
    """The texts that share it count as one."""
    vote: Value
    verdict: Value
    people: Value | None = None
    """People's judgement, where it is known and a score can be right or wrong by it."""
    split: bool = False
    """True if the openings differ."""
    near: float = WITHIN
    """Largest distance of two scores that are the same, in points."""

    @property
    def changed(self) -> bool:
        """True if the debate came to another verdict than the vote."""
        return not self._same(self.vote, self.verdict)

    @property
    def gain(self) -> int:
        """1 from wrong to right, -1 from right to wrong, else 0."""
        if self.people is None:
            return 0
        return self._same(self.verdict, self.people) - self._same(self.vote, self.people)

    def _same(self, one: Value, other: Value) -> bool:
        if isinstance(one, str) or isinstance(other, str):
            return one == other
        return abs(one - other) <= self.near + HAIR


@dataclass(frozen=True, slots=True)
class Difference:
    """Share of sources that the debate moved to people's judgement, less that which it moved away from it."""

    value: float
    low: float
    high: float
    n: int
    """Verdicts that are compared."""
    sources: int

    def __str__(self) -> str:
        return f"n = {self.n:,}" + (f" of {self.sources:,} sources" if self.sources < self.n else "")


@dataclass(frozen=True)
class Worth:
    """Verdicts of a run beside the vote of their openings. There are no cases where no ballot was cast before the talk."""

    cases: tuple[Case, ...]
    openings: float
    """Ballots of a vote."""
    debate: Cost
    vote: Cost
    why: str = ""
    """Reason if there are no cases."""
    part: str = ""
    """The part of the run that is looked at; empty where it is all of it."""
    abstained: int = 0
    """Debates without a verdict, since they abstained."""

    @property
    def same(self) -> int:
        """Number of verdicts that are the vote's."""
        return sum(not one.changed for one in self.cases)

    @cached_property
    def scored(self) -> tuple[Case, ...]:
        """The cases of which people's judgement is known."""
        return tuple(one for one in self.cases if one.people is not None)

    @property
    def to_right(self) -> int:
        """Number of verdicts that are people's where the vote is not."""
        return sum(one.gain > 0 for one in self.scored)

    @property
    def to_wrong(self) -> int:
        """Number of verdicts that are not people's where the vote is."""
        return sum(one.gain < 0 for one in self.scored)

    @cached_property
    def split(self) -> float:
        """Share of the cases whose openings differ."""
        return sum(one.split for one in self.cases) / len(self.cases) if self.cases else 0.0

    @cached_property
    def changed_most(self) -> float:
        """Upper bound of the share of verdicts that the debate changes."""
        return _changed_most(self.cases)

    @cached_property
    def settled_most(self) -> float:
        """Return the same of the cases whose openings are alike."""
        return _changed_most([one for one in self.cases if not one.split])

    @property
    def gated(self) -> bool:
        """True if the openings differ in some cases, and in the others the debate changes next to nothing."""
        return 0 < self.split < 1 and self.settled_most <= RARE

    @cached_property
    def difference(self) -> Difference | None:
        """Difference of the debate and the vote in agreement with people, over the cases whose openings differ where it is `gated`."""
        cases = [one for one in self.scored if one.split or not self.gated]
        return _difference(cases) if cases else None

    @cached_property
    def claim(self) -> Claim:
        """Conclusion that the cases allow."""
        apart = self.difference
        if apart and apart.low > 0:
            return "some" if self.gated else "debate"
        if apart and apart.high < 0:
            return "vote"
        if self.changed_most <= RARE:
            return "same"
        if self.scored:
            return "open"
        return "at most" if self.gated else "unscored"

    @property
    def times(self) -> dict[str, float]:
        """Cost of the debates in times that of the vote, by what is counted, as far as both are known."""
        names = ("calls", "tokens", "money")
        pairs = ((name, getattr(self.debate, name), getattr(self.vote, name)) for name in names)
        return {name: whole / vote for name, whole, vote in pairs if whole and vote}

    @property
    def lines(self) -> list[str]:
        """At most three lines on what the debate came to, beside the vote of its openings."""
        part = self.part and f", of {self.part}"
        if not self.cases:
            return [f"Worth{part}: not known, since {self.why}."]
        times = ", ".join(f"{one:.1f} times its {name}" for name, one in self.times.items())
        parts = self.row() | {"difference": self.difference}
        parts |= {name: getattr(self, name) for name in ("changed_most", "settled_most")}
        parts["costs"] = times and f"; the debates took {times}"
        parts["of"] = str(self.difference)
        parts |= {"part": part, "gone": f", and {self.abstained:,} abstained" if self.abstained else ""}
        parts["where"] = " whose openings differ" if self.gated else ""
        told = [_VOTE, *([_PEOPLE] if self.difference else []), _CLAIMS[self.claim]]
        return [line.format_map(parts) for line in told]

    def row(self) -> dict[str, Any]:
        """Record for JSON."""
        counts = ("same", "to_right", "to_wrong", "split", "claim", "times", "openings")
        return {
            "n": len(self.cases),
            "abstained": self.abstained,
            "scored": len(self.scored),
            **{name: getattr(self, name) for name in counts},
            "difference": self.difference and asdict(self.difference),
        }


def worth_of(reader: Reader, head: RunHead, prices: PriceTable, talk: Talks) -> Worth | None:
    """Read the worth of a run's talk off its first talks; None where no agent heard another. Raises StoreError."""
    talks = talk.talks
    if {*head.outcomes} == {ABSTAINED.name}:
        cost = cost_of(reader, head, prices)
        return Worth((), 0.0, cost, cost, ALL_ABSTAINED)
    if not any(talk.hearings for talk in talks):
        return None
    first, scales = {talk.debate: openings(talk) for talk in talks}, scales_of(head)
    found = Worth(
        (),
        sum(map(len, first.values())) / max(1, sum(bool(some) for some in first.values())),
        cost_of(reader, head, prices),
        cost_of(reader, head, prices, turns=turns_of(first.values())),
        no_openings(head),
        talk.part,
        talk.ended[ABSTAINED],
    )
    try:
        vote = Vote.of(head)
        cases = (_cases(one, first[one.debate], vote, scales) for one in talks)
        return replace(found, cases=tuple(chain.from_iterable(cases)))
    except AgentDebateError as error:  # its merge is not installed here, say
        return replace(found, why=one_line(str(error)))


def worth_lines(found: Mapping[str, Worth | None]) -> list[str]:
    """Say in at most three lines what the talk was worth in runs that are named; nothing where no agent heard another."""
    runs = {name: worth for name, worth in found.items() if worth}
    if len(found) == 1:
        return [line for worth in runs.values() for line in worth.lines]
    told = {name: worth.claim for name, worth in runs.items() if worth.cases}
    lines = []
    for claims, line in _OF_SEVERAL.items():
        names = [name for name, claim in told.items() if claim in claims]
        more = [f"{len(names) - _NAMED} more"] if len(names) > _NAMED else []
        lines += [one_line(line.format("; ".join([*names[:_NAMED], *more])))] if names else []
    return lines


def _cases(talk: Talk, first: Sequence[Stand], vote: Vote, scales: Mapping[str, Scale]) -> Iterator[Case]:
    """List what a debate was about with its vote and verdict: scores, or the choice where texts are compared."""
    values = vote.on(talk, first)
    for about in values:
        chooses = isinstance(values[about], str)
        if about not in talk.verdict or chooses != bool(talk.candidates):
            continue
        scale, people = scales.get(about), talk.people.get(about)
        if (
            scale
            and not isinstance(people, str | None)
            and not (scale.step and scale.low <= people <= scale.high)
        ):
            people = None  # on another scale, or on one on which no score is right
        near = WITHIN if scale is None else (scale.step or 0.0) / 2
        split = len({stand.values.get(about) for stand in first}) > 1
        yield Case(talk.source, values[about], talk.verdict[about], people, split, near)


def _changed_most(cases: Sequence[Case]) -> float:
    if not cases:
        return 1.0
    sources = len({one.source for one in cases})
    return highest_share(ceil(sum(one.changed for one in cases) * sources / len(cases)), sources)


def _difference(cases: Sequence[Case]) -> Difference:
    """Interval of the difference: of the sources that moved the share for the better, times the share that moved, each at its worse end."""
    gains = dict.fromkeys((one.source for one in cases), 0)
    for one in cases:
        gains[one.source] += one.gain
    better, worse = (sum(sign * gain > 0 for gain in gains.values()) for sign in (1, -1))
    moved, sources = better + worse, len(gains)
    ends = 1 - 2 * highest_share(worse, moved), 2 * highest_share(better, moved) - 1
    few, many = 1 - highest_share(sources - moved, sources), highest_share(moved, sources)
    low, high = (
        end * (few if (end > 0) == lower else many) for end, lower in zip(ends, (True, False), strict=True)
    )
    return Difference((better - worse) / sources, low, high, len(cases), sources)


def highest_share(events: int, n: int) -> float:
    """Upper end of the 95% interval of a share by Clopper and Pearson (1934), of `events` in `n` independent cases; 1 without cases."""
    if events >= n:
        return 1.0
    low, high = events / n, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(events, n, middle) > _TAIL else (low, middle)
    return high


def _at_most(events: int, n: int, share: float) -> float:
    """Probability of so many events or fewer."""
    events_log, others_log = log(share), log(1 - share)
    return fsum(
        exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * events_log + (n - k) * others_log)
        for k in range(events + 1)
    )
