"""A judge's rows beside those of the data: which fields name a text, which rows are looked at, and what was left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from agentdebate.datasets.named_values import names
from agentdebate.datasets.picked import picked
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.conventions import Convention
from agentdebate.meta.fields import check_field, has, known_fields
from agentdebate.meta.predicted import Joined, Match, Naming, beside, check_once, join_scores
from agentdebate.meta.sources.agreement_fields import AgreementFields
from agentdebate.meta.sources.judges import Judge
from agentdebate.meta.where import Condition, narrow


@dataclass(frozen=True)
class Pairing:
    """One judge, and the data that it is compared with."""

    judge: Judge
    rows: Sequence[Row] = field(repr=False)
    """The rows with what people say; the judge's own where it stands there."""
    fields: AgreementFields
    convention: Convention | None = None
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Why something of the data gives no row: reason to count."""
    aside: Sequence[Row] = field(default=(), repr=False)
    """Rows of the judge that conditions took away before the judges of its file were told apart."""
    held: str = ""
    """What these conditions are, and how many rows they left."""
    grades: Mapping[str, float] = field(default_factory=dict)
    """The scores that words stand for."""

    @property
    def alone(self) -> bool:
        """Whether the judge is a run, with people's scores as they came with its items."""
        return self.judge.run is not None and self.judge.rows is self.rows

    @property
    def naming(self) -> Naming:
        """The fields that name a text of the data. Raises UsageError for one that is not there."""
        if self.judge.run and self.alone:
            return self.judge.run.naming
        group = self.fields.group or self._of_convention("group")
        system = self.fields.system or self._of_convention("system")
        for option, name in (("group=...", group), ("system=...", system)):
            if name:
                check_field(self.rows, name, option)
        named = tuple(match.data for match in self.fields.matches(self.convention))
        both = (group, system) if group and system else ()
        return Naming(named or both, group, system)

    @property
    def matches(self) -> tuple[Match, ...]:
        """The fields by which rows are matched.

        A judge whose rows have a field of the name that the data has for it is matched by that where they lack the other
        name, so that several judges can name them differently; a run's items have their id, group and system under these
        names.
        """
        found = self.fields.matches(self.convention)
        return tuple(self._match(one, alone=len(found) == 1) for one in found)

    def _match(self, match: Match, *, alone: bool) -> Match:
        run, names = self.judge.run, [match.scores, match.data]
        if run:
            known, naming = run.naming, self.naming
            own = {naming.group: known.group, naming.system: known.system}
            names += [name for name in ("id" if alone else None, own.get(match.data)) if name]
        there = (name for name in names if any(has(row, name) for row in self.judge.rows))
        return replace(match, scores=next(there, match.scores))

    def joined(self, rows: Sequence[Row]) -> Joined:
        """The data beside these rows of the judge, as far as the conditions hold. Raises UserError."""
        ours, theirs = self._conditions()
        kept = narrow(self.rows, ours)
        if self.judge.rows is self.rows:  # replies that stand in the data were read row by row
            check_once(kept.rows, Match.parse(names(self.fields.on)))
            read = beside(picked(rows, kept.places))
            return replace(read, left_out=self._left_out(kept.left_out))
        own = narrow(rows, theirs)
        joined = join_scores(kept.rows, own.rows, self.matches, kept.others, (own.others, self.aside))
        return replace(joined, left_out={**self._left_out(kept.left_out), **joined.left_out})

    def _left_out(self, more: Mapping[str, int]) -> dict[str, int]:
        return {**self.left_out, **(self.judge.run.left_out if self.judge.run else {}), **more}

    @property
    def narrowed(self) -> tuple[Sequence[Condition], Sequence[Condition]]:
        """The conditions on rows of the data, and on rows of the judge. Raises UsageError."""
        return self._conditions()

    def _conditions(self) -> tuple[list[Condition], list[Condition]]:
        """The conditions on the data, and those on fields that only the judge's rows have. Raises UsageError."""
        ours: list[Condition] = []
        theirs: list[Condition] = []
        for condition in self.fields.conditions:
            in_data = any(has(row, condition.field) for row in self.rows)
            if not in_data and any(has(row, condition.field) for row in self.judge.rows):
                theirs.append(condition)
            else:
                self._check_known(condition)
                ours.append(condition)
        return ours + self._of_systems(), theirs

    def _check_known(self, condition: Condition) -> None:
        """Raise UsageError where neither the data nor the judge has the field of a condition."""
        judge = self.judge
        if judge.rows is self.rows or not judge.rows or any(has(row, condition.field) for row in self.rows):
            check_field(self.rows, condition.field, "where=...")
            return
        known = {**known_fields(self.rows), **known_fields(judge.rows)}
        raise UsageError(
            f"where=...: {judge.name} ({Path(judge.rows[0].path).name}) has no field {condition.field!r}, nor has "
            f"{Path(self.rows[0].path).name}. {nearest(condition.field, known)}"
        )

    def _of_systems(self) -> list[Condition]:
        """The systems that the convention leaves out. Raises UsageError where nobody knows which texts are theirs."""
        if self.convention is None or not self.convention.without:
            return []
        system = self.naming.system
        if system is None:
            how = (
                "hold the run with system=..."
                if self.alone
                else "system=... says which field names the systems"
            )
            raise UsageError(
                f"convention='{self.convention.name}' leaves out what is by {', '.join(self.convention.without)}: {how}"
            )
        return [Condition(system, name, other=True) for name in self.convention.without]

    def _of_convention(self, name: str) -> str | None:
        """A field of the convention, where the data has it."""
        found: str | None = getattr(self.convention, name) if self.convention else None
        return found if found and any(has(row, found) for row in self.rows) else None
