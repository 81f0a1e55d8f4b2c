"""Getting as many samples of a reply as are wanted: in one request where the endpoint gives them, else in several."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import anyio

from agentdebate.errors import ContextTooLong, ModelError, RequestRefused, raise_only
from agentdebate.models.base import Completion, Model, ModelRequest

Keep = Callable[[ModelRequest, Completion], Awaitable[None]]
"""Takes note of a completion before it is used."""


async def complete(model: Model, request: ModelRequest, keep: Keep) -> Completion:
    """The model's completion, with its further samples beside it; every completion is kept as soon as it is there.

    An endpoint that gives fewer samples than were asked for, or refuses to give several, is asked for the others one by
    one, at the same time. A sample that cannot be had is left out. Raises ModelError where there is none at all, and what
    `keep` raises.
    """
    wanted = request.sampling.n
    try:
        first = await model.complete(request)
    except RequestRefused as error:
        if wanted == 1 or isinstance(error, ContextTooLong):  # which a single sample would be as well
            raise
        return _together(await _singly(model, request, range(wanted), keep))
    await keep(request, first)
    lacking = range(1 + len(first.others), wanted)
    return _together([first, *await _singly(model, request, lacking, keep)]) if lacking else first


async def _singly(model: Model, request: ModelRequest, numbers: range, keep: Keep) -> list[Completion]:
    """Samples of these numbers, each in a request of its own."""
    had: dict[int, Completion] = {}
    problems: list[ModelError] = []

    async def ask(number: int) -> None:
        single = sample(request, number)
        try:
            completion = await model.complete(single)
        except ModelError as error:
            problems.append(error)
            return
        await keep(single, completion)
        had[number] = completion

    try:
        async with anyio.create_task_group() as group:
            for number in numbers:
                group.start_soon(ask, number)
    except ExceptionGroup as several:
        raise_only(several)
    if not had and numbers.start == 0:
        raise problems[0]
    return [had[number] for number in sorted(had)]


def sample(request: ModelRequest, number: int) -> ModelRequest:
    """The request for one of several samples: alone, under a number of its own, and with a seed of its own.

    No other sitting has that seed either: they go up with the numbers.
    """
    sampling = request.sampling
    own = request.sample * sampling.n + number
    seed = None if sampling.seed is None else sampling.seed - request.sample + own
    alone = sampling.model_copy(update={"n": 1, "seed": seed})
    return replace(request, sampling=alone, sample=own)


def _together(completions: list[Completion]) -> Completion:
    """Several completions as one that has the others beside it."""
    first, *rest = completions
    others, cut = list(first.others), list(first.cut)
    for one in rest:
        if one.finish == "length":
            cut.append(len(others))
        others.append(one.text)
    return first.model_copy(update={"others": tuple(others), "cut": tuple(cut)})
