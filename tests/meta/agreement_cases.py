"""Judgements to try statistics on, and resamples written out row by row."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from agentdebate.meta.judgements import Judged, Judgements

SCORES = st.integers(0, 4).map(lambda number: number / 2)
"""Few values, so that there are ties."""


def judgements(rows: Sequence[tuple[str, str, float | None, float | None]], **more: Any) -> Judgements:
    """Rows of source, system, people's score and the judge's."""
    return Judgements(
        "judge",
        "coherence",
        tuple(
            Judged(f"{source}/{system}/{number}", source, system, human, score)
            for number, (source, system, human, score) in enumerate(rows)
        ),
        **more,
    )


@st.composite
def crossed(draw: st.DrawFn, sources: int = 4, systems: int = 4) -> Judgements:
    """Every system on every source, with ties and constant groups."""
    rows = [
        (f"s{source}", f"m{system}", draw(SCORES), draw(SCORES))
        for source in range(draw(st.integers(2, sources)))
        for system in range(draw(st.just(systems)))
    ]
    return judgements(rows)


def repeated(values: Sequence[float], weights: Sequence[float]) -> Any:
    """Each value as often as its weight says."""
    return np.repeat(np.asarray(values, dtype=float), np.asarray(weights, dtype=int))
