"""How recorded judgements lie in a file: several judges in it, a row an order, letters for scores."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from agentdebate.datasets.named_values import free_pairs, names
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.conditions import holding
from agentdebate.meta.fields import check_field, has, label_in, value_in
from agentdebate.meta.grades import graded, holds_word, parse_grades
from agentdebate.meta.predicted import Match
from agentdebate.meta.record_rows import by_judge, order_names, side_by_side, without_words
from agentdebate.meta.sources.judges import Judge
from agentdebate.meta.sources.pairing import Pairing
from agentdebate.meta.where import Condition, narrow


@dataclass(frozen=True)
class RecordLayout:
    """How recorded judgements lie in a file."""

    by: str | None = None
    orders: str | None = None
    grades: tuple[str, ...] = ()

    def apart(self, pairing: Pairing, *, prefix: bool) -> Iterator[Pairing]:
        """The judges of a pairing, each with a row an item. `prefix` puts the file's name before a judge's. Raises UserError."""
        judge, within = pairing.judge, pairing.judge.rows is pairing.rows
        if not (self.by or self.orders):
            yield pairing
            return
        if judge.run:
            raise UsageError(f"--{'by' if self.by else 'orders'} is for files: a run is one judge")
        pairing = _narrowed(pairing, within=within)
        judge, by = pairing.judge, names(self.by)
        for name, rows in (by_judge(judge.rows, by) if by else {judge.name: judge.rows}).items():
            shaped = self._shaped(rows, pairing, within=within)
            called = f"{judge.name} {name}" if prefix and by else name
            one = replace(judge, name=called, rows=shaped)
            aside = [row for row in pairing.aside if _alike(row, rows[0], by)]
            yield replace(
                pairing,
                judge=one,
                rows=shaped if within else pairing.rows,
                aside=self._renamed(aside, pairing),
            )

    @property
    def used(self) -> tuple[str, ...]:
        """The fields that tell judges and orders apart. Raises UsageError."""
        return (*names(self.by), *filter(None, [self._order_field]))

    def graded(self, rows: Sequence[Row], fields: Sequence[str]) -> Sequence[Row]:
        """The rows with the numbers that words stand for. Raises UsageError."""
        return graded(rows, fields, self.letters) if self.letters else rows

    def check_grades(self, sides: Sequence[Sequence[Row]], fields: Sequence[str]) -> None:
        """Raise UsageError where words are to be scores and none of them stands in any field of scores."""
        if self.letters and not any(holds_word(rows, fields, self.letters) for rows in sides):
            where = (
                ", ".join(fields)
                or "any field: human=..., score=... or aspects=... says which fields hold scores"
            )
            raise UsageError(f"grades=...: none of the words {', '.join(self.letters)} stands in {where}")

    @property
    def letters(self) -> Mapping[str, float]:
        """The numbers that words stand for. Raises UsageError."""
        return parse_grades(free_pairs(self.grades, "grades=..."))

    def _shaped(self, rows: Sequence[Row], pairing: Pairing, *, within: bool) -> Sequence[Row]:
        matches = pairing.fields.matches(pairing.convention)
        on = [match.data if within else self._name(match, rows) for match in matches]
        rows = rows if within else self._renamed(rows, pairing)
        if self._order_field is None:
            return rows
        if not on:
            raise UsageError(
                "orders=...: on=... says by which fields the two orders of an item are put together"
            )
        field, wanted = self._order_field, names((self.orders or "").partition("=")[2])
        return side_by_side(rows, field, order_names(rows, field, wanted), on)

    def _renamed(self, rows: Sequence[Row], pairing: Pairing) -> Sequence[Row]:
        """The rows of a file of its own with the names that the data has for its items."""
        words = [*names(self.by), *filter(None, [self._order_field])]
        for match in pairing.fields.matches(pairing.convention) if rows else ():
            rows = _as_in_data(rows, self._name(match, rows), words, pairing.rows, match)
        return rows

    def _name(self, match: Match, rows: Sequence[Row]) -> str:
        return match.scores if any(has(row, match.scores) for row in rows) else match.data

    @property
    def _order_field(self) -> str | None:
        """The field that says which order a row is of. Raises UsageError."""
        if self.orders is None:
            return None
        field = self.orders.partition("=")[0].strip()
        if not field:
            raise UsageError(f"orders=... takes FIELD=FIRST,SECOND, not {self.orders!r}")
        return field


def _narrowed(pairing: Pairing, *, within: bool) -> Pairing:
    """The pairing without the rows that conditions on the judge's own fields leave out, which no judge of the file has then."""
    judge, fields = pairing.judge, pairing.fields
    own = tuple(
        text
        for text, one in zip(fields.where, fields.conditions, strict=True)
        if any(has(row, one.field) for row in judge.rows)
        and (within or not any(has(row, one.field) for row in pairing.rows))
    )
    if not own:
        return pairing
    conditions = [Condition.parse(text) for text in own]
    kept = narrow(judge.rows, conditions)
    whose = "the data" if within else judge.name
    return replace(
        pairing,
        judge=replace(judge, rows=kept.rows),
        fields=replace(fields, where=tuple(text for text in fields.where if text not in own)),
        left_out={
            **pairing.left_out,
            **{_of_file(why, judge, within=within): n for why, n in kept.left_out.items()},
        },
        aside=() if within else kept.others,
        held=holding(whose, conditions, len(kept.rows), len(judge.rows)),
    )


def _of_file(reason: str, judge: Judge, *, within: bool) -> str:
    """Why rows of a file are left out, which are no texts where it is a judge's own."""
    return reason if within else f"rows of {judge.name} of which {reason}"


def _alike(row: Row, other: Row, fields: Sequence[str]) -> bool:
    """Whether two rows are of the same judge."""
    return all(value_in(row, field) == value_in(other, field) for field in fields)


def _as_in_data(
    rows: Sequence[Row], name: str, words: Sequence[str], data: Sequence[Row], match: Match
) -> Sequence[Row]:
    """The rows with names as the data has them, where judge and order have to be taken out of theirs for that."""
    check_field(rows, name, "on=...")
    check_field(data, match.data, "on=...")
    known = {label_in(row, match.data) for row in data}
    if any(label_in(row, name) in known for row in rows):
        return rows
    bare = without_words(rows, name, words)
    return bare if any(label_in(row, name) in known for row in bare) else rows
