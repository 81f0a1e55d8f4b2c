"""Which aspects are compared, and the fields of their scores on both sides."""

from collections.abc import Sequence

from agentdebate.errors import UsageError, nearest
from agentdebate.meta.expression import Term
from agentdebate.meta.fields import check_field, has
from agentdebate.meta.predicted import Scored
from agentdebate.meta.sources.agreement_fields import shared_numbers
from agentdebate.meta.sources.judges import Judge, check_aspect
from agentdebate.meta.sources.pairing import Pairing
from agentdebate.meta.sources.run_rows import HUMAN


def asked_aspects(pairing: Pairing, of_replies: Sequence[str] = ()) -> tuple[str, ...]:
    """The aspects that were named, or else those of which both sides say something.

    `of_replies` are those whose replies have fields of their own. Raises UsageError where there are none.
    """
    judge, fields = pairing.judge, pairing.fields
    named = fields.named_aspects(of_replies)
    if named:
        return named
    usual = _usual(pairing)
    if usual:
        return usual
    if judge.replies:
        raise UsageError("aspects=... says what the replies score: aspects='coherence,fluency'")
    found = _shared(pairing)
    if not found:
        raise UsageError(_nothing_shared(pairing))
    return found


def scored(pairing: Pairing, judge: Judge, aspect: str) -> Scored:
    """The fields of an aspect on both sides. `judge` is that of the pairing, its replies read.

    Raises UsageError for a field that is not there.
    """
    fields = pairing.fields
    human, score = fields.human_fields.get(aspect, aspect), fields.score_fields.get(aspect, aspect)
    if judge.replies and aspect in fields.score_fields:
        raise UsageError(
            "score=... names a field of scores; the one of replies is named by reply='ASPECT=FIELD'"
        )
    named = (
        "aspects=..."
        if fields.aspects or not pairing.convention
        else f"convention='{pairing.convention.name}'"
    )
    check_aspect(judge, score, "score=..." if aspect in fields.score_fields else named)
    option = "human=..." if aspect in fields.human_fields else named
    if pairing.alone:
        known = judge.run.judged_by_people if judge.run else ()
        if human not in known:
            raise UsageError(
                f"{option}: the run has no score of people's of {human!r}. {nearest(human, known)}"
            )
        return Scored(aspect, f"{HUMAN}.{human}", judge.field(score))
    term = fields.human_terms.get(aspect, Term((human,)))
    for name in term.fields:
        check_field(pairing.rows, name, option)
    return Scored(aspect, human, judge.field(score), term if term.function else None)


def _usual(pairing: Pairing) -> tuple[str, ...]:
    """The aspects of the convention; of a run, those of them that it judged."""
    run, convention = pairing.judge.run, pairing.convention
    aspects = convention.aspects if convention else ()
    return aspects if run is None else tuple(name for name in aspects if name in run.aspects)


def _shared(pairing: Pairing) -> tuple[str, ...]:
    run = pairing.judge.run
    if run and pairing.alone:
        return run.judged_by_people
    if run:
        return tuple(name for name in run.aspects if any(has(row, name) for row in pairing.rows))
    naming = pairing.naming
    matched = [name for match in pairing.matches for name in (match.data, match.scores)]
    return shared_numbers(
        pairing.rows, pairing.judge.rows, [naming.group, naming.system, *naming.id, *matched]
    )


def _nothing_shared(pairing: Pairing) -> str:
    run = pairing.judge.run
    if run and pairing.alone:
        return f"run {run.head.id} has no score of people's: hold it with human=..., or say where they are with data=... and on=..."
    return "no field holds numbers on both sides: say human='ASPECT=FIELD' and score='ASPECT=FIELD'"
