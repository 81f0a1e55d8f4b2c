"""The order of labels, for statistics that ask how far apart two of them are."""

from collections.abc import Iterable
from math import inf, isfinite

from agentdebate.meta.talk import TIE

_TEXTS = 2
"""Texts between which a tie lies."""


def in_order(labels: Iterable[str], tie: str | None = None) -> tuple[str, ...]:
    """Each label once: numbers as numbers, a tie between the two texts that it is of, and others as they are given.

    A `tie` None is the label that reads "tie".
    """
    known = tuple(dict.fromkeys(labels))
    if all(isfinite(_number(label)) for label in known):
        return tuple(sorted(known, key=lambda label: (_number(label), label)))
    ties = [label for label in known if label == tie or label.casefold() == TIE]
    texts = [label for label in known if label not in ties]
    if len(texts) != _TEXTS:
        return known
    first, second = sorted(texts, key=_number)
    return first, *ties, second


def sorted_labels(labels: Iterable[str], tie: str | None = None) -> tuple[str, ...]:
    """Labels of which nobody has said an order: as `in_order` has them, others by name, and a tie behind those."""
    named = sorted(
        set(labels), key=lambda label: (label == tie or label.casefold() == TIE, _number(label), label)
    )
    return in_order(named, tie)


def _number(label: str) -> float:
    try:
        return float(label)
    except ValueError:
        return inf
