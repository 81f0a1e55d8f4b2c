"""The evaluation steps of an aspect, written once for all items and kept in a file where that is wanted (G-Eval, Section 2.2)."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from anyio.to_thread import run_sync

from agentdebate.ballots.plan import read_steps
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.errors import ContentError
from agentdebate.project.project import file_exists, read_text
from agentdebate.talk.messages import Statement
from agentdebate.talk.purposes import STEPS
from agentdebate.tasks import Aspect

if TYPE_CHECKING:
    from agentdebate.strategies.floor import Floor  # which brings along what holds debates

WRITE, TASK = "write", "task"
"""Values in place of a file: for steps that are written but not kept, and for the task's own."""

STEPS_FILE = "the steps"
"""Name of the file in errors."""

_HEADING = re.compile(r"^##[ \t]+(.+?)[ \t]*$", re.MULTILINE)


async def written_steps(floor: "Floor", where: str) -> Statement:
    """The steps for the floor's aspect, in the transcript of this debate.

    They are read from the file `where`, or written by the agent in the role "writer", once for all debates about the aspect, and
    added to the file. Raises ContentError for a file that holds no steps, or cannot be read or written.
    """
    (aspect,) = floor.aspects
    steps = await floor.once(
        f"steps {where}: {floor.task.name}, {aspect.name}", lambda: _found(floor, where, aspect)
    )
    return await floor.announce(steps)


def check_steps_for(where: str, aspects: Iterable[Aspect]) -> None:
    """Raise ContentError for a file whose steps for one of the aspects cannot be read. The writer adds those that are not there."""
    if where == WRITE or not file_exists(Path(where), STEPS_FILE):
        return
    text = read_text(Path(where))
    for aspect in aspects:
        steps_for(aspect, text, Path(where))


def steps_for(aspect: Aspect, text: str, path: Path) -> str | None:
    """The steps for an aspect in a file: those below its heading, or all where there is no heading; None where it has none.

    Raises ContentError for what is not a list of steps.
    """
    headings = list(_HEADING.finditer(text))
    own = text if not headings else None
    ends = [*(one.start() for one in headings[1:]), len(text)]
    for heading, end in zip(headings, ends, strict=False):
        if heading[1].casefold() in {aspect.name.casefold(), aspect.title.casefold()}:
            own = text[heading.end() : end]
    if own is None or not text.strip():
        return None
    read = read_steps(own)
    if isinstance(read, Problem):
        raise ContentError(f"the steps for {aspect.name}: {read.text}", path=path)
    return own.strip()


async def _found(floor: "Floor", where: str, aspect: Aspect) -> Statement:
    path = None if where == WRITE else Path(where)
    if path is not None and await run_sync(path.exists):
        kept = steps_for(aspect, await run_sync(read_text, path), path)
        if kept is not None:
            return Statement(answers=0, text=kept)
    if path is not None:
        await run_sync(file_exists, path, STEPS_FILE)  # known before the steps are paid for
    steps = await floor.ask(floor.one("writer"), STEPS)
    if path is not None and not floor.rehearsal:
        await run_sync(_add, path, aspect, steps.text)
    return steps


def _add(path: Path, aspect: Aspect, steps: str) -> None:
    """Add the steps of an aspect to the file."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{chr(10) if file.tell() else ''}## {aspect.name}\n\n{_without_headings(steps)}\n")
    except OSError as error:
        raise ContentError(f"the steps cannot be written: {error.strerror}", path=path) from error


def _without_headings(steps: str) -> str:
    """The steps as they will be read again: a heading of a model's own would end them."""
    return _HEADING.sub(r"\1", steps).strip()
