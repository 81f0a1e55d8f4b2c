"""Figures as the papers print them, and what statistics and levels are called in print."""

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal

DIGITS = 3
"""Decimals of a figure in a table."""

NONE = "-"
"""Stands where there is no figure."""

NAMES: Mapping[str, str] = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's rho",
    "kendall-b": "Kendall's tau-b",
    "kendall-c": "Kendall's tau-c",
    "pairwise-accuracy": "Pairwise accuracy",
    "accuracy": "Accuracy",
    "kappa": "Cohen's kappa, unweighted",
    "kappa-linear": "Cohen's kappa, linear weights",
    "kappa-quadratic": "Cohen's kappa, quadratic weights",
    "alpha": "Krippendorff's alpha, interval",
    "alpha-ordinal": "Krippendorff's alpha, ordinal",
    "alpha-nominal": "Krippendorff's alpha, nominal",
    "fleiss-kappa": "Fleiss' kappa",
    "icc": "ICC(2,1)",
    "icc-mean": "ICC(2,k)",
    "ac1": "Gwet's AC1",
    "percent-agreement": "Percent agreement",
    "bias": "Bias",
    "mean-absolute-error": "Mean absolute error",
    "root-mean-square-error": "Root mean square error",
}
"""Statistics as a table's head names them."""

LEVELS: Mapping[str, str] = {"pooled": "pooled", "group": "mean over sources", "system": "system level"}
"""Levels likewise."""

LOWER_IS_BETTER = frozenset({"mean-absolute-error", "root-mean-square-error"})
NEAR_ZERO_IS_BETTER = frozenset({"bias"})


def figure(value: float | None, digits: int = DIGITS) -> str:
    """A figure with so many decimals and without the zero before the point; halves are rounded up, as in print."""
    if value is None:
        return NONE
    # 43 of 80 is a little less than .5375 as the machine has it; what is rounded is the number that it stands for.
    rounded = Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    text = f"{abs(rounded):f}"
    text = text[1:] if digits and text.startswith("0.") else text
    return f"-{text}" if rounded < 0 else text


def percent(share: float) -> str:
    """A share from 0 to 1 as print has it, with one decimal; halves are rounded up."""
    return f"{Decimal(repr(100 * float(share))).quantize(Decimal('0.1'), ROUND_HALF_UP):f}%"


def interval(low: float | None, high: float | None, digits: int = DIGITS) -> str:
    """An interval in brackets; nothing where there is none."""
    return "" if low is None or high is None else f"[{figure(low, digits)}, {figure(high, digits)}]"


def money(amount: float | None) -> str:
    """An amount of money, or that it is unknown."""
    return "unknown" if amount is None else f"{amount:.4f}"


def statistic_name(name: str) -> str:
    """Name a statistic in print."""
    return NAMES.get(name, name)


def merit(statistic: str, value: float) -> float:
    """A number that is the greater the better the judge."""
    if statistic in NEAR_ZERO_IS_BETTER:
        return -abs(value)
    return -value if statistic in LOWER_IS_BETTER else value
