"""Winner among several texts: by the best sum of ratings, or by votes. Pure functions."""

from collections.abc import Sequence
from math import fsum

from agentdebate.ballots.ballot import Rating

_PLACES = 9
"""Decimals to which sums and shares are compared, so that the order of adding decides nothing."""


def winners(ratings: Sequence[Rating], *, lowest: bool = False) -> tuple[str, ...]:
    """The candidates with the best sum of ratings: one, or all that tie; none where no candidate was rated.

    `lowest` takes the lowest sum for the best, as with ranks. Sums are compared to nine decimals, so that the order of
    adding decides nothing.
    """
    sums: dict[str, float] = {}
    for rating in ratings:
        if rating.candidate is not None:
            sums[rating.candidate] = sums.get(rating.candidate, 0.0) + rating.score
    if not sums:
        return ()
    rounded = {name: round(total, _PLACES) for name, total in sums.items()}
    best = min(rounded.values()) if lowest else max(rounded.values())
    return tuple(sorted(name for name, total in rounded.items() if total == best))


def most_often(firsts: Sequence[Sequence[str]], weights: Sequence[float] | None = None) -> tuple[str, ...]:
    """Find what comes first most often: one name, or all that tie. Several first ones share their vote evenly."""
    shares = [1.0] * len(firsts) if weights is None else list(weights)
    most = max(shares, default=0.0)
    votes: dict[str, list[float]] = {}
    for first, share in zip(firsts, shares, strict=True):
        for name in first:
            votes.setdefault(name, []).append(share / most / len(first) if most else 0.0)
    counts = {name: round(fsum(parts), _PLACES) for name, parts in votes.items()}
    best = max(counts.values(), default=0.0)
    return tuple(sorted(name for name, count in counts.items() if count == best))


def alike(ratings: Sequence[Sequence[Rating]], *, lowest: bool = False) -> bool:
    """Tell whether several ratings agree: the same scores, or the same winner where there is one."""
    if any(winners(some) for some in ratings):
        return len({winners(some, lowest=lowest) for some in ratings}) == 1
    return len({tuple(sorted((rating.name, rating.score) for rating in some)) for some in ratings}) == 1
