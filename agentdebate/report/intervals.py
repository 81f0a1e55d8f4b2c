"""How captions say what an interval is."""

from collections.abc import Mapping

from agentdebate.meta.bootstrap import Bootstrap, Units

_UNITS: Mapping[Units, str] = {
    "sources": "sources, each with all its texts",
    "systems": "systems, each with all its texts",
    "both": "sources and systems independently",
}


def intervals_told(bootstrap: Bootstrap, *, sources: bool = True) -> str:
    """What the intervals of a table or a picture are. `sources` says whether the sources of texts are known."""
    alone = "" if sources else " (no source is named, so every text is a source of its own)"
    return (
        f"{sureness(bootstrap)} percentile bootstrap intervals, {bootstrap.resamples:,} resamples of "
        f"{_UNITS[bootstrap.over]}{alone}, seed {bootstrap.seed}"
    )


def sureness(bootstrap: Bootstrap) -> str:
    """How much of the resamples an interval holds, to the last digit that was given: 99.9% is not 100%."""
    return f"{100 * bootstrap.confidence:.10g}%"
