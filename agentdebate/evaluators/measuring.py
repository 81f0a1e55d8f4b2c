"""An evaluator in the hands of many debates: what they ask for comes together in batches, and nothing is computed twice.

No task runs in the background. Each request waits for a turn and then has a batch computed: its own pair and those that
others have asked for, who find their scores when it is their turn. One that is cancelled leaves its batch to them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from math import isfinite
from time import perf_counter

import anyio
import anyio.lowlevel

from agentdebate.errors import DataError, EvaluatorFailed, UserError, own_copy
from agentdebate.evaluators.base import Evaluator, Pair

Outcome = float | Exception

_BATCH = 32
"""Pairs that are scored at once."""
_KEPT = 1024
"""Scores that are kept, from the last: the agents and aspects of a debate ask for the same ones."""


@dataclass(eq=False, slots=True)
class _Request:
    """A pair whose score is waited for."""

    pair: Pair
    outcome: Outcome | None = None
    waiting: int = 0
    seconds: float = 0.0
    """The pair's share of what its batch took to compute, until it is told."""


class Measuring:
    """Scores pairs for any number of debates at once, in batches, one batch at a time.

    What comes in while a batch is computed makes the next ones. Equal pairs that are asked for together or one soon after the
    other are computed once. Failures are not remembered.
    """

    def __init__(self, evaluator: Evaluator, *, batch: int = _BATCH) -> None:
        self.evaluator, self._batch = evaluator, batch
        self._open: dict[Pair, _Request] = {}
        self._scores: dict[Pair, float] = {}
        self._turn = anyio.Lock()

    def __repr__(self) -> str:
        state = "computing" if self._turn.locked() else "idle"
        return f"<Measuring {self.evaluator.name!r}: {state}, {len(self._open)} asked for>"

    async def timed(self, pair: Pair) -> tuple[float, float]:
        """The score of a pair, and the seconds that it took to compute: the pair's share of its batch; 0 where it was known.

        Raises EvaluatorFailed where the evaluator fails on the pair's batch, or gives no number for it; what is wrong
        with the user's set-up (a package or a model that is not there) as it is.
        """
        if pair in self._scores:
            return self._scores[pair], 0.0
        request = self._open.setdefault(pair, _Request(pair))
        outcome = await self._outcome(request)
        if isinstance(outcome, Exception):
            raise own_copy(outcome) from outcome.__cause__
        seconds, request.seconds = request.seconds, 0.0
        return outcome, seconds

    async def aclose(self) -> None:
        """Close the evaluator. Safe to call twice."""
        await self.evaluator.aclose()

    async def _outcome(self, request: _Request) -> Outcome:
        """Wait for a turn, and compute a batch unless the outcome came with an earlier one."""
        request.waiting += 1
        try:
            while request.outcome is None:
                async with self._turn:
                    if request.outcome is None:
                        await anyio.lowlevel.checkpoint()  # debates that began together ask together
                        await self._lead(request)
            return request.outcome
        finally:
            request.waiting -= 1
            if not request.waiting:
                self._end(request)

    def _end(self, request: _Request) -> None:
        if self._open.get(request.pair) is request:
            del self._open[request.pair]

    async def _lead(self, first: _Request) -> None:
        """Have one batch computed: a request, and those that came before others."""
        others = (request for request in self._open.values() if request is not first)
        batch = [first, *islice(others, self._batch - 1)]
        started = perf_counter()
        outcomes = await self._scored([request.pair for request in batch])
        share = (perf_counter() - started) / len(batch)
        for request, outcome in zip(batch, outcomes, strict=True):
            request.outcome, request.seconds = outcome, share
            self._end(request)
            if isinstance(outcome, float):
                self._scores[request.pair] = outcome
        while len(self._scores) > _KEPT:
            del self._scores[next(iter(self._scores))]

    async def _scored(self, pairs: Sequence[Pair]) -> list[Outcome]:
        try:
            scores = await self.evaluator.score(pairs)
            if len(scores) == len(pairs):
                return [self._checked(score) for score in scores]
            return [self._failed(f"gave {len(scores)} scores for {len(pairs)} pairs")] * len(pairs)
        except DataError as error:
            if len(pairs) > 1:  # one text that cannot be scored is no reason to fail its neighbours
                return [outcome for pair in pairs for outcome in await self._scored([pair])]
            return [self._failed(str(error), error)]
        except (UserError, EvaluatorFailed) as error:
            return [error] * len(pairs)
        except Exception as error:  # noqa: BLE001 - whatever it raises has to reach everyone who waits for the batch
            return [self._failed(str(error) or repr(error), error)] * len(pairs)

    def _checked(self, score: float) -> Outcome:
        number = float(score)
        return number if isfinite(number) else self._failed(f"gave {number} for a score")

    def _failed(self, problem: str, cause: Exception | None = None) -> EvaluatorFailed:
        failed = EvaluatorFailed(f"evaluator {self.evaluator.name!r}: {problem}")
        failed.__cause__ = cause
        return failed
