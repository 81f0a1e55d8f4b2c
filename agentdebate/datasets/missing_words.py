"""Words that stand for nothing, as tables of data write it: NA, NaN, null."""

from math import isnan

_OF_SCORES = frozenset(
    ["", "na", "n/a", "n.a.", "#n/a", "#na", "<na>", "nan", "null", "none", "-", "--", "–", "—", "."]
)
"""In any case of letters: none of them is a score."""

_OF_LABELS = frozenset(("", "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NaN", "nan", "NULL", "null", "None"))
"""As programs write them: "none" and "-" may be labels."""


def no_score(value: object) -> bool:
    """Decide whether a value of a column of scores stands for none."""
    if isinstance(value, str):
        return value.strip().casefold() in _OF_SCORES
    return value is None or (isinstance(value, float) and isnan(value))


def no_label(value: object) -> bool:
    """Decide whether a value of a column of labels stands for none."""
    if isinstance(value, str):
        return value.strip() in _OF_LABELS
    return value is None or (isinstance(value, float) and isnan(value))
