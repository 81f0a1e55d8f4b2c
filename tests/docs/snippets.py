"""The pages as their readers use them: the fenced blocks of a page, run in order in a folder of its own.

What a block's info string may say, behind its language:

    file=PATH            the block is written to that file, in the folder where the reader is by then
    from=PATH            the block is an excerpt: every line of it stands in that file, comments aside
    output               what the block before it prints; "..." stands for anything, and white space is one space
    exit=1               the exit code of the block's last command, where it is not 0
    needs=MODULE         the block is run where that module is installed (make test-adapters)
    no-run reason="..."  the block is shown and not run, and why

In a console block a line that begins with "$ " is a command. Lines below it are its output, as in an output block.
"""

import ast
import asyncio
import contextlib
import doctest
import importlib
import inspect
import io
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from agentdebate.cli.app import run as agentdebate

ROOT = Path(__file__).parents[2]
FENCE = re.compile(
    r"^(?P<indent> *)(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)\n(?P<text>.*?)^(?P=indent)(?P=fence) *$",
    re.MULTILINE | re.DOTALL,
)
TOOLS = frozenset({"cat", "cp", "ls", "mkdir"})
RUN = frozenset({"python", "console"})
WRITTEN = frozenset({"toml", "markdown", "json", "jsonl", "csv"})
"""Languages whose blocks are files of the reader's."""
AT_BUILD = frozenset(f"docs/reference/{name}.md" for name in ("prompts-rendered", "who-hears-whom"))
"""Pages that are written when the site is built."""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: str
    line: int
    language: str
    flags: tuple[str, ...]
    options: dict[str, str]
    text: str

    @property
    def place(self) -> str:
        """Page and line, as editors take them."""
        return f"{self.page}:{self.line}"

    @property
    def is_run(self) -> bool:
        """Tell whether the block is one that is tried."""
        needed = self.options.get("needs")
        return "no-run" not in self.flags and (needed is None or find_spec(needed) is not None)


def pages() -> list[str]:
    """Every page, by its path in the repository."""
    found = [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "CHANGELOG.md",
        *(ROOT / "docs").rglob("*.md"),
    ]
    return sorted({path.relative_to(ROOT).as_posix() for path in found} - AT_BUILD)


def blocks(page: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [_block(page, text, match) for match in FENCE.finditer(text)]


def prose(page: str) -> str:
    """A page without its fenced blocks."""
    return FENCE.sub("", (ROOT / page).read_text(encoding="utf-8"))


def _block(page: str, text: str, match: re.Match[str]) -> Block:
    language, *rest = shlex.split(match["info"]) or [""]
    options = dict(word.split("=", 1) for word in rest if "=" in word)
    flags = tuple(word for word in rest if "=" not in word)
    line = text.count("\n", 0, match.start()) + 1
    return Block(page, line, language, flags, options, match["text"])


@dataclass
class Reader:
    """Somebody who follows pages to the letter. `here` is the folder that they are in."""

    here: Path
    namespace: dict[str, Any] = field(default_factory=lambda: {"__name__": "page"})
    printed: str = ""
    """What the block before printed."""
    installed: list[str] = field(default_factory=list)

    def follow(self, page: str, runner: asyncio.Runner) -> None:
        """Do what a page says. Raises AssertionError with the page's line where it does not hold."""
        for block in blocks(page):
            if block.is_run:
                self._do(block, runner)

    def _do(self, block: Block, runner: asyncio.Runner) -> None:
        if "file" in block.options:
            path = self.here / block.options["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif "from" in block.options:
            excerpt(block)
        elif "output" in block.flags:
            expect(block.text, self.printed, block.place)
        elif block.language == "python":
            self._python(block, runner)
        elif block.language == "console":
            self._console(block)

    def _python(self, block: Block, runner: asyncio.Runner) -> None:
        source = "\n" * block.line + block.text
        code = compile(source, block.page, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)

        async def run() -> None:
            result = eval(code, self.namespace)
            if inspect.isawaitable(result):
                await result

        with self._printing():
            runner.run(run())

    def _console(self, block: Block) -> None:
        said = list(commands(block))
        for number, (command, output) in enumerate(said, 1):
            wanted = int(block.options.get("exit", 0)) if number == len(said) else 0
            with self._printing():
                code = self._command(command, block.place)
            assert code == wanted, f"{block.place}: {command!r} exits with {code}:\n{self.printed}"
            if output.strip():
                expect(output, self.printed, f"{block.place}: {command!r}")

    def _command(self, command: str, place: str) -> int:
        given, bar, last = command.rpartition(" | ")
        words = shlex.split(last)
        stdin = self._cat(given) if bar else b""
        if words[0] == "cd":
            self.here = self.here / words[1]
            os.chdir(self.here)
            return 0
        if words[0] == "agentdebate":
            with _standard_input(stdin):
                return agentdebate(words[1:])
        if words[:3] == ["pip", "install", "-e"]:
            return self._install()
        if words[0] == "python":
            return self._process([sys.executable, *words[1:]])
        if words[0] == "pytest":
            return self._process([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words[1:]])
        assert words[0] in TOOLS, f"{place}: the test cannot run {words[0]!r}; mark the block with no-run"
        return self._process(words)

    def _cat(self, command: str) -> bytes:
        word, path = shlex.split(command)
        assert word == "cat", f"only cat can stand before a bar, not {word}"
        return (self.here / path).read_bytes()

    def _process(self, words: list[str]) -> int:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(self.installed)}
        done = subprocess.run(
            words, cwd=self.here, env=environment, capture_output=True, text=True, check=False
        )
        print(done.stdout + done.stderr)  # noqa: T201 - into what the block prints
        return done.returncode

    def _install(self) -> int:
        """Stand in for pip: what an editable install writes down, from the project's own pyproject.toml."""
        project = tomllib.loads((self.here / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        info = self.here / ".site" / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        info.mkdir(parents=True)
        head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        (info / "METADATA").write_text(head, encoding="utf-8")
        points = [
            "\n".join([f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())])
            for group, entries in project.get("entry-points", {}).items()
        ]
        (info / "entry_points.txt").write_text("\n".join(points), encoding="utf-8")
        self.installed = [str(self.here), str(info.parent)]
        sys.path[:0] = self.installed
        importlib.invalidate_caches()
        return 0

    @contextlib.contextmanager
    def _printing(self) -> Iterator[None]:
        """Keep what is printed meanwhile, on either stream, as a terminal would show it."""
        stream = io.StringIO()
        try:
            with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
                yield
        finally:
            self.printed = stream.getvalue()


def expect(wanted: str, printed: str, place: str) -> None:
    """Raise AssertionError where what was printed is not what the page says."""
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    fits = doctest.OutputChecker().check_output(wanted, printed, flags)
    assert fits, f"{place}: the page says\n{wanted}\nbut this was printed:\n{printed}"


def excerpt(block: Block) -> None:
    """Raise AssertionError where a line of the block does not stand in the file that it is from, in its order."""
    source = (ROOT / block.options["from"]).read_text(encoding="utf-8")
    lines = iter([_without_comment(line) for line in source.splitlines()])
    for line in block.text.splitlines():
        assert _without_comment(line) in lines, (
            f"{block.place}: {line.strip()!r} is not what {block.options['from']} says"
        )


def _without_comment(line: str) -> str:
    return line.partition("  #")[0].strip()


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with the output that the page gives for it."""
    text = block.text.replace("\\\n", " ")
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


@contextlib.contextmanager
def _standard_input(data: bytes) -> Iterator[None]:
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = before
