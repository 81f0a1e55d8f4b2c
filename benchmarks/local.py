"""What a small real model makes of every strategy: how many replies are read at first, asked for again, or never read.

It takes an hour on two cores, so it runs only where it is named. --write writes docs/reference/on-a-real-model.md; --strategies and
--tasks take names with commas between them; --kept FOLDER keeps every call, to be read by people, and what was counted: what is there
already is not held again.
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import reduce
from itertools import groupby
from pathlib import Path
from typing import Literal

import anyio

from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.ballots.repetition import repetition
from agentdebate.debates.ready import ready
from agentdebate.debates.record import Record
from agentdebate.errors import ContentError, StrategyError, UsageError
from agentdebate.models.base import Call, Model, Sampling
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import Prompts
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.load import strategy
from agentdebate.tasks import Item
from benchmarks.local_model import local_model
from benchmarks.page import PAGES, write_parts

PAGE = PAGES / "reference" / "on-a-real-model.md"
Held = Literal["schema", "text"]
FORMS: tuple[Held, Held] = "schema", "text"
SOURCE = (
    "The council voted on Tuesday to repair the swing bridge. Work begins in March and takes eleven weeks."
)
TALK = "A: The bridge is shut from March. B: Again? How do I get to work then?"
ITEMS: Mapping[str, Mapping[str, str]] = {
    "summarization": {
        "source": SOURCE,
        "summary": "The bridge is repaired.",
        "reference": "Repairs begin in March.",
    },
    "summarization-pair": {
        "source": SOURCE,
        "summary_1": "The swing bridge will be repaired from March.",
        "summary_2": "There was a vote on Tuesday.",
        "reference": "Repairs begin in March.",
    },
    "comparison": {
        "question": "When does the work on the bridge begin?",
        "answer_1": "It begins in March.",
        "answer_2": "Nobody knows.",
        "reference": "In March.",
    },
    "dialogue": {
        "dialogue": TALK,
        "fact": "Buses use the ring road.",
        "response": "Take the bus.",
        "reference": "By bus.",
    },
    "dialogue-pair": {
        "dialogue": TALK,
        "fact": "Buses use the ring road.",
        "response_1": "Take the bus, it uses the ring road.",
        "response_2": "I like bridges.",
        "reference": "By bus.",
    },
    "story": {
        "prompt": "A bridge that talks.",
        "story": "The bridge sighed. Nobody had crossed it for weeks.",
        "reference": "-",
    },
}
"""A short item of our own for each task."""
LENGTH = 160
"""Tokens that a reply may have."""
DEADLINE = 3600.0
"""Seconds for a debate: a machine that has other work is slow, and no failure of ours."""
AT_ONCE = 6
SLOTS = 4


@dataclass(frozen=True, slots=True)
class Account:
    """What became of questions: each is read at first, read after it was asked again, or failed."""

    debates: int = 0
    verdicts: int = 0
    first: int = 0
    again: int = 0
    failed: int = 0
    cut: int = 0
    """Failed questions whose last reply was cut at the token limit."""
    loops: int = 0
    """Replies that ended in a loop."""
    tokens: int = 0
    seconds: float = 0.0

    def __add__(self, other: "Account") -> "Account":
        names = self.__slots__
        return Account(*(getattr(self, name) + getattr(other, name) for name in names))

    def row(self) -> str:
        """The figures as cells of a table."""
        figures = (
            self.debates,
            self.verdicts,
            self.first,
            self.again,
            self.failed,
            self.cut,
            self.loops,
            self.tokens,
        )
        return " | ".join([*map(str, figures), f"{self.seconds:.0f}"])


def account(record: Record) -> Account:
    """What became of the questions of one debate."""
    answered = {
        getattr(message, "answers", None) for message in record.transcript if message.kind != "failure"
    }
    first = again = failed = cut = 0
    for ask, some in groupby(sorted(record.calls, key=lambda call: call.ask), key=lambda call: call.ask):
        calls = list(some)
        tries = max(call.attempt for call in calls)
        first += ask in answered and tries == 1
        again += ask in answered and tries > 1
        failed += ask not in answered
        cut += ask not in answered and calls[-1].completion.finish == "length"
    loops = sum(repetition(call.completion.text) is not None for call in record.calls)
    tokens = sum(call.completion.usage.completion_tokens for call in record.calls)
    seconds = sum(call.completion.latency for call in record.calls)
    verdicts = int(record.verdict is not None)
    return Account(1, verdicts, first, again, failed, cut, loops, tokens, seconds)


def tasks_of(name: str, project: Project) -> list[str]:
    """The tasks that a strategy can judge by their first aspect."""
    chosen, prompts, found = strategy(name, project=project), Prompts(project), list[str]()
    for task in map(prompts.task, ITEMS):
        try:
            chosen.check(task, task.aspects[:1])
        except StrategyError:
            continue
        found.append(task.name)
    return found


def _short(name: str, project: Project) -> Strategy:
    """A strategy of one round, two samples and one recruit of a kind, where it has such options."""
    chosen, options = strategy(name, project=project), dict[str, int]()
    for option, value in (("rounds", 1), ("samples", 2), ("k", 1)):
        with suppress(UsageError, ContentError):
            chosen = strategy(name, project=project, **options, **{option: value})
            options[option] = value
    return chosen


async def hold(
    name: str, task_name: str, form: Held, model: Model, *, length: int = LENGTH, patience: int = 2
) -> Record:
    """One debate on a task's first aspect at a temperature of 0, of one round where the strategy talks in rounds."""
    project = Project()
    chosen = _short(name, project)
    task = Prompts(project).task(task_name)
    sampling = Sampling(max_tokens=length, temperature=0, seed=1)
    settings = DebateSettings(form=form, patience=patience, sampling=sampling, deadline=DEADLINE)
    async with ready(chosen, model=model, project=project, settings=settings) as debate:
        return await debate.hold(
            Item(id="bridge", task=task.name, fields=dict(ITEMS[task_name])), task.aspects[0].name
        )


