"""Where scores are from, and what became of replies, in sentences for the caption of a table."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from agentdebate.datasets.row import Row
from agentdebate.meta.choosing import Choosing
from agentdebate.meta.fields import has, values_in
from agentdebate.meta.joining import Joined, Scored
from agentdebate.meta.judges import Judge, JudgeSources
from agentdebate.meta.pairing import Pairing
from agentdebate.meta.prose import counted, listed
from agentdebate.meta.replies import Policy
from agentdebate.meta.request import Source
from agentdebate.meta.where import holding
from agentdebate.report.readings import read_by, ways_of
from agentdebate.report.same_judge import same_judge
from agentdebate.report.votes import grades_told, labels_told, lists_together, put_together, scores_together
from agentdebate.visible import one_line, shortened

_POLICIES: Mapping[Policy, str] = {
    "leave-out": "are left out of what their text gets",
    "text": "leave their text without a score",
    "lowest": "count as the lowest score of the scale",
    "zero": "count as 0",
}


def origins(source: Source) -> Iterator[str]:
    """What a reader has to know of one judge's scores and of people's."""
    yield from _origins(source.pairing, source.judge, source.joined, source.options)
    yield from same_judge(source.pairing, source.choosing, source.scored)


def _origins(pairing: Pairing, judge: Judge, joined: Joined, options: JudgeSources) -> Iterator[str]:
    """The same, without what is said where people are the judge itself."""
    run = judge.run
    if not pairing.alone:
        where = Path(pairing.rows[0].path).name
        asked = pairing.fields.choosing(pairing.convention)
        whose = "Data" if asked is not None and not asked.human else "People's judgements"
        yield f"{whose}: {where} ({counted(len(pairing.rows), 'row')})."
    if run:
        what = "verdicts" if run.candidates else "scores"
        yield f"{judge.name}: {what} of run {run.head.id} (strategy {run.head.strategy}, model {', '.join(run.head.models)})."
        if run.head.replaced:
            yield f"{run.head.replaced_told}."
    elif judge.rows is not pairing.rows and not _within(pairing):
        yield f"{judge.name}: {Path(judge.rows[0].path).name}{_matched(pairing)}."
    choosing = pairing.fields.choosing(pairing.convention)
    if choosing is not None and not run:
        names = [name for term in choosing.terms for name in term.fields]
        yield from put_together(choosing, lists=bool(_of_lists(judge.rows, names)) and not judge.replies)
    if choosing is not None:
        yield from labels_told(choosing.labels)
    yield from _lists(pairing, judge, choosing)
    yield from grades_told(pairing.grades)
    yield from (scores_together(term) for term in pairing.fields.human_terms.values() if term.function)
    if joined.unscored:
        yield f"{counted(joined.unscored, 'text')} of the data {_have(joined.unscored)} no row of {judge.name}."
    yield from _twice(pairing, joined)
    yield from _conditions(pairing)
    if run and run.note:
        yield run.note
    if judge.replies:
        yield _how_read(judge, options, choices=pairing.fields.choice is not None)
        yield _read(judge, options)
        yield from _by_model(judge)


def _lists(pairing: Pairing, judge: Judge, choosing: Choosing | None) -> Iterator[str]:
    """What is made of lists of scores on either side, where that is not written."""
    if choosing is not None or judge.run:
        return
    fields = pairing.fields
    aspects = fields.named_aspects() or (pairing.convention.aspects if pairing.convention else ())
    plain = [
        Scored(one, fields.human_fields.get(one, one), fields.score_fields.get(one, one)) for one in aspects
    ]
    of_people = [
        one.human
        for one in plain
        if one.aspect not in fields.human_terms or not fields.human_terms[one.aspect].function
    ]
    for whose, rows, names in (
        ("People's", pairing.rows, of_people),
        ("A judge's", () if judge.replies else judge.rows, [one.score for one in plain]),
    ):
        found = _of_lists(rows, names)
        if found:
            yield lists_together(found, whose)


def _of_lists(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    """The fields that hold a list of several entries in some row."""
    return [
        name
        for name in dict.fromkeys(names)
        if any(isinstance(value, list) and len(value) > 1 for value in values_in(rows, name))
    ]


def _conditions(pairing: Pairing) -> Iterator[str]:
    """Which rows are looked at, of the data and of the judge."""
    if pairing.held:
        yield pairing.held
    ours, theirs = pairing.narrowed
    name = pairing.judge.name
    sides = ((name if pairing.alone else "the data", ours, pairing.rows), (name, theirs, pairing.judge.rows))
    for whose, conditions, rows in sides:
        if conditions:
            kept = sum(all(one.holds(row) for one in conditions) for row in rows)
            yield holding(whose, conditions, kept, len(rows))


def _twice(pairing: Pairing, joined: Joined) -> Iterator[str]:
    """How many rows are of a text of which another row is, where nothing was matched that would have shown it."""
    if not _within(pairing) or pairing.judge.run or pairing.fields.on:
        return
    naming = pairing.naming
    fields = naming.id or ("id",)
    if fields == (naming.group,) or not all(
        any(has(row, name) for row in joined.data[:1]) for name in fields
    ):
        return
    names = Counter(zip(*(map(repr, values_in(joined.data, name)) for name in fields), strict=True))
    twice = len(joined.data) - len(names)
    if twice:
        yield (
            f"{counted(twice, 'row')} of {len(joined.data):,} {'is' if twice == 1 else 'are'} named as another is ({'/'.join(fields)}): a "
            "text that stands there again counts again."
        )


def _within(pairing: Pairing) -> bool:
    """Whether the judge's scores, or its replies, stand in the data itself."""
    return pairing.judge.rows is pairing.rows


