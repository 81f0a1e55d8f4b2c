"""Loads prompts/: tasks, turns, relays and parts. A variable without a value is an error that names the file.

A debate's requests are made of two texts. The *brief* (part `brief`) holds the task, the item and the aspects, and is
the same for every agent of a debate, so that a provider's prefix cache serves them all. The *turn* (part `frame`) holds
the talk so far, who the speaker is, and what it is asked for now; what differs comes last.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from agentdebate.errors import ContentError, nearest
from agentdebate.project.project import (
    NOUNS,
    PROMPTS,
    Kind,
    Project,
    check_name,
    read_as,
    read_page,
)
from agentdebate.tasks import Aspect, Task

if TYPE_CHECKING:
    import jinja2
    import jinja2.nodes

VARIABLES: Mapping[Kind, frozenset[str]] = {
    "agents": frozenset(["aspects", "task", "wanted"]),
    "prompts/tasks": frozenset(["aspects", "candidates"]),
    "prompts/turns": frozenset(
        ["aspects", "candidates", "form", "given", "heard", "players", "round", "task", "title", "wanted"]
    ),
    "prompts/relays": frozenset(["aspects", "messages", "round", "task", "title", "wanted"]),
    "prompts/parts": frozenset(
        [
            "about",
            "aspects",
            "candidates",
            "criteria",
            "dropped",
            "form",
            "given",
            "instruction",
            "lines",
            "persona",
            "players",
            "problem",
            "roles",
            "sample",
            "talk",
            "texts",
            "title",
            "wanted",
        ]
    ),
}
"""Variables that a template of each kind may use."""


_NAME = re.compile(r"[\w-]+")
"""The name of a prompt; what has a blank or a brace in it is a template."""
_FORM = "form"
"""The variable that says how a reply has to look."""
_BELOW = "\n\n{{ form }}"


class PromptHead(BaseModel):
    """The front matter of a prompt that is not a task."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    about: str
    source: str = ""
    """The paper and section that the prompt follows."""
    differs: str = ""
    """Differences from the paper."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt ready to be filled."""

    path: Path | str
    """File of the template; what it is where it was made in code."""
    compiled: "jinja2.Template"
    uses: Collection[str]
    """The variables in it."""
    line: int | None = None
    """The line of the file on which it begins, where that is known."""

    def render(self, **variables: object) -> str:
        """The text with its variables filled. Raises ContentError where that fails."""
        from agentdebate.prompts.templates import fill, line_of  # brings Jinja along, as compiling it has

        try:
            return fill(self.compiled, variables)
        except Exception as error:  # whatever its expressions raise, the template has to be fixed
            number = line_of(self.compiled, error)
            line = None if number is None else _line_of(number, self.line)
            raise ContentError(
                f"the template cannot be filled: {error}", path=self.path, line=line
            ) from error


