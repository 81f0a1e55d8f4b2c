"""How captions say what an interval is."""

from collections.abc import Mapping

from agentdebate.meta.bootstrap import Bootstrap, Units

_UNITS: Mapping[Units, str] = {
    "sources": "sources, each with all its texts",
    "systems": "systems, each with all its texts",
    "both": "sources and systems independently",
}


FEW = 10
"""Sources or systems below which an interval is called too narrow: so few hardly say how much others would vary."""


def intervals_told(bootstrap: Bootstrap, *, sources: bool = True, units: int | None = None) -> str:
    """What the intervals of a table or a picture are.

    `sources` says whether the sources of texts are known, `units` how many sources or systems there are to resample,
    the fewer of both where both are.
    """
    alone = "" if sources else " (no source is named, so every text is a source of its own)"
    many = "" if units is None else f"{units:,} "
    few = (
        ""
        if units is None or units >= FEW
        else f"; from so few ({units}) they are too narrow to be relied on"
    )
    return (
        f"{sureness(bootstrap)} percentile bootstrap intervals, {bootstrap.resamples:,} resamples of "
        f"{many}{_UNITS[bootstrap.over]}{alone}, seed {bootstrap.seed}{few}"
    )


def sureness(bootstrap: Bootstrap) -> str:
    """How much of the resamples an interval holds, to the last digit that was given: 99.9% is not 100%."""
    return f"{100 * bootstrap.confidence:.10g}%"
