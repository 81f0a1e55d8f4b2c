"""Write the pages in docs/reference that follow from the code. With --check: name those that are not up to date.

Prompts and pictures of every strategy are written when the site is built, and are not kept in the repository.
"""

import argparse
import ast
import asyncio
import inspect
import io
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from cyclopts import App
from evaluator_pages import evaluators
from hearing_svg import picture
from prompt_pages import rendered_prompts, task_of
from pydantic import BaseModel
from rich.console import Console

from agentdebate import plugins
from agentdebate.agents.seat import Card, load_card
from agentdebate.ballots.merge import GROUP as MERGES
from agentdebate.cli.app import COMMANDS, build
from agentdebate.models.base import Sampling
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import VARIABLES, PromptHead, Prompts, load_task
from agentdebate.runs.rehearsal import rehearse
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.load import registered, strategy
from agentdebate.strategies.strategy_file import StrategyFile, read_file, strategy_class
from agentdebate.tasks import Aspect, Task

HERE = Path(__file__).parent / "reference"
HEAD = "<!-- Written by docs/generate.py from the code. Change the code, then run: make docs -->\n\n"


def command_line() -> Iterator[str]:
    """Every command's help."""
    yield "# The command line\n"
    yield _help(build(), [])
    for name in COMMANDS:
        yield f"## agentdebate {name}\n"
        yield _help(build(name, whole=True), [name])


def _help(app: App, words: list[str]) -> str:
    text = io.StringIO()
    console = Console(file=text, width=100, force_terminal=False, color_system=None, legacy_windows=False)
    app.help_print(words, console=console)
    lines = "\n".join(line.rstrip() for line in text.getvalue().splitlines())
    return f"```text\n{lines.strip()}\n```\n"


def files() -> Iterator[str]:
    """The formats of the content files."""
    yield "# Content files\n"
    yield (
        "A project has the folders `agents/`, `strategies/` and `prompts/`. A file there goes before the built-in file of "
        "the same name. An unknown key is an error that names the file, the key and the nearest known one.\n"
    )
    yield "## agents/NAME.md\n"
    yield "Markdown with YAML front matter. The text below the front matter is the persona.\n"
    yield _fields(Card, skip={"persona", "recruited"})
    yield _variables("agents", "The persona may use")
    yield "### sampling\n"
    yield _fields(Sampling)
    yield "## strategies/NAME.toml\n"
    yield _fields(StrategyFile)
    for name in registered():
        cls = strategy_class(name, Path(name), Project())
        yield f'### options of `uses = "{name}"`\n'
        yield f"{_first(cls.__doc__)}\n"
        yield _fields(cls, skip={"name", "cast", "sampling", "models"}) or "It has none.\n"
        yield _roles(cls)
    yield "## prompts/tasks/NAME.md\n"
    yield "The text below the front matter is what every agent is told of the task.\n"
    yield _fields(Task, skip={"brief"})
    yield "### aspects\n"
    yield _fields(Aspect)
    yield "## prompts/turns/NAME.md, prompts/relays/NAME.md, prompts/parts/NAME.md\n"
    yield (
        "The text below the front matter is a Jinja template; [prompts](../explanation/prompts.md#what-a-template-may-do) says "
        "what it may do.\n"
    )
    yield _fields(PromptHead)
    for kind in ("prompts/turns", "prompts/relays", "prompts/parts"):
        yield _variables(kind, f"{kind} may use")


def _roles(cls: type[Strategy]) -> str:
    """The roles of a strategy class, and which of them is its panel."""
    roles = [
        f"`{role}` (its panel: any number of agents, `--agents`)" if role == cls.panel else f"`{role}`"
        for role in cls.model_fields["cast"].default
    ]
    return f"Roles: {', '.join(roles) or 'those of the strategy inside'}.\n"


def _fields(model: type[BaseModel], skip: set[str] | None = None) -> str:
    notes = {name: note for cls in reversed(model.__mro__) for name, note in _notes(cls).items()}
    rows = [
        f"| `{name}` | {_type(field.annotation)} | {'yes' if field.is_required() else ''} | {notes.get(name, '')} |"
        for name, field in model.model_fields.items()
        if name not in (skip or set())
    ]
    return (
        "\n".join(["| key | type | required | |", "| --- | --- | --- | --- |", *rows]) + "\n" if rows else ""
    )