class Prompts:
    """The prompts of one project, each read and compiled once."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._templates: dict[tuple[Kind, str, str | None], Prompt] = {}
        self._tasks: dict[str, Task] = {}

    def task(self, name: str) -> Task:
        """The task in prompts/tasks/. Raises ContentError."""
        if name not in self._tasks:
            task = self._tasks[name] = load_task(name, project=self.project)
            self.prompt("prompts/tasks", name, task.brief)
        return self._tasks[name]

    def prompt(self, kind: Kind, name: str, text: str | None = None) -> Prompt:
        """The prompt of a kind, by its name: out of its file, or `text` where that was read already or written in code.

        Raises ContentError.
        """
        key = kind, name, text
        if key not in self._templates:
            if text is None:
                page = self.project.page(kind, name)
                check_name(read_as(PromptHead, page.meta, page.path).name, page.path)
                self._templates[key] = _compiled(kind, page.path, page.body, page.line)
            else:
                path, line = self._origin(kind, name, text)
                self._templates[key] = _compiled(kind, path, text, line)
        return self._templates[key]

    def turn(self, name: str, text: str = "") -> Prompt:
        """Return the prompt of a turn of this name; `text` is its template where the strategy brings it along.

        Where that does not show the form of the reply, the form stands below it.
        """
        turn = self.prompt("prompts/turns", name, text or None)
        shown = not text or _FORM in turn.uses
        return turn if shown else self.prompt("prompts/turns", name, text + _BELOW)

    def part(self, name: str) -> Prompt:
        """A part that other prompts are put together from."""
        return self.prompt("prompts/parts", name)

    def form(self, form: str) -> Prompt:
        """Return the form of a reply: a part by its name, or the text of one that was made in code."""
        if _NAME.fullmatch(form):
            return self.part(form)
        return _compiled("prompts/parts", "the form of a reply, made in code", form, None)

    def check(self) -> None:
        """Compile the project's own turns, relays and parts, so that what is wrong shows before a call is paid for.

        The built-in ones are sound, and are compiled when they are used. Raises ContentError.
        """
        for kind in PROMPTS:
            for name, path in self.project.names(kind).items():
                if not self.project.is_builtin(path):
                    self.prompt(kind, name)

    def _origin(self, kind: Kind, name: str, text: str) -> tuple[Path | str, int | None]:
        """Find the origin of a text: the file of that name, and the line it begins on, where the text is the file's."""
        path = self.project.names(kind).get(name)
        page = read_page(path) if path else None
        if page and text == page.body:
            return page.path, page.line
        if page and text in page.meta.values():
            return page.path, None
        return f"the {NOUNS[kind]} {name!r}, made in code", None


@lru_cache(maxsize=512)
def _compiled(kind: Kind, path: Path | str, source: str, line: int | None) -> Prompt:
    """The text of a content file as a template; it begins on that line of the file, where that is known. It is compiled once for all debates.

    Raises ContentError for bad syntax and for unknown variables.
    """
    from jinja2 import TemplateSyntaxError, meta

    from agentdebate.prompts.templates import environment

    compiler = environment(builtin=isinstance(path, Path) and Project().is_builtin(path))
    try:
        tree = compiler.parse(source)
        uses = meta.find_undeclared_variables(tree)
        compiled = compiler.from_string(source)
        # Each rendering copies them: a plain dict saves 4 us of 8.
        compiled.globals = dict(compiled.globals)
    except TemplateSyntaxError as error:
        at = _line_of(error.lineno, line)
        raise ContentError(f"bad template: {error.message}", path=path, line=at) from error
    # Python's compiler allows 20 loops in each other, and goes down one level for each elif.
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ContentError("bad template: too many blocks in each other", path=path) from error
    for unknown in sorted(uses - VARIABLES[kind]):
        at = _line_of(_first_use(tree, unknown), line)
        hint = nearest(unknown, VARIABLES[kind])
        raise ContentError(f"nothing fills the variable {{{{ {unknown} }}}}. {hint}", path=path, line=at)
    return Prompt(path, compiled, uses, line)


def load_task(name: str, *, project: Project | None = None) -> Task:
    """Read prompts/tasks/NAME.md of a project, by default that of the current folder: the front matter is the task, and the text
    below it what every agent is told of it.

    Raises ContentError.
    """
    path = (project or Project.here()).find("prompts/tasks", name)
    page = read_page(path)
    task = read_as(Task, {"brief": page.body, **page.meta}, page.path, beside=Aspect.model_fields)
    check_name(task.name, page.path)
    return task


def _line_of(number: int, begins: int | None) -> int | None:
    """The line of a file on which line `number` of its text is."""
    return None if begins is None else begins + number - 1


def _first_use(tree: "jinja2.nodes.Template", variable: str) -> int:
    """The first line of a template that names a variable."""
    from jinja2.nodes import Name

    return min((node.lineno for node in tree.find_all(Name) if node.name == variable), default=1)
