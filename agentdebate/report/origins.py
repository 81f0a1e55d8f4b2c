"""Where the judgements of a table of agreement are from, and what became of replies, for its caption."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from agentdebate.meta.agreement_fields import AgreementFields
from agentdebate.meta.judges import Judge, JudgeSources
from agentdebate.meta.prose import counted


def origins(judges: Sequence[Judge], data: str | None, fields: AgreementFields, sources: JudgeSources) -> str:
    """Say in a line which files, runs and fields are compared, and how replies were read."""
    told = [*_data(data, fields), *(line for one in judges for line in _judge(one, sources))]
    return " ".join(told)


def _data(data: str | None, fields: AgreementFields) -> Iterator[str]:
    if data is not None:
        on = f", matched on {fields.on}" if fields.on else ""
        yield f"Data: {Path(data.rpartition('=')[2]).name}{on}."
    expressions = [one for one in (fields.choice, *fields.human) if one and set(one) & set("(,+")]
    if expressions:
        yield f"Compared: {'; '.join(expressions)}{_equal(fields.choice or '')}."
    if fields.labels:
        yield f"Labels: {', '.join(fields.labels)}."
    if fields.where:
        yield f"Of rows where {' and '.join(fields.where)}."


def _judge(judge: Judge, sources: JudgeSources) -> Iterator[str]:
    run = judge.run
    if run:
        yield f"{judge.name}: run {run.head.id} (strategy {run.head.strategy}, model {', '.join(run.head.models)})."
        yield from (f"{run.head.replaced_told}." for _ in run.head.replaced[:1])
        yield from filter(None, [run.note])
    if judge.accounts:
        yield _replies(judge, sources)


def _replies(judge: Judge, sources: JudgeSources) -> str:
    """How many replies were read in which way, how many not, and what these are."""
    ways, unreadable = Counter[str](), Counter[str]()
    for account in judge.accounts:
        ways.update(account.ways)
        unreadable.update(account.unreadable)
    total = counted(sum(one.replies for one in judge.accounts), "reply", "replies")
    read = ", ".join(f"{count:,} read by {way}" for way, count in ways.items())
    how = read if sources.how.by_reader else f"read by {sources.read}"
    why = ", ".join(f"{count:,} {kind}" for kind, count in unreadable.most_common())
    lost = f"; {unreadable.total():,} not readable ({why}): left out" if unreadable else ""
    return f"{judge.name}: of {total} {how}{lost}."


def _equal(choice: str) -> str:
    """Say what equal votes, or equal scores of the texts, come to in an expression of choices."""
    if any(how in choice for how in ("majority(", "flip(", "back(")):
        return "; equal votes are a tie"
    return "; equal scores are a tie" if set(choice) & set(",+") else ""
