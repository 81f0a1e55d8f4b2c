"""`replay_stops`: stop rules on the finished debates of a run, or on recorded rounds, in one call with the words of the command."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentdebate.datasets.files import read_rows
from agentdebate.debates.record import offline_note
from agentdebate.errors import UsageError
from agentdebate.meta.agreement import Agreement
from agentdebate.meta.comparison import compare
from agentdebate.meta.figure import Bootstrap, Level
from agentdebate.meta.imputation import LEFT_OUT, Missing
from agentdebate.meta.judgements import Judgements
from agentdebate.meta.run_rows import StoredRun, opened, people_judged
from agentdebate.meta.talks import RoundFields, talks_in
from agentdebate.report.grid import Block, Columns, Grid, Number
from agentdebate.report.judge_tables import agreement_record, interval_record, number_of
from agentdebate.report.question import Question
from agentdebate.report.result import Result
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import LAST
from agentdebate.studies.stop_replay import (
    Merging,
    Replays,
    StopReplay,
    has_ruling,
    held_debates,
    recorded_debates,
    replayed,
    rules_named,
)

_NOTE = "shorter: debates that take fewer calls; kept: the verdict stays the same; calls, saved: those that are made, and the share that is not."
_RULES: Columns = {
    "rule": "rule",
    "shorter": "shortened",
    "rounds": lambda one: Number(one.rounds),
    "kept": lambda one: number_of(one.kept),
    "calls": "calls",
    "saved": lambda one: Number(one.saved, one.low, one.high),
}
_AGREEMENT: Columns = {
    "rule": lambda one: one[0].judge,
    "agreement": lambda one: number_of(one[0]),
    "less the whole": lambda one: one[1] or Number(None),
    "n": lambda one: one[0].n,
}


@dataclass(frozen=True, repr=False)
class StopReplays(Result):
    """What stop rules would have kept and saved: print it, or take its `rows`."""

    name: str
    """The run, or the file."""
    found: Replays
    question: Question
    note: str | None = None

    @property
    def title(self) -> str:
        """Name of the replay, with the run."""
        return f"stop rules on {self.name}"

    def rows(self) -> list[dict[str, Any]]:
        """A record for each rule: debates shortened, verdicts kept, calls saved, and agreement with people beside that of the whole debates."""
        return list(map(self._record, self.found.rules))

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON has it."""
        found = self.found
        whole = [agreement_record(self.question.ask(one)) for one in people_judged(found.judged)]
        return {
            "run": self.name,
            "debates": found.debates,
            "calls": found.calls,
            "left_out": dict(found.left_out),
            "agreement": whole,
            "rows": self.rows(),
            "note": self.note,
        }

    def blocks(self) -> Iterator[Block]:
        """The rules, agreement aspect by aspect, and what was left out."""
        found = self.found
        title = f"Stop rules on {self.name} ({found.debates} debates, {found.calls} calls)"
        lost = [f"Left out: {reason} ({count})." for reason, count in found.left_out.items()]
        yield Grid.of(title, found.rules, _RULES, notes=[_NOTE, *lost])
        for whole in people_judged(found.judged):
            first = self.question.ask(whole)
            lines = [(first, None), *(self._beside(one, whole) for one in found.rules)]
            yield ""
            yield Grid.of(f"Agreement with people, {whole.aspect}", lines, _AGREEMENT)
            yield self.question.told([first])
        if self.note:
            yield from ("", self.note)

    def _beside(self, one: StopReplay, whole: Judgements) -> tuple[Agreement, Number]:
        """The agreement of the verdicts under a rule, and how much less it is than that of the whole debates, over the same texts."""
        entry = next(each for each in one.judged if each.aspect == whole.aspect)
        found, bootstrap = self.question.ask(entry), self.question.bootstrap or Bootstrap(resamples=0)
        level: Level = "pooled" if entry.labels is not None else self.question.level
        apart = compare(
            entry,
            whole,
            found.statistic,
            level,
            bootstrap=bootstrap,
            permutations=0,
            missing=self.question.missing,
        )
        return found, Number(apart.difference, apart.low, apart.high)

    def _record(self, one: StopReplay) -> dict[str, Any]:
        pairs = [self._beside(one, whole) for whole in people_judged(self.found.judged)]
        parts = ("value", "low", "high")
        return {
            "rule": one.rule,
            "shortened": one.shortened,
            "rounds": one.rounds,
            "calls": one.calls,
            "kept": interval_record(one.kept),
            "saved": dict(zip(parts, (one.saved, one.low, one.high), strict=True)),
            "agreement": [
                {**agreement_record(found), "difference": {name: getattr(apart, name) for name in parts}}
                for found, apart in pairs
            ],
        }


def replay_stops(
    run: str | StoredRun = LAST,
    *,
    stops: Mapping[str, object] | Sequence[str] = (),
    store: str | Path = USUAL_STORE,
    data: str | Path | None = None,
    rounds: RoundFields = RoundFields(),
    statistic: str | None = None,
    level: Level = "pooled",
    bootstrap: Bootstrap = Bootstrap(),
    missing: Missing = LEFT_OUT,
) -> StopReplays:
    """Replay stop rules on the debates of a run that have ended; no model is called.

    `run` is its name in `store`, the beginning of one, "last", or a run that `open_store` gave. `stops` names rules, or has a rule, or its
    table with options, by a label; without it all that are registered are replayed. The run has to have ballots in every round:

        found = replay_stops("last", stops={"most": {"rule": "majority", "share": 0.75}}, store="runs.db")
        print(found)

    With `data`, a file with a row for every ballot, it reads that instead of a run, as `dynamics` does; a call is a ballot there. The question of
    agreement is put by `statistic`, `level`, `bootstrap` and `missing`. Raises UserError and StoreError.
    """
    rules, question = rules_named(stops), Question(statistic, level, bootstrap, missing)
    if data is not None:
        recorded = recorded_debates(talks_in(list(read_rows(data)), rounds))
        return StopReplays(Path(data).name, replayed(recorded, Merging.of({}), rules, bootstrap), question)
    with opened(run, store) as (reader, head):
        strategy = head.configuration.get("strategy", {})
        if has_ruling(strategy):
            raise UsageError(
                "a tie-breaker reads the whole debate, and nothing says how it rules on a shorter one: replay a run without it"
            )
        held = held_debates(reader, head, reader.asked(head.id))
    found = replayed(held, Merging.of(strategy), rules, bootstrap)
    return StopReplays(head.id, found, question, offline_note(head.models))
