"""Which choices are compared, and how both sides say them."""

from dataclasses import replace

from agentdebate.errors import UsageError
from agentdebate.meta.choosing import Choosing, summands
from agentdebate.meta.fields import check_field, has
from agentdebate.meta.sources.aspects import asked_aspects
from agentdebate.meta.sources.judges import Judge, check_aspect
from agentdebate.meta.sources.pairing import Pairing
from agentdebate.meta.sources.run_rows import PEOPLE, WINNER, RunRows, by_name
from agentdebate.meta.talk import TIE


def asked_choices(pairing: Pairing) -> tuple[Choosing, ...]:
    """What is chosen, and how both sides say it; nothing where texts are scored one by one. Raises UsageError."""
    asked, run = pairing.fields.choosing(pairing.convention), pairing.judge.run
    if run is not None:
        return _of_run(pairing, run, asked)
    if asked is None:
        return ()
    asked = replace(asked, judge=asked.judge or (asked.human,))
    for name in _of_people(asked):
        check_field(pairing.rows, name, "choice=...")
    for name in dict.fromkeys(name for text in asked.judge for name in _fields(text, asked, pairing.judge)):
        check_field(pairing.judge.rows, name, "choice=...")
    return (asked,)


def _of_people(asked: Choosing) -> tuple[str, ...]:
    """The fields of people's choices; none where there are no people."""
    if asked.people is not None:
        return asked.people.fields
    if asked.human:
        return (asked.human,)
    if asked.orders is None:
        raise UsageError(
            "choice=...: people's choice is missing before the =; without it two orders can be compared, FIELD+flip(FIELD)"
        )
    return ()


def _fields(text: str, asked: Choosing, judge: Judge) -> tuple[str, ...]:
    """The fields of choices, or of FIELD+FIELD: scores that are added, or replies in both orders.

    Raises UsageError for a sum that is neither.
    """
    if asked.terms:
        return tuple(field for term in asked.terms for field in term.fields)
    if any(has(row, text) for row in judge.rows):
        return (text,)
    names = summands(text)
    if len(names) > 1 and len(asked.judge) == 1 and not judge.replies:
        raise UsageError(
            f"choice=...: a choice is not a number that could be added, in {text!r}; of scores of the texts, say "
            f"FIELD+FIELD,FIELD+FIELD; for the vote of both orders {names[0]}+flip({names[1]}), and for that of several "
            f"samples majority({','.join(names)})"
        )
    return names


def _of_run(pairing: Pairing, run: RunRows, asked: Choosing | None) -> tuple[Choosing, ...]:
    if not run.candidates:
        if asked:
            raise UsageError(f"run {run.head.id} compares no texts, so its verdicts choose none")
        return ()
    if pairing.alone:
        labels = {name: name for name in (*run.candidates, TIE)}
        return tuple(
            Choosing(about, f"{PEOPLE}.{about}", (f"{WINNER}.{about}",), labels)
            for about in asked_aspects(pairing)
        )
    if asked is None:
        raise UsageError(
            f"run {run.head.id} compares texts: choice='FIELD=winner' says which field of the data holds people's choice"
        )
    if any(term.function or term.flipped for term in asked.terms) or len(asked.judge) > 1:
        raise UsageError(
            f"choice=...: of a run the judge's side is its {WINNER}, not {','.join(asked.judge)!r}"
        )
    for name in _of_people(asked):
        check_field(pairing.rows, name, "choice=...")
    about = next(iter(pairing.fields.named_aspects()), run.aspects[0])
    check_aspect(pairing.judge, about, "aspects=...")
    return (
        replace(asked, judge=(f"{WINNER}.{about}",), terms=(), labels=by_name(asked.labels, run.candidates)),
    )
