"""Which choices are compared, and how both sides say them."""

from dataclasses import replace

from agentdebate.cli.asked_aspects import asked_aspects
from agentdebate.cli.judges import Judge, check_aspect
from agentdebate.cli.pairing import Pairing
from agentdebate.cli.run_rows import PEOPLE, WINNER, RunRows, by_name
from agentdebate.errors import UsageError
from agentdebate.meta.choosing import Choosing, summands
from agentdebate.meta.fields import check_field, has
from agentdebate.meta.talk import TIE


def asked_choices(pairing: Pairing) -> tuple[Choosing, ...]:
    """What is chosen, and how both sides say it; nothing where texts are scored one by one. Raises UsageError."""
    asked, run = pairing.fields.choosing(pairing.convention), pairing.judge.run
    if run is not None:
        return _of_run(pairing, run, asked)
    if asked is None:
        return ()
    asked = replace(asked, judge=asked.judge or (asked.human,))
    check_field(pairing.rows, asked.human, "--choice")
    for text in asked.judge:
        for name in _fields(text, asked, pairing.judge):
            check_field(pairing.judge.rows, name, "--choice")
    return (asked,)


def _fields(text: str, asked: Choosing, judge: Judge) -> tuple[str, ...]:
    """The fields of FIELD+FIELD: scores that are added, or replies in both orders. Raises UsageError for other sums."""
    if "+" not in text or any(has(row, text) for row in judge.rows):
        return (text,)
    if len(asked.judge) == 1 and not judge.replies:
        raise UsageError(
            f"--choice: a choice is no number that could be added, in {text!r}; of scores of the texts, say "
            "FIELD+FIELD,FIELD+FIELD"
        )
    return summands(text)


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
            f"run {run.head.id} compares texts: --choice FIELD=winner says which field of the data holds people's choice"
        )
    check_field(pairing.rows, asked.human, "--choice")
    about = next(iter(pairing.fields.named_aspects()), run.aspects[0])
    check_aspect(pairing.judge, about, "--aspects")
    return (replace(asked, judge=(f"{WINNER}.{about}",), labels=by_name(asked.labels, run.candidates)),)
