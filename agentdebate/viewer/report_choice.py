"""Which debates a report holds, and how much of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from agentdebate.debates.outcome import FAILURE, outcome_of
from agentdebate.errors import UsageError, nearest
from agentdebate.store.reader import RunHead
from agentdebate.viewer.shelf import Shelf

Debates = Literal["all", "failures", "rows"]
"""Which debates: all with what was said, those that failed, or all as rows of the table and nothing else."""


@dataclass(frozen=True)
class ReportChoice:
    """What a report holds."""

    debates: Debates = "all"
    names: tuple[str, ...] = ()
    """The ids of the debates that were chosen; with none, `debates` says which."""
    prompts: bool = True
    """Whether the prompt and the raw reply of each call are in it."""
    public: bool = False
    """Whether texts, prompts and what repeats them are left out."""

    def __post_init__(self) -> None:
        if self.debates not in get_args(Debates):
            raise UsageError(
                f"debates cannot be {self.debates!r}. {nearest(self.debates, get_args(Debates))}"
            )

    @property
    def told(self) -> str:
        """What the file holds, in a sentence."""
        which = {
            "all": "Every debate with what was said in it",
            "failures": "Of the debates those that failed, with what was said in them",
            "rows": "Every debate as a row; what was said is left out",
        }[self.debates]
        chosen = f"{len(self.names)} debates that were chosen, with what was said in them"
        more = " Texts, prompts and what repeats them are left out." if self.public else ""
        return f"{chosen if self.names else which}.{more}"

    def holds(self, shelf: Shelf, run: str, debate: str) -> bool:
        """Whether a debate of a run is written out in the report."""
        if not self.names and self.debates != "failures":
            return self.debates == "all"
        row = shelf.reader().row(run, debate)
        return row is not None and (debate in self.names if self.names else outcome_of(row) is FAILURE)

    def check(self, shelf: Shelf, heads: Sequence[RunHead]) -> None:
        """Raise UsageError for a chosen debate that no run has."""
        for name in self.names:
            if not any(shelf.reader().row(head.id, name) for head in heads):
                raise UsageError(
                    f"no run of the report has a debate {name!r} that has ended: agentdebate show RUN lists them"
                )
