"""Stop rules replayed: what the debates of a run, or recorded rounds, would have come to if a rule had ended them, and the calls saved.

A rule sees the ballots round by round as it does in a debate, and what stands at its end is merged as the strategy merges. Calls that were
made after the last ballot of that round are saved. So debates have to have cast ballots in every round. Those whose verdict is not the merge
of their last ballots are left out and counted: they were salvaged, for example, and nothing says what fewer rounds would have come to.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean
from typing import Any

from agentdebate.ballots.merge import MergeContext, Rule, rule_of
from agentdebate.debates.outcome import outcome_of
from agentdebate.errors import TooFewBallots, UsageError
from agentdebate.meta.agreement import Agreement, agree
from agentdebate.meta.arrays import Array, np
from agentdebate.meta.columns import Places
from agentdebate.meta.dynamics import HAIR
from agentdebate.meta.figure import Bootstrap, Interval
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.meta.labels import sorted_labels
from agentdebate.meta.talk import TIE, Talk, Value, choice_name, grouped, label, peoples_best, sitting_of
from agentdebate.plugins import registered
from agentdebate.store.reader import Reader
from agentdebate.store.run_head import RunHead
from agentdebate.store.run_tables import RunCall
from agentdebate.strategies.stops import (
    GROUP,
    Round,
    StopContext,
    StopRule,
    ballots_by_round,
    never,
    stop_rule,
)
from agentdebate.strategies.verdicts import By, of_ballots, of_sittings
from agentdebate.studies.cells import Cell, inside
from agentdebate.talk.messages import CastBallot, Lost, Verdict
from agentdebate.tasks import Aspect, Scale

KEPT, CHANGED = "kept", "changed"
WHOLE = "whole debate"
"""The rule by which all rounds are held."""
SALVAGED = "debates whose verdict is not the merge of their last ballots"
"""Reason why debates are in no figure."""

Ends = Callable[[int, Sequence[Round]], bool]
"""Tells by the number of a round, and the ballots until then, whether a debate ends there."""


@dataclass(frozen=True)
class HeldDebate:
    """A debate as far as a stop rule is concerned."""

    text: Judged
    """Id, source and system of its item."""
    aspects: tuple[Aspect, ...]
    people: Mapping[str, Value]
    """People's judgements by what they are about."""
    verdict: Mapping[str, Value]
    ballots: tuple[CastBallot, ...]
    lost: tuple[Lost, ...]
    calls: tuple[tuple[int, int], ...]
    """For each call the number of its sitting, and of the message that asked for it."""
    first: int = 1
    """Round after which a rule is called first."""


@dataclass(frozen=True)
class Merging:
    """The way in which a strategy merges the ballots that were cast last."""

    rule: Rule
    by: By = "scores"
    quorum: int = 1
    weighted: bool = False

    @classmethod
    def of(cls, strategy: Mapping[str, Any]) -> "Merging":
        """The merging of a run's strategy."""
        own = next((one for one in inside(strategy) if isinstance(one.get("merge"), str | Mapping)), {})
        rule = rule_of(own.get("merge", "average"))
        return cls(rule, own.get("by", "scores"), own.get("quorum", 1), bool(own.get("weights")))

    def verdict(self, sitting: "_Sitting", debate: HeldDebate) -> Verdict:
        """Merge the ballots that stand at the end of a sitting. Raises TooFewBallots."""
        row = sitting.until(sitting.end)[-1]
        weight = {cast.agent: cast.weight for cast in debate.ballots}
        return of_ballots(
            [cast.ballot if cast else None for cast in row],
            MergeContext(
                debate.aspects, tuple(cast.agent if cast else "" for cast in row), rounds=sitting.end
            ),
            self.rule,
            by=self.by,
            quorum=self.quorum,
            weights=[weight[cast.agent] if cast else 1.0 for cast in row] if self.weighted else None,
        )


@dataclass(frozen=True)
class Cut:
    """A debate that is ended where a rule says so."""

    values: Mapping[str, Value]
    """Judgement of it; empty where there are too few ballots."""
    calls: int
    rounds: int


def cut(debate: HeldDebate, merging: Merging, ends: Ends) -> Cut:
    """End each sitting of a debate by a rule, and merge what stands then."""
    sittings = grouped(debate.ballots, lambda cast: sitting_of(cast.agent))
    ended = [_Sitting(debate, number, ballots, ends) for number, ballots in sittings.items()]
    calls, rounds = len(debate.calls) - sum(one.saved for one in ended), max(one.end for one in ended)
    values: Mapping[str, Value] = {}
    with suppress(TooFewBallots):
        verdicts = [merging.verdict(one, debate) for one in ended]
        whole = of_sittings(verdicts, debate.aspects, "", 0) if len(verdicts) > 1 else verdicts[0]
        values = said(whole.scores, debate.aspects, whole.winners)
    return Cut(values, calls, rounds)


