"""A debate of a stored run that has ended: what it came to at once, and what was said and asked when it is looked at."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from agentdebate.debates.outcome import FAILURE, Outcome, outcome_of
from agentdebate.store.damage import naming
from agentdebate.store.reader import Reader
from agentdebate.store.stored_call import RunCall, calls_of
from agentdebate.tables.column import Column
from agentdebate.tables.drawing import html_of
from agentdebate.talk.messages import Failure, Message, Verdict
from agentdebate.talk.transcript import Transcript
from agentdebate.tasks import Item
from agentdebate.usage import Usage
from agentdebate.visible import shortened

_LONGEST = 70
"""Characters of an id, and of what a record says, in its `repr`."""

_COLUMNS = (
    *(Column(name) for name in ("debate", "item", "group", "system", "task", "strategy")),
    Column("aspects", "texts"),
    Column("outcome"),
)
_ENDING = (
    Column("winner"),
    Column("winners", "texts"),
    *(Column("agreed", "boolean"), Column("settled", "boolean")),
    *(Column(name) for name in ("ended", "curtailed", "abstained")),
    *(Column("rounds", "integer"), Column("missing", "integer")),
    *(Column("lost", "texts"), Column("models", "texts"), Column("families", "texts")),
    *(Column("error"), Column("agent"), Column("reason")),
    *(Column(name, "integer") for name in ("calls", "prompt_tokens", "completion_tokens", "cached_calls")),
    Column("seconds", "number"),
)


class StoredRecord:
    """One debate of a stored run that has ended, with the names that a `Record` has.

    Scores, outcome and counts are at hand. Item, transcript, verdict and calls are read from the store when they are first
    looked at; the store must be open then.
    """

    def __init__(self, reader: Reader, run: str, row: Mapping[str, Any]) -> None:
        self._reader, self._run, self._row = reader, run, row

    def __repr__(self) -> str:
        said = ", ".join(f"{name} {score:g}" for name, score in self.scores.items() if score is not None)
        failed = self._row["failure"]
        why = f"{failed['error']}: {failed['reason']}" if failed else said
        name = shortened(self.id, _LONGEST)
        return f"<StoredRecord {name}: {self.outcome.name}, {shortened(why, _LONGEST)}>"

    def _repr_html_(self) -> str:
        return html_of(self)

    @property
    def id(self) -> str:
        """The debate's id within its run."""
        return str(self._row["debate"])

    @property
    def task(self) -> str:
        """The task's name."""
        return str(self._row["task"])

    @property
    def strategy(self) -> str:
        """The strategy's title."""
        return str(self._row["strategy"])

    @property
    def aspects(self) -> tuple[str, ...]:
        """What was judged."""
        return tuple(self._row["aspects"])

    @property
    def outcome(self) -> Outcome:
        """How the debate ended."""
        return outcome_of(self._row)

    @property
    def scores(self) -> Mapping[str, float]:
        """The verdict's scores; none where the debate failed or abstained."""
        return dict(self._row["scores"])

    @property
    def human(self) -> Mapping[str, float | None]:
        """People's scores of what was judged."""
        return dict(self._row["human"])

    @property
    def candidates(self) -> tuple[str, ...]:
        """Where texts were compared: their fields, in the task's order."""
        return tuple(self._row.get("candidates") or ())

    @property
    def seconds(self) -> float:
        """How long the debate took; 0 where that is not known."""
        return float(self._row.get("seconds") or 0.0)

    @cached_property
    def item(self) -> Item:
        """The item that was judged. Raises StoreError where it is damaged."""
        with naming(self._reader.place):
            return self._reader.item(self._run, self._row["id"])

    @cached_property
    def transcript(self) -> Transcript[Message]:
        """Everything that was said."""
        with naming(self._reader.place):
            return Transcript(self._reader.messages(self._run, self.id), debate=self.id)

    @cached_property
    def calls(self) -> tuple[RunCall, ...]:
        """The model calls, with their prompts."""
        with naming(self._reader.place):
            stored = self._reader.calls(self._run, self.id)
            return tuple(calls_of(self._reader, self._run, ((self.id, call) for call in stored)))

    @property
    def verdict(self) -> Verdict | None:
        """The verdict; None where the debate failed."""
        said = next((one for one in reversed(self.transcript) if isinstance(one, Verdict)), None)
        return said.after(self.transcript) if said is not None and self.outcome is not FAILURE else None

    @property
    def failure(self) -> Failure | None:
        """Why the debate failed; None where it did not."""
        failed = self._row["failure"]
        return (
            None if failed is None else Failure(**{key: failed[key] for key in ("error", "reason", "agent")})
        )

    @property
    def usage(self) -> Usage:
        """The calls that were paid for and their tokens; `calls` has them one by one."""
        names = ("calls", "prompt_tokens", "completion_tokens")
        return Usage(**{name: self._row[name] for name in names})

    def row(self) -> dict[str, Any]:
        """The record as one flat row, as `Record.row()` gives it, with the debate's id."""
        return dict(self._row)

    def cells(self) -> dict[str, Any]:
        """The record as a table has it."""
        row, failed = self._row, self._row["failure"] or {}
        return {
            **{name: value for name, value in row.items() if name not in ("agent", "reason", "error")},
            "item": row["id"],
            "lost": [lost["agent"] for lost in row.get("lost") or ()],
            "error": failed.get("error"),
            "agent": failed.get("agent"),
            "reason": failed.get("reason"),
            **{f"score_{name}": score for name, score in row["scores"].items()},
            **{f"human_{name}": score for name, score in row["human"].items()},
        }


def record_columns(names: Sequence[tuple[str, bool]]) -> tuple[Column, ...]:
    """The columns of a table of records; `names` are what there are scores of, each with whether people scored it too."""
    scores = [Column(f"score_{name}", "number") for name, _ in names]
    people = [Column(f"human_{name}", "number") for name, scored in names if scored]
    return (*_COLUMNS, *scores, *people, *_ENDING)
