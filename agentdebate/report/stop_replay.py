"""`replay_stops`: stop rules on the finished debates of a run, or on recorded rounds, in one call with the words of the command."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from agentdebate.datasets.files import read_rows
from agentdebate.debates.record import offline_note
from agentdebate.errors import UsageError
from agentdebate.meta.agreement import Agreement
from agentdebate.meta.judgements import Judgements
from agentdebate.meta.run_rows import StoredRun, opened, people_judged
from agentdebate.meta.talks import RoundFields, talks_in
from agentdebate.report.grid import Block, Columns, Grid, Number, shown
from agentdebate.report.judge_tables import agreement_record, interval_record, number_of
from agentdebate.report.question import Question, QuestionOptions
from agentdebate.report.result import Result
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import LAST
from agentdebate.studies.stop_replay import (
    SALVAGED,
    Merging,
    StopReplay,
    has_ruling,
    held_debates,
    recorded_debates,
    replayed,
    rules_named,
)

_saved = shown(Number, "saved", "spread.low", "spread.high")
_NOTE = "shorter: debates that take fewer calls; kept: the verdict stays the same; calls, saved: those that are made, and the share that is not."
_RULES: Columns = {
    "rule": "rule",
    "shorter": "shortened",
    "rounds": shown(Number, "rounds"),
    "kept": shown(number_of, "kept"),
    "calls": "calls",
    "saved": _saved,
}
_AGREEMENT: Columns = {
    "rule": lambda one: one[0].judge,
    "agreement": lambda one: number_of(one[0]),
    "less the whole": lambda one: one[1],
    "n": lambda one: one[0].n,
}


def _ends(one: Any) -> dict[str, float | None]:
    return {name: getattr(one, name) for name in ("value", "low", "high")}


@dataclass(frozen=True, repr=False)
class StopReplays(Result):
    """Verdicts that stop rules keep and calls that they save: print it, or take its `rows`."""

    name: str
    """The run, or the file."""
    found: tuple[StopReplay, ...]
    """The whole debates, and those that each rule ends."""
    debates: int
    """Debates with ballots, those that are in no figure among them."""
    question: Question
    note: str | None = None

    @property
    def title(self) -> str:
        """Name of the replay, with the run."""
        return f"stop rules on {self.name}"

    @property
    def left_out(self) -> dict[str, int]:
        """Numbers of debates that are in no figure, by the reason."""
        lost = self.debates - self.found[0].kept.n
        return {SALVAGED: lost} if lost else {}

    def rows(self) -> list[dict[str, Any]]:
        """A record for the whole debates, and for each rule: debates shortened, verdicts kept, calls saved, and agreement with people."""
        return [
            {
                **{name: getattr(one, name) for name in ("rule", "shortened", "rounds", "calls")},
                "kept": interval_record(one.kept),
                "saved": _ends(_saved(one)),
                "agreement": [
                    {**agreement_record(found), "difference": _ends(apart)}
                    for found, apart in map(partial(self._beside, one), self._aspects)
                ],
            }
            for one in self.found
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON has it."""
        return {"run": self.name, "left_out": self.left_out, "rows": self.rows(), "note": self.note}

    def blocks(self) -> Iterator[Block]:
        """The rules, agreement aspect by aspect, and what was left out."""
        lost = [f"Left out: {reason} ({count})." for reason, count in self.left_out.items()]
        title = f"S{self.title[1:]} (n={self.found[0].kept.n})"
        yield Grid.of(title, self.found, _RULES, notes=[_NOTE, *lost])
        for whole in self._aspects:
            lines = [self._beside(one, whole) for one in self.found]
            told = self.question.told([found for found, _ in lines])
            yield from (
                "",
                Grid.of(f"Agreement with people, {whole.aspect}", lines, _AGREEMENT, notes=[told]),
            )
        if self.note:
            yield from ("", self.note)

    @property
    def _aspects(self) -> Sequence[Judgements]:
        return people_judged(self.found[0].judged)

    def _beside(self, one: StopReplay, whole: Judgements) -> tuple[Agreement, Number]:
        """The agreement of the verdicts under a rule, and how much more it is than that of the whole debates, over the same texts."""
        entry = next(each for each in one.judged if each.aspect == whole.aspect)
        apart = self.question.compare(entry, whole)
        return self.question.ask(entry), Number(apart.difference, apart.low, apart.high)


def replay_stops(
    run: str | StoredRun = LAST,
    *,
    stops: Mapping[str, object] | Sequence[str] = (),
    store: str | Path = USUAL_STORE,
    data: str | Path | None = None,
    rounds: RoundFields = RoundFields(),
    **asked: Unpack[QuestionOptions],
) -> StopReplays:
    """Replay stop rules on the debates of a run that have ended; no model is called.

    `run` is its name in `store`, the beginning of one, "last", or a run that `open_store` gave. `stops` names rules, or has a rule, or its
    table with options, by a label; without it all that are registered are replayed. The run has to have ballots in every round:

        found = replay_stops("last", stops={"most": {"rule": "majority", "share": 0.75}}, store="runs.db")
        print(found)

    With `data`, a file with a row for every ballot, it reads that instead of a run, as `dynamics` does; a call is a ballot there. The question of
    agreement is put by `statistic`, `level`, `bootstrap` and `missing`. Raises UserError and StoreError.
    """
    rules, question = rules_named(stops), Question(**asked)
    strategy, note = {}, None
    if data is not None:
        name, debates = Path(data).name, recorded_debates(talks_in(list(read_rows(data)), rounds))
    else:
        with opened(run, store) as (reader, head):
            name, strategy, note = head.id, head.configuration.get("strategy", {}), offline_note(head.models)
            if has_ruling(strategy):
                raise UsageError(
                    "a tie-breaker reads the whole debate, and nothing says how it rules on a shorter one: replay a run without it"
                )
            debates = held_debates(reader, head, reader.asked(head.id))
    found = replayed(debates, Merging.of(strategy), rules, question.bootstrap)
    return StopReplays(name, found, len(debates), question, note)
