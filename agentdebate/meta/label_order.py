"""The order of labels, for statistics that ask how far apart two of them are."""

from collections.abc import Iterable
from math import inf, isfinite

from agentdebate.meta.talk import TIE

_TEXTS = 2
"""Texts between which a tie lies."""


def in_order(labels: Iterable[str], tie: str | None = None) -> tuple[str, ...]:
    """Each label once: numbers as numbers, a tie between the two texts that it is of, and others as they are given.

    A `tie` None is the label that reads "tie". With numbers, or with other than two texts, a tie stands behind them.
    """
    known = tuple(dict.fromkeys(labels))
    ties = [label for label in known if label == tie or label.casefold() == TIE]
    rest = [label for label in known if label not in ties]
    if all(isfinite(_number(label)) for label in rest):
        rest.sort(key=lambda label: (_number(label), label))
    if len(rest) == _TEXTS:
        return (rest[0], *ties, rest[1])
    return (*rest, *ties)


def _number(label: str) -> float:
    try:
        return float(label)
    except ValueError:
        return inf
