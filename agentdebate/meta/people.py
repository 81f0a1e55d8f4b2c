"""Single people's judgements of the data's texts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from agentdebate.errors import UsageError, nearest
from agentdebate.meta.expression import Term
from agentdebate.meta.fields import any_has, check_field, choice_of, entries_in, score_of
from agentdebate.meta.joining import Joined
from agentdebate.meta.judgements import Raters, Ratings
from agentdebate.meta.labels import Labels
from agentdebate.meta.long_table import rated
from agentdebate.meta.options import AgreementOptions
from agentdebate.meta.plan import Asked
from agentdebate.meta.published_data import SINGLE, PublishedData
from agentdebate.meta.readers import labelled, people_cells
from agentdebate.meta.reliability import OTHER_COUNT

NO_RATINGS = "rows without single ratings"
"""Reason why the statistics of people leave out a row."""
KIND = "annotator"
"""Default name of people."""


@dataclass(frozen=True)
class People:
    """The judgements of single people, of each aspect or of which text is best."""

    raters: Raters
    ratings: tuple[Ratings, ...] = field(default=(), repr=False)

    @property
    def choose(self) -> bool:
        """Tell whether they chose among texts, and did not rate them."""
        return any(one.labels for one in self.ratings)


def people(
    joined: Joined, options: AgreementOptions, asked: Sequence[Asked], published: PublishedData | None
) -> People:
    """The judgements of single people on the aspects that are `asked` for, of the rows of the data.

    They stand in the fields that annotators=... names, in the dataset's own single ratings, or in the lists of people's own
    field. Raises UsageError where there are none.
    """
    kind = "".join(options.annotator_fields.get("", ()))
    if published:
        kind = published.kind(kind)
    fields = {one.aspect: _fields(joined, options, one, kind if published else "") for one in asked}
    for aspect in options.annotator_fields:
        if aspect and aspect not in fields:
            raise UsageError(f"annotators=...: no judge is compared on {aspect!r}. {nearest(aspect, fields)}")
    found = [replace(one, human=Term(fields[one.aspect])) for one in asked if fields[one.aspect]]
    if not found:
        raise UsageError(
            f"ceiling=... and reliability=... take the single ratings of people, and there are none of {', '.join(fields)}: "
            "annotators=... says where they are, ASPECT=FIELD for a list or ASPECT=FIELD,FIELD for a field a person"
        )
    ratings = tuple(_ratings(joined, one, options.grade_numbers) for one in found)
    counts = {
        (row.source, row.id, row.system): len(row.ratings) for one in ratings for row in evened(one).rows
    }
    raters = Raters(kind or KIND, max(counts.values(), default=0), len(joined.pairs), len(counts))
    return People(raters, ratings)


def evened(people: Ratings) -> Ratings:
    """The rows that have as many ratings as most have, so that each place is an annotator; the others are counted."""
    sizes = [len(row.ratings) for row in people.rows]
    usual = Counter(sizes).most_common(1)[0][0] if sizes else 0
    kept = tuple(row for row in people.rows if len(row.ratings) == usual)
    lost = {OTHER_COUNT: len(sizes) - len(kept)} if len(kept) < len(sizes) else {}
    return replace(people, rows=kept, left_out={**people.left_out, **lost})


def _fields(joined: Joined, options: AgreementOptions, asked: Asked, kind: str) -> tuple[str, ...]:
    """The fields of single ratings of an aspect; none where it has none."""
    rows, human = [pair.data for pair in joined.pairs], asked.human.fields if asked.human else ()
    if named := options.annotator_fields.get(asked.aspect):
        for name in named:
            check_field(rows, name, "annotators=...")
        return named
    if kind:
        single = f"{SINGLE}.{kind}.{human[0] if len(human) == 1 else asked.aspect}"
        return (single,) if any_has(rows, single) else ()
    return human if any(len(list(entries_in(row, human))) > 1 for row in rows) else ()


def _ratings(joined: Joined, asked: Asked, grades: Mapping[str, float]) -> Ratings:
    """The single ratings of an aspect, or choices, a list in one field or a field a person. Rows without any are counted."""
    choices = asked.labels is not None
    cells = list(people_cells(joined, asked, choice_of if choices else partial(score_of, grades=grades)))
    table = [cell.judgement for cell in cells]
    words = {str(row.value) for row in table if row.value is not None} if choices else set()
    labels = Labels.given(asked.labels) if asked.labels else Labels.seen(words)
    if choices:
        table = [labelled(cell, labels) for cell in cells]
    names, tie = labels.ordered(str(row.value) for row in table if choices and row.value is not None)
    rows = rated(table)
    lacking = len(joined.pairs) - len(rows)
    left_out = {**joined.left_out, **({NO_RATINGS: lacking} if lacking else {})}
    return Ratings(asked.aspect, rows, left_out, names, tie)
