"""Selection of the recruited roles that are seated: of those that are alike, one (DRPE, Section 3.1, diversity clustering)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agentdebate.ballots.roster import Role
from agentdebate.errors import UsageError
from agentdebate.extras import optional
from agentdebate.talk.messages import Dropped

_EXTRA = "drpe"
_NOISE = -1
_DIGITS = 9
"""Distances are compared to this many decimals: what differs after them is rounding, and so a tie."""


def text_of(role: Role) -> str:
    """Return the text of a role that is embedded: its type and its description, joined (DRPE, Section 3.1)."""
    return f"{role.type}: {role.description}"


def diverse(
    roles: Sequence[Role],
    vectors: Sequence[Sequence[float]],
    *,
    standing: int = 0,
    eps: float = 0.5,
) -> tuple[list[Role], list[Dropped]]:
    """The recruits that are kept, and those that are dropped since another role speaks for readers like them.

    The first `standing` roles are seated anyway; the others are the recruits, and they alone are returned, in the
    order given. DBSCAN clusters all of them by cosine distance: roles within `eps` (0 to 2) of one another are
    neighbours, and two of them are a cluster. Where a cluster has standing
    roles its recruits are dropped, each for the nearest of those. Of any other cluster the role nearest the centre
    stays, which is the mean of the members' vectors at length 1. What is in no cluster stays, and so does a role
    whose vector is all zeros, as it has no direction.

    The order of the roles decides nothing: they are clustered in an order of their own, and the text breaks ties.
    The first call imports scikit-learn, which takes some two seconds: call it in a worker thread where an event loop
    runs. Raises UsageError for vectors that do not fit, and MissingExtra without scikit-learn.
    """
    if len(vectors) != len(roles) or len(set(map(len, vectors))) > 1:
        raise UsageError("the vectors do not fit the roles: embed each role to one, all of one length")
    seats = [
        _Seat(place, role, place < standing, _unit(vector))
        for place, (role, vector) in enumerate(zip(roles, vectors, strict=True))
    ]
    dropped = {place: one for cluster in _clusters(seats, eps) for place, one in _dropped(cluster)}
    recruits = range(standing, len(roles))
    return (
        [roles[place] for place in recruits if place not in dropped],
        [dropped[place] for place in recruits if place in dropped],
    )


@dataclass(frozen=True, eq=False)
class _Seat:
    """A role at its place among those given, with its vector at length 1; None where that is all zeros."""

    place: int
    role: Role
    standing: bool
    unit: Any

    @property
    def text(self) -> tuple[str, str]:
        return self.role.type, self.role.description

    def distance(self, other: "_Seat") -> float:
        """The cosine distance to another, from 0 to 2."""
        return round(min(max(1.0 - float(self.unit @ other.unit), 0.0), 2.0), _DIGITS)


def _unit(vector: Sequence[float]) -> Any:
    numpy = optional("numpy", _EXTRA)
    array = numpy.asarray(vector, dtype=float)
    if not numpy.isfinite(array).all():
        raise UsageError("a role's vector holds a number that is not finite: check the embedder")
    largest = numpy.abs(array).max(initial=0.0)
    if not largest:
        return None
    scaled = array / largest  # or the squares of very small and very large numbers are lost
    return scaled / numpy.linalg.norm(scaled)


def _clusters(seats: Sequence[_Seat], eps: float) -> list[list[_Seat]]:
    """The clusters of DBSCAN, without the noise: of roles in an order of their own, standing ones first, then by text and vector."""
    placed = [seat for seat in seats if seat.unit is not None]
    placed.sort(key=lambda seat: (not seat.standing, *seat.text, tuple(seat.unit)))
    if not placed:
        return []
    dbscan = optional("sklearn.cluster", _EXTRA).DBSCAN(eps=eps, min_samples=2, metric="cosine")
    members: dict[int, list[_Seat]] = {}
    for label, seat in zip(dbscan.fit_predict([seat.unit for seat in placed]), placed, strict=True):
        members.setdefault(int(label), []).append(seat)
    members.pop(_NOISE, None)
    return list(members.values())


def _dropped(cluster: Sequence[_Seat]) -> Iterator[tuple[int, Dropped]]:
    """The roles of a cluster that are dropped, by place, each with the nearest of those that are kept instead.

    Where no role stands anyway, the one nearest the centre is kept: the one in whose direction the sum of all goes furthest.
    """
    centre = sum(seat.unit for seat in cluster) / len(cluster)
    central = min(cluster, key=lambda seat: (-round(float(seat.unit @ centre), _DIGITS), *seat.text))
    seated = [seat for seat in cluster if seat.standing] or [central]
    for seat in cluster:
        if seat not in seated:
            distance, _, instead = min(
                (seat.distance(other), other.text, other.role.type) for other in seated
            )
            yield seat.place, Dropped(role=seat.role, instead=instead, distance=distance)
