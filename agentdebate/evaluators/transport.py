"""The least way to move one distribution of mass onto another: an earth mover's distance, as a linear programme."""

from collections.abc import Sequence

from agentdebate.evaluators.loading import EXTRA
from agentdebate.extras import optional


def least_way(given: Sequence[float], wanted: Sequence[float], ways: Sequence[Sequence[float]]) -> float:
    """The least sum of mass times way that turns `given` into `wanted`; both sum to 1.

    `ways[i][j]` is how far the i-th place of the one is from the j-th of the other. Raises MissingExtra without SciPy.
    """
    optimize, sparse = optional("scipy.optimize", EXTRA), optional("scipy.sparse", EXTRA)
    rows, columns = len(given), len(wanted)
    leaving = sparse.kron(sparse.eye(rows), [[1.0] * columns])
    arriving = sparse.kron([[1.0] * rows], sparse.eye(columns))
    # One equation follows from the others; without it, rounding cannot make them contradict each other.
    equations = sparse.vstack([leaving, arriving]).tocsr()[:-1]
    masses = [*_whole(given), *_whole(wanted)][:-1]
    found = optimize.linprog(
        [way for row in ways for way in row], A_eq=equations, b_eq=masses, method="highs"
    )
    if not found.success:  # pragma: no cover - mass can always be moved
        raise ArithmeticError(f"no way to move the mass was found: {found.message}")
    return max(float(found.fun), 0.0)


def _whole(masses: Sequence[float]) -> list[float]:
    total = sum(masses)
    return [mass / total for mass in masses]