class _Sitting:
    """One sitting of a debate, as a rule ends it."""

    def __init__(self, debate: HeldDebate, number: int, ballots: Sequence[CastBallot], ends: Ends) -> None:
        self._lost = [one for one in debate.lost if sitting_of(one.agent) == number]
        self._ballots = ballots
        numbers = sorted({cast.round for cast in ballots})
        called = (one for one in numbers if one >= debate.first)
        found = next((one for one in called if ends(one, self.until(one))), None)
        self.end = numbers[-1] if found is None else found
        last = max(cast.message for cast in ballots if cast.round <= self.end)
        after = (own == number and ask > last for own, ask in debate.calls)
        self.saved = 0 if found is None else sum(after)
        """Calls that were made after the last ballot that counts."""

    def until(self, number: int) -> tuple[Round, ...]:
        """The rounds as a rule sees them after one of them: who is lost later has not been lost yet."""
        ballots = [cast for cast in self._ballots if cast.round <= number]
        return ballots_by_round(ballots, [one for one in self._lost if one.round <= number])


def said(scores: Mapping[str, float], aspects: Sequence[Aspect], best: Sequence[str]) -> dict[str, Value]:
    """A judgement by what it is about: scores by aspect, or where texts are compared the choice."""
    return {choice_name([one.name for one in aspects]): label(best)} if best else dict(scores)


@dataclass(frozen=True)
class StopReplay:
    """A stop rule on finished debates."""

    rule: str
    shortened: int
    """Debates that take fewer calls."""
    rounds: float
    """Mean number of rounds."""
    kept: Agreement
    """Share of the debates whose verdict stays the same."""
    calls: int
    """Calls that are made."""
    saved: float
    """Share of the calls that are saved."""
    spread: Interval
    """Interval of it, by resamples of sources."""
    judged: tuple[Judgements, ...]
    """The verdicts beside people's, aspect by aspect."""


def replayed(
    debates: Sequence[HeldDebate], merging: Merging, rules: Mapping[str, StopRule], bootstrap: Bootstrap
) -> tuple[StopReplay, ...]:
    """Replay rules on debates, whose whole is the first line. Raises UsageError where none has ballots in several rounds.

    What is not among them is counted by the difference of the whole's n from the number of debates.
    """
    kept = _whole(debates, merging)
    if not any(len({cast.round for cast in one.ballots}) > 1 for one in kept):
        raise UsageError(
            "no debate has ballots in more than one round that its verdict is the merge of, so there is nothing to replay; strategies with the "
            "option ballots have some with ballots=every"
        )
    return tuple(
        _replay(name, rule, kept, merging, bootstrap) for name, rule in {WHOLE: never, **rules}.items()
    )


def _ends(rule: StopRule, context: StopContext, _: int, rounds: Sequence[Round]) -> bool:
    return rule(rounds, context) is not None


def _whole(debates: Sequence[HeldDebate], merging: Merging) -> list[HeldDebate]:
    """The debates whose verdict is the merge of their last ballots."""
    return [one for one in debates if _same(cut(one, merging, lambda *_: False).values, one.verdict)]


def _replay(
    name: str, rule: StopRule, debates: Sequence[HeldDebate], merging: Merging, bootstrap: Bootstrap
) -> StopReplay:
    cuts = [cut(one, merging, partial(_ends, rule, StopContext(one.aspects))) for one in debates]
    same = [
        replace(one.text, human=KEPT, score=KEPT if _same(short.values, one.verdict) else CHANGED)
        for one, short in zip(debates, cuts, strict=True)
    ]
    source = Places.of(same).source
    made, whole = (
        np.bincount(source, some)
        for some in ([one.calls for one in cuts], [len(one.calls) for one in debates])
    )

    def saved(drawn: Array) -> float:
        return float(1 - made[drawn].sum() / max(whole[drawn].sum(), 1))

    value = saved(np.arange(len(whole)))
    return StopReplay(
        name,
        sum(short.calls < len(one.calls) for one, short in zip(debates, cuts, strict=True)),
        fmean(short.rounds for short in cuts),
        agree(Judgements(name, "verdict", same, labels=(KEPT, CHANGED)), "accuracy", bootstrap=bootstrap),
        int(made.sum()),
        value,
        bootstrap.interval(len(whole), saved, value),
        _judged(name, debates, [short.values for short in cuts]),
    )


def _same(one: Mapping[str, Value], other: Mapping[str, Value]) -> bool:
    """Tell whether two judgements are the same but for rounding."""
    return one.keys() == other.keys() and all(
        value == other[about] or (isinstance(value, float) and abs(value - float(other[about])) <= HAIR)
        for about, value in one.items()
    )


