"""How captions say what an interval is, and of how many sources."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from agentdebate.meta.agreement import Agreement
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.prose import listed
from agentdebate.report.figures import prose_name

FEW = 10
"""Sources below which an interval is called too narrow: so few hardly say how much others would vary."""


class Drawn(Protocol):
    """A figure with resamples."""

    @property
    def sources(self) -> int:
        """How many sources were drawn from."""
        ...


def intervals_told(bootstrap: Bootstrap, found: Sequence[Agreement], *, sources: bool = True) -> str:
    """What the intervals of these figures are; `sources` says whether the sources of texts are known."""
    resampled = [one for one in found if one.method == "bootstrap"]
    shares = [one for one in found if one.method == "wilson"]
    kappas = [one for one in found if one.method == "kappa"]
    parts = [_shares_told(bootstrap, shares)] if shares else []
    if kappas:
        parts.append(
            f"of {_statistics(kappas)} {sureness(bootstrap)} intervals by its standard error, as texts are independent"
        )
    if resampled:
        of_others = f"{'of ' + _statistics(resampled) + ' ' if parts else ''}"
        parts.append(f"{of_others}{_resampled_told(bootstrap, resampled, sources=sources)}")
    return "; ".join(parts) or f"no {sureness(bootstrap)} intervals, as no figure varies between resamples"


def _statistics(found: Iterable[Agreement]) -> str:
    return listed(list(dict.fromkeys(prose_name(one.statistic) for one in found)))


def _shares_told(bootstrap: Bootstrap, found: Sequence[Agreement]) -> str:
    """What Wilson's intervals take texts to be."""
    told = (
        f"of {_statistics(found)} {sureness(bootstrap)} Wilson intervals, which take texts to be independent"
    )
    clustered = [one for one in found if one.sources < one.n]
    if not clustered:
        return told
    few = min(one.sources for one in clustered)
    narrow = f"; from so few ({few}) they are too narrow to be relied on" if few < FEW else ""
    return (
        f"{told}, and texts that share a source ({drawn_from(clustered)}) to count as fewer: their number over the design effect, "
        f"which is how much more accuracy varies between sources than it would between independent texts; where all are right, "
        f"or none, a source counts once{narrow}"
    )


def _resampled_told(bootstrap: Bootstrap, found: Sequence[Agreement], *, sources: bool) -> str:
    alone = "" if sources else " (no source is named, so every text is a source of its own)"
    few = min(one.sources for one in found if one.sources)
    narrow = f"; from so few ({few}) they are too narrow to be relied on" if few < FEW else ""
    return (
        f"{sureness(bootstrap)} bootstrap intervals (bias-corrected and accelerated), {resamples_told(bootstrap, found)}, "
        f"each with all its texts{alone}, seed {bootstrap.seed}{narrow}"
    )


def resamples_told(bootstrap: Bootstrap, found: Sequence[Drawn]) -> str:
    """How many resamples there are, and of how much."""
    return f"{bootstrap.resamples:,} resamples of {drawn_from(found)}"


def drawn_from(found: Sequence[Drawn]) -> str:
    """How many sources figures are drawn from."""
    counts = sorted({one.sources for one in found} - {0})
    most = f" to {counts[-1]:,}" if len(counts) > 1 else ""
    return f"{counts[0]:,}{most} source{'' if counts[-1] == 1 else 's'}" if counts else "no source"


def sureness(bootstrap: Bootstrap) -> str:
    """How much of the resamples an interval holds, to the last digit that was given: 99.9% is not 100%."""
    return f"{100 * bootstrap.confidence:.10g}%"
