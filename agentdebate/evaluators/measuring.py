"""An evaluator in the hands of many debates: what they ask for comes together in batches, and nothing is computed twice.

No task runs in the background. Whoever asks gets a turn, one after the other: it computes a batch of what others have asked
for along with its own, and those find their scores when it is their turn. One that is cancelled leaves its batch to them.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from math import isfinite

import anyio
import anyio.lowlevel

from agentdebate.errors import DataError, EvaluatorFailed, StoreError, UsageError, UserError, own_copy
from agentdebate.evaluators.base import Evaluator, Pair
from agentdebate.evaluators.score_cache import ScoreCache, score_key

Outcome = float | Exception


@dataclass(frozen=True, slots=True)
class Statistics:
    """What an evaluator has done."""

    computed: int = 0
    """Pairs that it scored."""
    served: int = 0
    """Scores that were given without computing them: kept from before, or computed for somebody else."""
    seconds: float = 0.0
    """How long it computed, by the clock on the wall."""


@dataclass(eq=False, slots=True)
class _Request:
    """A pair whose score somebody waits for."""

    key: bytes
    pair: Pair
    outcome: Outcome | None = None
    waiting: int = 0
    fresh: bool = False
    """Whether the outcome was computed, and nobody has counted it yet."""
    seconds: float = 0.0


class Measuring:
    """Scores pairs for any number of debates at once, in batches of at most `batch`, one batch at a time.

    What comes in while a batch is computed makes the next ones. Equal pairs are computed once, and the last `remember`
    scores are kept; with a `cache` they are kept between runs. The cache is its owner's to close.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        *,
        batch: int = 32,
        cache: ScoreCache | None = None,
        remember: int = 100_000,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        if batch < 1:
            raise UsageError(f"a batch has one pair or more, not {batch}")
        self.evaluator = evaluator
        self._batch, self._cache, self._remember, self._clock = batch, cache, remember, clock
        self._identity = evaluator.name, evaluator.version
        self._open: dict[bytes, _Request] = {}
        self._scores: OrderedDict[bytes, float] = OrderedDict()
        self._turn = anyio.Lock()
        self._computed, self._served, self._seconds = 0, 0, 0.0

    def __repr__(self) -> str:
        state = "computing" if self._turn.locked() else "idle"
        return f"<Measuring {self.evaluator.name!r}: {state}, {len(self._open)} asked for>"

    def statistics(self) -> Statistics:
        """What has been done so far."""
        return Statistics(self._computed, self._served, self._seconds)

    async def measure(self, pair: Pair) -> float:
        """The score of a pair.

        Raises EvaluatorFailed where the evaluator fails on the pair's batch, or gives no number for it; what is wrong
        with the user's set-up (a package or a model that is not there) and StoreError from the cache as they are.
        Failures are not remembered.
        """
        return (await self.timed(pair))[0]

    async def timed(self, pair: Pair) -> tuple[float, float]:
        """As `measure`, with the seconds that it took to compute: the pair's share of its batch; 0 where it was known."""
        key = score_key(*self._identity, pair)
        if key in self._scores:
            self._served += 1
            return self._scores[key], 0.0
        request = self._open.setdefault(key, _Request(key, pair))
        outcome = await self._outcome(request)
        if isinstance(outcome, Exception):
            raise own_copy(outcome) from outcome.__cause__
        seconds, request.seconds = request.seconds, 0.0
        self._served += not request.fresh
        request.fresh = False
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
            if not request.waiting and self._open.get(request.key) is request:
                del self._open[request.key]

    async def _lead(self, first: _Request) -> None:
        """Have one batch computed: a request, and those that came before others."""
        others = (request for request in self._open.values() if request is not first)
        batch = [first, *islice(others, self._batch - 1)]
        for request, outcome in zip(batch, await self._found(batch), strict=True):
            request.outcome = outcome
            if self._open.get(request.key) is request:
                del self._open[request.key]
            if not isinstance(outcome, Exception):
                self._scores[request.key] = outcome
        while len(self._scores) > self._remember:
            self._scores.popitem(last=False)

    async def _found(self, batch: Sequence[_Request]) -> list[Outcome]:
        """The outcomes of a batch, from the cache or newly computed."""
        try:
            return await self._from_cache(batch) if self._cache else await self._compute(batch)
        except StoreError as error:
            return [error] * len(batch)

    async def _from_cache(self, batch: Sequence[_Request]) -> list[Outcome]:
        assert self._cache is not None
        outcomes: dict[bytes, Outcome] = {**await self._cache.get_many([request.key for request in batch])}
        missing = [request for request in batch if request.key not in outcomes]
        if missing:
            outcomes |= zip((request.key for request in missing), await self._compute(missing), strict=True)
            scores = {request.key: outcomes[request.key] for request in missing}
            await self._cache.put_many({k: score for k, score in scores.items() if isinstance(score, float)})
        return [outcomes[request.key] for request in batch]

    async def _compute(self, requests: Sequence[_Request]) -> list[Outcome]:
        before = self._seconds
        outcomes = await self._scored([request.pair for request in requests])
        share = (self._seconds - before) / len(requests)
        for request, outcome in zip(requests, outcomes, strict=True):
            request.fresh, request.seconds = isinstance(outcome, float), share
            self._computed += request.fresh
        return outcomes

    async def _scored(self, pairs: Sequence[Pair]) -> list[Outcome]:
        try:
            return [self._checked(score) for score in await self._timed(pairs)]
        except DataError as error:
            if len(pairs) > 1:  # one text that cannot be scored is no reason to fail its neighbours
                return [outcome for pair in pairs for outcome in await self._scored([pair])]
            return [self._failed(error)]
        except (UserError, StoreError) as error:
            return [error] * len(pairs)
        except Exception as error:  # noqa: BLE001 - whatever it raises has to reach everyone who waits for the batch
            return [self._failed(error)] * len(pairs)

    async def _timed(self, pairs: Sequence[Pair]) -> Sequence[float]:
        started = self._clock()
        try:
            scores = await self.evaluator.score(pairs)
        finally:
            self._seconds += self._clock() - started
        if len(scores) != len(pairs):
            raise EvaluatorFailed(
                f"evaluator {self.evaluator.name!r} gave {len(scores)} scores for {len(pairs)} pairs"
            )
        return scores

    def _checked(self, score: float) -> Outcome:
        number = float(score)
        if isfinite(number):
            return number
        return EvaluatorFailed(f"evaluator {self.evaluator.name!r} gave {number} for a score")

    def _failed(self, error: Exception) -> Exception:
        if isinstance(error, EvaluatorFailed):
            return error
        failed = EvaluatorFailed(f"evaluator {self.evaluator.name!r}: {str(error) or repr(error)}")
        failed.__cause__ = error
        return failed