async def accounts(
    cells: Iterable[tuple[str, str, Held]], model: Model, kept: Path | None
) -> dict[tuple[str, str, Held], Account]:
    """The accounts of these debates, several of which are held at once."""
    found: dict[tuple[str, str, Held], Account] = {}
    at_once = anyio.CapacityLimiter(AT_ONCE)

    async def one(name: str, task: str, form: Held) -> None:
        async with at_once:
            record = await hold(name, task, form, model)
        found[name, task, form] = counted = account(record)
        print(f"{name} {task} {form}: {record.failure.reason if record.failure else 'verdict'}", flush=True)
        if kept is not None:
            (kept / f"{name}.{task}.{form}.txt").write_text(transcript(record.calls), encoding="utf-8")
            (kept / f"{name}.{task}.{form}.json").write_text(json.dumps(asdict(counted)), encoding="utf-8")

    async with anyio.create_task_group() as group:
        for cell in cells:
            if kept is not None and (before := kept / f"{'.'.join(cell)}.json").is_file():
                found[cell] = Account(**json.loads(before.read_text(encoding="utf-8")))
            else:
                group.start_soon(one, *cell)
    return found


def transcript(calls: Sequence[Call]) -> str:
    """Every call as people read it: what was asked, and what came back."""
    lines = []
    for call in calls:
        lines.append(
            f"######## {call.agent}, ask {call.ask}, attempt {call.attempt}, {call.completion.finish}"
        )
        lines += [f"---- {message.role}\n{message.content}" for message in call.request.messages]
        lines.append(f"---- REPLY\n{call.completion.text}\n")
    return "\n".join(lines)


HEAD = "debates | verdicts | read at first | asked again | failed | of these cut | loops | tokens | seconds"


def table(title: str, rows: Mapping[str, Account]) -> str:
    """A table of accounts, with their sum."""
    total = reduce(Account.__add__, rows.values(), Account())
    cells = [f"| {name} | {one.row()} |" for name, one in [*rows.items(), ("**all**", total)]]
    return "\n".join([f"| {title} | {HEAD} |", f"| --- |{' ---: |' * 9}", *cells])


def tables(found: Mapping[tuple[str, str, Held], Account]) -> dict[str, str]:
    """The page's tables: by strategy and by task, for both forms."""
    parts = {}
    for form in FORMS:
        for title, place in (("strategy", 0), ("task", 1)):
            names = sorted({str(cell[place]) for cell in found if cell[2] == form})
            sums = {
                name: reduce(
                    Account.__add__,
                    (one for cell, one in found.items() if (cell[place], cell[2]) == (name, form)),
                )
                for name in names
            }
            parts[f"by {title}, {form}"] = table(title, sums)
    return parts


async def measured(arguments: argparse.Namespace) -> dict[tuple[str, str, Held], Account]:
    """The debates that the arguments name."""
    project = Project()
    names = arguments.strategies.split(",") if arguments.strategies else sorted(project.names("strategies"))
    tasks = arguments.tasks.split(",") if arguments.tasks else list(ITEMS)
    cells = [(n, t, f) for n in names for t in tasks_of(n, project) if t in tasks for f in FORMS]
    async with local_model(slots=SLOTS, context=4096, threads=arguments.threads) as model:
        return await accounts(cells, model, arguments.kept)


def main() -> int:
    """Hold the debates, print the tables, and write them into the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks local", description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--strategies", default="")
    parser.add_argument("--tasks", default="")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--kept", type=Path)
    arguments = parser.parse_args(sys.argv[2:])
    if arguments.kept is not None:
        arguments.kept.mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()
    found = asyncio.run(measured(arguments))
    parts = tables(found)
    print("\n\n".join(f"{name}\n\n{part}" for name, part in parts.items()))
    print(json.dumps({"debates": len(found), "wall": round(time.perf_counter() - started)}))
    if arguments.write:
        write_parts(PAGE, "local", parts)
    return 0