def _notes(cls: type) -> dict[str, str]:
    """The docstrings beneath a class's fields."""
    if not cls.__module__.startswith("agentdebate"):
        return {}
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    assert isinstance(tree, ast.ClassDef)
    return {
        field.target.id: _first(note.value.value)
        for field, note in pairwise(tree.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(note, ast.Expr)
        and isinstance(note.value, ast.Constant)
    }


def _variables(kind: Any, lead: str) -> str:
    return f"{lead}: {', '.join(f'`{name}`' for name in sorted(VARIABLES[kind]))}.\n"


def _type(annotation: Any) -> str:
    """A type in words that a writer of TOML or YAML knows."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _type(args[0])
    if origin is Literal:
        return ", ".join(f'`"{value}"`' for value in args)
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(_type(arg) for arg in args if arg is not type(None)))
    if origin is tuple:
        return f"list of {_type(args[0])}"
    if origin is not None:
        return f"table of {_type(args[-1])}"
    names = {str: "text", int: "whole number", float: "number", bool: "true or false", Any: "any value"}
    return names.get(annotation) or getattr(annotation, "__name__", str(annotation)).lower()


def _first(text: object) -> str:
    return " ".join(str(text or "").split("\n\n")[0].split())


def content() -> Iterator[str]:
    """What is built in."""
    project = Project()
    yield "# What is built in\n"
    yield "## Strategies\n"
    for name, path in project.names("strategies").items():
        yield _entry(name, read_file(path))
    yield "## Agents\n"
    for name in project.names("agents"):
        yield _entry(name, load_card(project, name))
    yield "## Tasks\n"
    for name in project.names("prompts/tasks"):
        task = load_task(name, project=project)
        yield _entry(name, task)
        yield "\n".join(f"- `{a.name}`, {a.scale}. {a.criterion}" for a in task.aspects) + "\n"


def pictures() -> Iterator[str]:
    """Who hears whom, beside the lines that make it so."""
    project, prompts = Project(), Prompts(Project())
    yield "# Who hears whom\n"
    yield (
        "Each picture is drawn from the transcript of a debate that was held with made-up words, so it shows what the code "
        "beside it does. An arrow leads from who speaks to who hears it; the arrows to the verdict show "
        "whose ballots it is made of. `agentdebate graph NAME` draws any strategy, yours too.\n"
    )
    for name in project.names("strategies"):
        chosen = strategy(name, project=project)
        task = task_of(chosen, prompts)
        record = asyncio.run(rehearse(chosen, task, project=project))
        yield f"## {name}\n"
        yield f"`{type(chosen).__name__}`: {_first(type(chosen).__doc__)}\n"
        yield picture(record.transcript)
        source = textwrap.dedent(inspect.getsource(type(chosen).debate)).rstrip()
        file = Path(inspect.getfile(type(chosen))).relative_to(HERE.parents[1])
        yield f"```python from={file}\n{source}\n```\n"


def _entry(name: str, of: StrategyFile | Card | Task) -> str:
    lines = [f"### {name}\n", f"{of.about}\n"]
    lines += [f"Source: {of.source}.\n"] if of.source else []
    lines += [f"The paper reports: {of.reports}.\n"] if isinstance(of, StrategyFile) and of.reports else []
    lines += [f"What differs: {of.differs}\n"] if of.differs else []
    return "\n".join(lines)


def assistants() -> Iterator[str]:
    """The evaluators and their options."""
    yield from evaluators(_notes, _type)


_WEIGHTS = {
    "unused": "It counts no weights.",
    "optional": "It counts weights where they are given.",
    "required": "It needs weights.",
}


def merges() -> Iterator[str]:
    """The merges and their options."""
    yield "# Merges\n"
    yield (
        "A merge makes one rating of what several ballots say of one thing. A strategy names it with `merge = "
        '"median"`, and with options in a table: `merge = {rule = "trimmed", share = 0.1}`. [Ballots](../explanation/ballots.md#merging) '
        "says what holds for all of them, and [how to write one](../how-to/rules.md).\n"
    )
    for name, point in plugins.registered(MERGES).items():
        if not point.value.startswith("agentdebate."):
            continue
        found = point.load()
        yield f"## {name}\n"
        yield (
            "\n\n".join(" ".join(part.split()) for part in (inspect.getdoc(found) or "").split("\n\n")) + "\n"
        )
        yield f"{_WEIGHTS[getattr(found, 'weights', 'unused')]}\n"
        fields = _fields(found) if isinstance(found, type) else ""
        if fields:
            yield fields


PAGES: dict[str, Callable[[], Iterator[str]]] = {
    "command-line.md": command_line,
    "content-files.md": files,
    "built-in.md": content,
    "merges.md": merges,
    "evaluators.md": assistants,
}
AT_BUILD: dict[str, Callable[[], Iterator[str]]] = {
    "who-hears-whom.md": pictures,
    "prompts-rendered.md": rendered_prompts,
}


def write_at_build() -> None:
    """Write the pages that only the site has."""
    for name, page in AT_BUILD.items():
        (HERE / name).write_text(_text(page), encoding="utf-8")


def _text(page: Callable[[], Iterator[str]]) -> str:
    return HEAD + "\n".join(page()).rstrip() + "\n"


def main() -> int:
    """Write the pages, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = []
    for name, page in PAGES.items():
        text = _text(page)
        path = HERE / name
        if check:
            stale += [] if path.is_file() and path.read_text(encoding="utf-8") == text else [name]
        else:
            HERE.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if stale:
        sys.stderr.write(
            f"docs/reference is not what the code says ({', '.join(stale)}): run make docs and commit\n"
        )
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
