"""The evaluation steps of an aspect, written once for all items and kept in a file where that is wanted (G-Eval, Section 2.2)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from anyio.to_thread import run_sync

from agentdebate.ballots.plan import read_steps
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.errors import ContentError
from agentdebate.options import NO_FILES
from agentdebate.project.project import file_exists, read_text
from agentdebate.talk.messages import Statement
from agentdebate.talk.purposes import STEPS
from agentdebate.tasks import Aspect

if TYPE_CHECKING:
    from agentdebate.strategies.floor import Floor  # which brings along what holds debates

_WHAT = "the steps"
_HEADING = re.compile(r"^##[ \t]+(.+?)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file that holds a text that an agent writes once for all debates, or will."""

    path: Path
    what: str
    """Name in errors: "the plan"."""

    @classmethod
    def named(cls, where: str, what: str) -> "TextFile | None":
        """The file that an option names; None where a word stands in its place."""
        return None if where in NO_FILES else cls(Path(where), what)

    def text(self) -> str | None:
        """Text of the file; None where there is none yet. Raises ContentError where it cannot be read, or never be written."""
        return read_text(self.path) if file_exists(self.path, self.what) else None

    async def read(self) -> str | None:
        """Read the file in a thread."""
        return await run_sync(self.text)

    async def add(self, text: str) -> None:
        """Add a text behind what it holds. Raises ContentError."""
        await run_sync(self._add, text)

    def _add(self, text: str) -> None:
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"{chr(10) if file.tell() else ''}{text}\n")
        except OSError as error:
            raise ContentError(f"{self.what} cannot be written: {error.strerror}", path=self.path) from error


async def written_steps(floor: "Floor", where: str) -> Statement:
    """The steps for the floor's aspect, in the transcript of this debate.

    They are read from the file `where`, or written by the agent in the role "writer", once for all debates about the aspect, and
    added to the file. Raises ContentError for a file that holds no steps, or cannot be read or written.
    """
    (aspect,) = floor.aspects
    key = f"steps {where}: {floor.task.name}, {aspect.name}"
    return await floor.announce(
        await floor.once(key, partial(_found, floor, TextFile.named(where, _WHAT), aspect))
    )


def check_steps_for(where: str, aspects: Iterable[Aspect]) -> None:
    """Raise ContentError for a file whose steps for one of the aspects cannot be read. The writer adds those that are not there."""
    file = TextFile.named(where, _WHAT)
    text = (file.text() or "") if file else ""
    for aspect in aspects if file else ():
        steps_for(aspect, text, Path(where))


def steps_for(aspect: Aspect, text: str, path: Path) -> str | None:
    """The steps for an aspect in a file: those below its heading, or all where there is no heading; None where it has none.

    Raises ContentError for what is not a list of steps.
    """
    before, *parts = _HEADING.split(text)
    named = {title.casefold(): steps for title, steps in zip(parts[::2], parts[1::2], strict=True)}
    own = named.get(aspect.name.casefold(), named.get(aspect.title.casefold())) if parts else before
    if own is None or not text.strip():
        return None
    read = read_steps(own)
    if isinstance(read, Problem):
        raise ContentError(f"the steps for {aspect.name}: {read.text}", path=path)
    return own.strip()


async def _found(floor: "Floor", file: TextFile | None, aspect: Aspect) -> Statement:
    if file and (kept := steps_for(aspect, await file.read() or "", file.path)) is not None:
        return Statement(answers=0, text=kept)
    steps = await floor.ask(floor.one("writer"), STEPS)
    if file and not floor.rehearsal:
        own = _HEADING.sub(r"\1", steps.text).strip()  # a heading of a model's own would end the steps
        await file.add(f"## {aspect.name}\n\n{own}")
    return steps
