"""Which texts a judge's figures are of, and whether those of several judges are of the same ones."""

from collections.abc import Iterable, Sequence

from agentdebate.meta.columns import is_score
from agentdebate.meta.imputation import LEFT_OUT, Missing
from agentdebate.meta.judged import Choices, JudgedRows, Judgements

Name = tuple[str, ...]
"""A text by its id, its source and its system."""


def counted_texts(entry: Judgements | Choices, missing: Missing = LEFT_OUT) -> frozenset[Name]:
    """The texts that people have judged, and the judge too unless a `missing` judgement counts as something."""
    everything = missing != LEFT_OUT
    if isinstance(entry, Choices):
        return frozenset(
            (row.id, row.source)
            for row in entry.rows
            if row.human is not None and (everything or row.choice is not None)
        )
    rows = JudgedRows.of(entry.rows)
    names = zip(rows.names.ids, rows.names.sources, rows.names.systems, strict=True)
    scores = zip(names, rows.human, rows.score, strict=True)
    return frozenset(
        name for name, human, score in scores if is_score(human) and (everything or is_score(score))
    )


def of_other_texts(entries: Iterable[Judgements | Choices], missing: Missing = LEFT_OUT) -> frozenset[str]:
    """The aspects of which judges have figures of other texts than one another."""
    by_aspect: dict[str, list[Judgements | Choices]] = {}
    for entry in entries:
        by_aspect.setdefault(entry.aspect, []).append(entry)
    return frozenset(aspect for aspect, several in by_aspect.items() if _differ(several, missing))


def _differ(entries: Sequence[Judgements | Choices], missing: Missing) -> bool:
    if len(entries) == 1:
        return False
    first = counted_texts(entries[0], missing)
    return any(counted_texts(one, missing) != first for one in entries[1:])
