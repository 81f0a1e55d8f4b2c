"""How long the ways through the engine are: functions and files of ours between an item and its first request, and between
the last completion and the verdict.

One debate by `debate` is traced after another one, so that what is read and compiled once is done already. A critic that
objects to the end makes the last completion one that carries a ballot.
"""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import agentdebate
from agentdebate.debates.ready import ready
from agentdebate.models.base import ModelRequest
from agentdebate.models.function import Function
from agentdebate.project.project import Project
from agentdebate.talk.messages import Message, Verdict
from benchmarks.sample_debate import ITEM, answer

PACKAGE = Path(agentdebate.__file__).parent
INNER = {"<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>"}
"""What Python calls as a function and is part of the one around it."""
AIMS = {"item to prompt": (45, 12), "reply to verdict": (35, 14)}
"""Functions and files, at most."""


@dataclass
class Way:
    """Every function of ours that was called on a way, in the order in which each first was."""

    called: dict[CodeType, None] = field(default_factory=dict)

    def trace(self, frame: FrameType, event: str, _: Any) -> None:
        """Note a call of one of our functions."""
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(PACKAGE)) and code.co_name not in INNER:
            self.called.setdefault(code)

    @property
    def files(self) -> list[str]:
        """The modules on the way, in that order."""
        return list(dict.fromkeys(str(Path(code.co_filename).relative_to(PACKAGE)) for code in self.called))


class Traced:
    """A model that ends one way where its first request arrives, and begins the other anew with every completion."""

    def __init__(self) -> None:
        self.there, self.back = Way(), Way()

    def answer(self, request: ModelRequest) -> str:
        """Return what the judges of the other benchmarks say."""
        sys.setprofile(None)
        said = answer(request)
        self.back = Way()
        sys.setprofile(self.back.trace)
        return said


async def traced() -> Traced:
    """The two ways of one debate. Holding it once before compiles and reads whatever is compiled and read once."""
    model = Traced()
    project = Project()
    async with ready("debate", model=Function("traced", model.answer), project=project) as debate:
        await debate.hold(ITEM, "coherence")
        sys.setprofile(None)
        model.there = Way()
        sys.setprofile(model.there.trace)
        held = await debate.hold(ITEM, "coherence", listeners=[_ends])
        sys.setprofile(None)
    assert held.verdict is not None
    assert held.verdict.ended == "round limit"
    return model


def _ends(message: Message) -> None:
    """The verdict ends the way back."""
    if isinstance(message, Verdict):
        sys.setprofile(None)


def show(name: str, way: Way, say: Callable[[str], None] = print) -> None:
    """A line, and with `--each` every function by file."""
    functions, files = AIMS[name]
    say(f"{name:17} {len(way.called):3} functions (aim {functions}), {len(way.files):3} files (aim {files})")
    if "--each" not in sys.argv:
        return
    for file in way.files:
        own = [code.co_qualname for code in way.called if code.co_filename.endswith(f"/{file}")]
        say(f"    {file}: {', '.join(own)}")


def main() -> None:
    """Run it."""
    ways = asyncio.run(traced())
    show("item to prompt", ways.there)
    show("reply to verdict", ways.back)