def _matched(pairing: Pairing) -> str:
    names = [m.data if m.data == m.scores else f"{m.data} = {m.scores}" for m in pairing.matches]
    return f", matched on {listed(names)}" if names else ""


def _have(count: int) -> str:
    return "has" if count == 1 else "have"


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


_SEVERAL = 3
"""From how many judges on they are not named where all are meant."""


def _how_read(judge: Judge, options: JudgeSources, *, choices: bool) -> str:
    """How replies were read."""
    how = options.how
    own = "as choices" if choices else "as ballots"
    ways = {
        "auto": own,
        "model": f"{own}, and by {how.model} where our reader refuses them",
        "first": "by their first number",
        "last": "by their last number",
        "pattern": f"by the pattern {how.pattern}",
    }
    declared = "" if choices else options.scales.told(judge.name, [one.aspect for one in judge.accounts])
    scale = f" on the scale {declared}" if declared else ""
    taken = "taken together, the most frequent choice or the sum of scores" if choices else "averaged"
    whose = f"{judge.name}: " if declared and options.scales.names(judge.name) else ""
    return f"{whose}Replies are read {ways[how.way]}{scale}; samples of a text are {taken}."


def _read(judge: Judge, options: JudgeSources) -> str:
    """How many replies were read, by what, and what was done with those that could not be."""
    total = sum(one.replies for one in judge.accounts)
    unread = any(one.unread for one in judge.accounts)
    left = f"{_unread(judge)} {_POLICIES[options.policy]}" if unread else ""
    if options.how.by_reader:
        return f"{judge.name}: of {_replies(judge)} {read_by(ways_of(judge.accounts))}{'; ' * unread}{left}."
    whole = f"all {total:,} replies" if total > 1 else "its one reply"
    return (
        f"{judge.name}: of {_replies(judge)} {left}." if unread else f"{judge.name}: {whole} could be read."
    )


def _by_model(judge: Judge) -> Iterator[str]:
    """What a model was asked about replies that our reader refused, where that was asked for."""
    found = [one for one in judge.extractions if one.model]
    if not found:
        return
    name = found[0].model
    read = sum(account.ways[name] for account in judge.accounts)
    calls, tokens = sum(one.calls for one in found), sum(one.tokens for one in found)
    costs = list(dict.fromkeys(one.money or "no price is known" for one in found if one.calls))
    cost = f", {tokens:,} tokens, {' + '.join(costs)}" if calls else ""
    yield f"{judge.name}: {read:,} of these {_were(read)} read by {name}, a model and not our reader, in {counted(calls, 'call')}{cost}."
    failures = [why for one in found for why in one.failures]
    if failures:
        why = one_line(shortened(failures[0], _LONGEST))
        yield f"{judge.name}: {counted(len(failures), 'call')} failed, the first with: {why}."
    unasked = sum(one.unasked for one in found)
    if unasked:
        yield f"{judge.name}: {counted(unasked, 'reply', 'replies')} {_were(unasked)} not asked about: the calls of read_calls=... were used up."


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


_LONGEST = 200
"""Characters of an error that a caption shows."""


def _replies(judge: Judge) -> str:
    """How many replies there are; one that is about several aspects counts for each of them."""
    count = counted(sum(one.replies for one in judge.accounts), "reply", "replies")
    aspects = [one.aspect for one in judge.accounts]
    return f"{count} for {listed(aspects)} together" if len(aspects) > 1 else count


def _unread(judge: Judge) -> str:
    """How many could not be read, and why; of several aspects for which."""
    several = len(judge.accounts) > 1
    why = [
        f"{count:,} {kind}{f' for {one.aspect}' if several else ''}"
        for one in judge.accounts
        for kind, count in Counter(one.unreadable).most_common()
    ]
    return f"{sum(one.unread for one in judge.accounts):,} could not be read ({', '.join(why)}) and"