def _judged(
    name: str, debates: Sequence[HeldDebate], values: Sequence[Mapping[str, Value]]
) -> tuple[Judgements, ...]:
    """Judgements beside people's, what they are about one by one."""
    pairs = list(zip(debates, values, strict=True))
    found = []
    for about in dict.fromkeys(about for one in debates for about in one.verdict):
        rows = [
            replace(one.text, human=one.people.get(about), score=some.get(about))
            for one, some in pairs
            if about in one.verdict
        ]
        words = {value for row in rows for value in (row.human, row.score) if isinstance(value, str)}
        found.append(
            Judgements(name, about, rows, labels=sorted_labels(words, TIE) if words else None, tie=TIE)
        )
    return tuple(found)


def rules_named(stops: Mapping[str, object] | Sequence[str]) -> dict[str, StopRule]:
    """Stop rules by name, or by a label that stands for a rule or its table with options; all that are registered where none is named.

    Raises UsageError.
    """
    names = stops or registered(GROUP)
    named = stops if stops and isinstance(stops, Mapping) else {name: name for name in names}
    return {name: rule for name, said in named.items() if (rule := stop_rule(said)) is not None}


def has_ruling(strategy: Mapping[str, Any]) -> bool:
    """Tell whether a tie-breaker rules on whole debates: nothing says how it would rule on shorter ones."""
    return any("tie-breaker" in one.get("cast", {}) for one in inside(strategy))


def as_held(reader: Reader, head: RunHead, cell: Cell) -> Cell:
    """The cell of a run with the most rounds that a debate of it took, where the option allows more."""
    most = max((row["rounds"] or 0 for row in reader.rows(head.id)), default=0)
    allowed = cell.varied.get("rounds", "")
    fewer = allowed.isdecimal() and 0 < most < int(allowed)
    return replace(cell, varied={**cell.varied, "rounds": str(most)}) if fewer else cell


def cut_cells(reader: Reader, head: RunHead, cell: Cell) -> Iterator[Cell]:
    """A run as if its talk were cut after each round, as cells; none where ballots were cast in one round alone."""
    strategy = head.configuration.get("strategy", {})
    debates = [] if has_ruling(strategy) else _whole(held_debates(reader, head), Merging.of(strategy))
    numbers = sorted({cast.round for one in debates for cast in one.ballots})
    for number in numbers if len(numbers) > 1 else ():
        values = [
            cut(replace(one, first=number), Merging.of(strategy), lambda *_: True).values for one in debates
        ]
        entries = _judged(cell.label, debates, values)
        varied = {**cell.varied, "rounds": str(number)}
        yield replace(cell, kind="cut", varied=varied, judged=entries, beside=cell.label)


def held_debates(reader: Reader, head: RunHead, asked: Iterable[RunCall] = ()) -> list[HeldDebate]:
    """The debates of a run that came to a judgement, with their ballots, and the calls that they took as far as these are given."""
    calls: dict[str, list[tuple[int, int]]] = {}
    for call in asked:
        calls.setdefault(call.debate, []).append((sitting_of(call.agent), call.ask))
    verdicts = {debate: one for debate, one in reader.said(head.id, ("verdict",)) if isinstance(one, Verdict)}
    tasks = head.tasks()
    return [
        _held(row, verdicts[row["debate"]], tasks[row["task"]].aspects, calls.get(row["debate"], []))
        for row in reader.rows(head.id)
        if outcome_of(row).judged and verdicts[row["debate"]].ballots
    ]


def _held(
    row: Mapping[str, Any], verdict: Verdict, known: Sequence[Aspect], calls: Sequence[tuple[int, int]]
) -> HeldDebate:
    aspects = tuple(one for one in known if one.name in row["aspects"])
    best = peoples_best(row["human"], row["aspects"], row["candidates"]) if row["candidates"] else ()
    human = {name: score for name, score in row["human"].items() if score is not None}
    return HeldDebate(
        Judged(row["id"], row["group"] or "", row["system"] or "", None, None),
        aspects,
        said(human, aspects, best),
        said(verdict.scores, aspects, verdict.winners),
        verdict.ballots,
        verdict.lost,
        tuple(calls),
    )


def recorded_debates(talks: Iterable[Talk]) -> list[HeldDebate]:
    """Recorded rounds as debates in which every ballot is a call, and the first round is the first that a rule sees."""
    return [
        HeldDebate(
            Judged(talk.debate, "", "", None, None),
            tuple(
                Aspect.model_construct(name=name, scale=_scale(talk), criterion="", rank=False)
                for name in talk.about
            ),
            talk.people,
            talk.verdict,
            tuple(
                CastBallot(agent=one.agent, round=one.round, message=one.seq, model="", ballot=one.ballot)
                for one in talk.stands
            ),
            (),
            tuple((sitting_of(one.agent), one.seq) for one in talk.stands),
            min((one.round for one in talk.stands), default=0),
        )
        for talk in talks
        if talk.stands
    ]


def _scale(talk: Talk) -> Scale:
    """The scale of recorded scores, as far as they reach."""
    scores = [rating.score for one in talk.stands for rating in one.ballot.ratings]
    return Scale.model_construct(low=min(scores), high=max(scores), step=None, grades=())
