"""Where scores are from, and what became of replies, in sentences for the caption of a table."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from agentdebate.datasets.row import Row
from agentdebate.meta.fields import value_in
from agentdebate.meta.judges import Judge
from agentdebate.meta.prose import counted, listed
from agentdebate.meta.readers import Choosing
from agentdebate.meta.request import Source
from agentdebate.report.readings import read_by, ways_of
from agentdebate.report.votes import grades_told, labels_told, lists_together, put_together, scores_together

_SEVERAL = 3
"""From how many judges on they are not named where all are meant."""


def origins(judge: Judge, source: Source) -> Iterator[str]:
    """What a reader has to know of one judge's scores and of people's."""
    asked = source.asked
    if source.data:
        whose = "Data" if isinstance(asked, Choosing) and not asked.human else "People's judgements"
        yield f"{whose}: {source.data} ({counted(source.rows, 'row')})."
    yield from _of_judge(judge, source)
    if not judge.run:
        yield from _together(judge, source)
    if isinstance(asked, Choosing):
        yield from labels_told(asked.labels)
    else:
        yield from (scores_together(one.human) for one in asked if one.human.function)
    yield from grades_told(source.grades)
    if source.joined.unscored:
        have = "has" if source.joined.unscored == 1 else "have"
        yield f"{counted(source.joined.unscored, 'text')} of the data {have} no row of {judge.name}."
    yield from source.held
    if judge.run and judge.run.note:
        yield judge.run.note
    if judge.replies:
        yield from _read(judge, source)


def _of_judge(judge: Judge, source: Source) -> Iterator[str]:
    run = judge.run
    if run:
        what = "verdicts" if run.candidates else "scores"
        yield f"{judge.name}: {what} of run {run.head.id} (strategy {run.head.strategy}, model {', '.join(run.head.models)})."
        if run.head.replaced:
            yield f"{run.head.replaced_told}."
    elif not source.within:
        names = [m.data if m.data == m.scores else f"{m.data} = {m.scores}" for m in source.matched]
        yield f"{judge.name}: its own file, matched on {listed(names)}."


def _together(judge: Judge, source: Source) -> Iterator[str]:
    """What is made of several samples, and of lists of scores."""
    asked = source.asked
    own = [pair.scores for pair in source.joined.pairs if pair.scores is not None]
    if isinstance(asked, Choosing):
        lists = not judge.replies and bool(
            _of_lists(own, [name for one in asked.terms for name in one.fields])
        )
        yield from put_together(asked, lists=lists)
        return
    people = [pair.data for pair in source.joined.pairs]
    plain = [name for one in asked if not one.human.function for name in one.human.fields]
    sides = (
        ("People's", people, plain),
        ("A judge's", [] if judge.replies else own, [one.score for one in asked]),
    )
    for whose, rows, names in sides:
        found = _of_lists(rows, names)
        if found:
            yield lists_together(found, whose)


def _of_lists(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    """The fields that hold a list of several entries in some row."""
    return [
        name
        for name in dict.fromkeys(names)
        if any(isinstance(value := value_in(row, name), list) and len(value) > 1 for row in rows)
    ]


def together(gathered: Iterable[tuple[str, Sequence[str]]]) -> Iterator[str]:
    """The sentences of several judges, each said once: what is told of all alike is not told of each."""
    told: dict[str, list[str]] = {}
    names = []
    for name, lines in gathered:
        names.append(name)
        for line in lines:
            of = told.setdefault(line.removeprefix(f"{name}: "), [])
            if line.startswith(f"{name}: ") and name not in of:
                of.append(name)
    for line, of in told.items():
        whose = "Every judge" if len(of) == len(names) >= _SEVERAL else listed(of)
        yield f"{whose}: {line}" if of else line


def _read(judge: Judge, source: Source) -> Iterator[str]:
    """How replies were read, how many by what, and how many could not be."""
    how, choices = source.options.how, isinstance(source.asked, Choosing)
    own = f"by the pattern {how.pattern}" if how.pattern else "as choices" if choices else "as ballots"
    aspects = [one.aspect for one in judge.accounts]
    declared = "" if choices else source.options.scales.told(judge.name, aspects)
    taken = "the most frequent choice counts" if choices else "the mean counts"
    yield f"Replies are read {own}{f' on the scale {declared}' if declared else ''}; of several samples of a text {taken}."
    count = counted(sum(one.replies for one in judge.accounts), "reply", "replies")
    about = f" for {listed(aspects)} together" if len(aspects) > 1 else ""
    read = f" {read_by(ways_of(judge.accounts))};" if how.by_reader else ""
    yield f"{judge.name}: of {count}{about}{read} {_unread(judge)}."


def _unread(judge: Judge) -> str:
    """How many could not be read, and why; of several aspects for which."""
    several = len(judge.accounts) > 1
    why = [
        f"{count:,} {kind}{f' for {one.aspect}' if several else ''}"
        for one in judge.accounts
        for kind, count in Counter(one.unreadable).most_common()
    ]
    told = f" ({', '.join(why)}) and are left out of what their text gets" if why else ""
    return f"{sum(one.unread for one in judge.accounts):,} could not be read{told}"
