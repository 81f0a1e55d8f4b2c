"""Samples of a reply, as many as are wanted: in one request where the endpoint gives them, else in several."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace

import anyio

from agentdebate.errors import ContextTooLong, ModelError, RequestRefused, raise_only
from agentdebate.log import get_log
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.completion_check import check_size
from agentdebate.telemetry import (
    CHAT,
    FINISH,
    INPUT_TOKENS,
    OPERATION,
    OUTPUT_TOKENS,
    REQUEST_MODEL,
    RESPONSE_MODEL,
    Span,
    own,
)

_log = get_log(__name__)

Keep = Callable[[ModelRequest, Completion], Awaitable[None]]
"""Takes note of a completion before it is used."""


async def complete(model: Model, request: ModelRequest, keep: Keep) -> Completion:
    """The model's completion, with its further samples beside it; every completion is kept as soon as it is there.

    An endpoint that gives fewer samples than were asked for, or refuses to give several, is asked for the others one by
    one, at the same time. A sample that cannot be had is left out, and `lost` says why. Raises ModelError where there is none at all,
    and ReplyTooLong, whatever the model, before anything of such a reply is kept.
    """
    try:
        first = await _asked(model, request, keep)
    except RequestRefused as error:  # as the next one is too where n is not the reason
        if request.sampling.n == 1 or isinstance(error, ContextTooLong):
            raise
        first = await _asked(model, sample(request, 0), keep)
    missing = range(1 + len(first.others), request.sampling.n)
    return await _with_singles(first, model, request, missing, keep) if missing else first


async def _asked(model: Model, request: ModelRequest, keep: Keep) -> Completion:
    with Span(f"{CHAT} {model.name}", {OPERATION: CHAT, REQUEST_MODEL: model.name}) as span:
        completion = await _answer(model, request)
        await keep(request, completion)
        usage = completion.usage
        span.tell(  # its words are in the store alone
            {
                RESPONSE_MODEL: completion.model,
                FINISH: [completion.finish],
                INPUT_TOKENS: usage.prompt_tokens,
                OUTPUT_TOKENS: usage.completion_tokens,
                own("cached"): completion.cached,
            }
        )
    told = {
        "model": completion.model,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "seconds": completion.latency,
    }
    _log.debug("%s answered: %d + %d tokens, %.3f s", *told.values(), kind="call answered", **told)
    return completion


async def _answer(model: Model, request: ModelRequest) -> Completion:
    """Ask the model. Raises ModelError where it cancels itself, which could not be told from the end of the debate."""
    try:
        return check_size(await model.complete(request), model=model.name)
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task and task.cancelling():
            raise
        raise ModelError(f"{model.name}: the call was cancelled from within the model") from error


async def _with_singles(
    first: Completion, model: Model, request: ModelRequest, missing: Iterable[int], keep: Keep
) -> Completion:
    """The completion with the missing samples, each asked for in a request of its own."""
    found, lost = dict[int, Completion](), list[str]()

    async def ask(number: int) -> None:
        try:
            found[number] = await _asked(model, sample(request, number), keep)
        except ModelError as error:
            lost.append(f"{type(error).__name__}: {error}")

    try:
        async with anyio.create_task_group() as group:
            for number in missing:
                group.start_soon(ask, number)
    except ExceptionGroup as error:  # of a full disk, say, which is no matter of this sample alone
        raise_only(error)
    singles = [found[number] for number in sorted(found)]
    cut = [at for at, one in enumerate(singles, len(first.others)) if one.finish == "length"]
    others = (*first.others, *[one.text for one in singles])
    return replace(first, others=others, cut=(*first.cut, *cut), lost=tuple(lost))


def sample(request: ModelRequest, number: int) -> ModelRequest:
    """The request for one of several samples: alone, under a number of its own, and with a seed of its own."""
    sampling = request.sampling
    place = request.sample * sampling.n + number
    seed = None if sampling.seed is None else sampling.seed - request.sample + place
    alone = sampling.model_copy(update={"n": 1, "seed": seed})
    return replace(request, sampling=alone, sample=place)
