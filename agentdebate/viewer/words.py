"""Numbers, times and amounts as pages have them."""

import time
from typing import Any

from markupsafe import Markup

from agentdebate.report.prose import counted
from agentdebate.visible import shortened, visible

__all__ = ["ago", "count", "counted", "line", "money", "name", "score", "seconds", "share", "signed", "stamp"]

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_MILLION = 10_000_000
NOTHING = "\N{EN DASH}"
"""Stands where there is no value."""
LINE = 160
"""Characters of a text that stands in a line or a cell."""


def score(value: float | None) -> str:
    """A score, without digits that say nothing."""
    return NOTHING if value is None else f"{value:.4g}" if abs(value) < _MILLION else f"{value:.3g}"


def signed(value: float | None) -> str:
    """A difference, with its sign."""
    if value is None:
        return NOTHING
    return "0" if not round(value, 4) else f"{value:+.3g}".replace("-", "\N{MINUS SIGN}")


def count(value: float | None) -> str:
    """A count with a mark at each thousand, shortened where it is long."""
    if value is None:
        return NOTHING
    if value >= _MILLION:
        return f"{value / 1e6:,.1f} M"
    return f"{value:,.0f}"


def money(value: float | None) -> str:
    """An amount; its currency is that of the price table."""
    if value is None:
        return NOTHING
    return "0" if not value else f"{value:,.2f}" if value >= 1 else f"{value:.4f}"


def seconds(value: float | None) -> str:
    """Say how long something took."""
    if value is None:
        return NOTHING
    if value < 1:
        return f"{value * 1000:.0f} ms"
    if value < _MINUTE:
        return f"{value:.1f} s"
    if value < _HOUR:
        return f"{int(value // _MINUTE)} min {int(value % _MINUTE)} s"
    return f"{int(value // _HOUR)} h {int(value % _HOUR // _MINUTE)} min"


def ago(then: float, now: float | None = None) -> str:
    """Say how long ago something was."""
    past = max((time.time() if now is None else now) - then, 0)
    for unit, name in ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute")):
        if past >= unit:
            whole = int(past // unit)
            return f"{whole} {name}{'' if whole == 1 else 's'} ago"
    return "just now"


def stamp(then: float) -> str:
    """A time as machines read it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(then))


def share(part: float, whole: float) -> str:
    """A share in per cent."""
    return NOTHING if not whole else f"{part / whole:.0%}"


def line(text: Any, most: int = LINE) -> str:
    """A text in one line, shortened where it is long."""
    return shortened(" ".join(str(text)[: 4 * most].split()), most)


def name(text: Any, most: int = 80) -> Markup:
    """A name in one line, which may break behind a slash."""
    return Markup("/<wbr>").join(visible(line(text, most)).split("/"))
