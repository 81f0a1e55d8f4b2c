"""Replies of a small real model to the strategies: how many are read at first, asked for again, or never read, and why.

The strategies that people begin with judge five items each as published, the others one item by schema. It takes an hour or two on two
cores, so it runs only where it is named. --write writes docs/reference/on-a-real-model.md; --strategies takes names with commas between
them; --kept FOLDER keeps every call, to be read by people, and what was counted: what is there already is not held again.
"""

import argparse
import asyncio
import json
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import reduce
from itertools import groupby
from pathlib import Path
from typing import Literal

import anyio

from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.ballots.repetition import copies, repetition
from agentdebate.debates.ready import ready
from agentdebate.debates.record import Record
from agentdebate.errors import ContentError, StrategyError, UsageError
from agentdebate.models.base import Call, Model, Sampling
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import Prompts
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.load import strategy
from agentdebate.tasks import Item
from benchmarks.aim import table
from benchmarks.local_model import local_model
from benchmarks.page import PAGES, write_parts

PAGE = PAGES / "reference" / "on-a-real-model.md"
Held = Literal["schema", "text"]
FORMS: tuple[Held, Held] = "schema", "text"
BEGIN_WITH = (
    "solo",
    "debate",
    "debate-tiebreaker",
    "chateval",
    "chateval-one-by-one",
    "drpe",
    "fusion",
    "geval",
)
"""The strategies that `list strategies` shows."""
TEXTS = (
    (
        "When does the work on the bridge begin?",
        "The council voted on Tuesday to repair the swing bridge. Work begins in March and takes eleven weeks.",
        "The swing bridge will be repaired from March on.",
        "There was a vote on the harbour.",
    ),
    (
        "Why was the ferry late?",
        "Fog kept the morning ferry in port for two hours. Forty passengers were taken across by bus.",
        "Fog delayed the ferry, and passengers went by bus.",
        "The ferry sank in the morning.",
    ),
    (
        "What did the school plant?",
        "Pupils of the village school planted sixty apple trees behind the gym. The town pays for the water.",
        "Pupils planted sixty apple trees behind the gym.",
        "The gym was painted green by pupils.",
    ),
    (
        "Who won the chess match?",
        "Ida Holm won the chess match in Kelby after nine games. She is fifteen and the youngest winner so far.",
        "Ida Holm, fifteen, won the chess match in Kelby.",
        "Nine people played chess, and nobody won.",
    ),
    (
        "What closed the museum?",
        "A burst pipe flooded the cellar of the museum on Sunday. It stays closed until the paintings are dry.",
        "A burst pipe flooded the museum, which is closed.",
        "The museum sold its paintings on Sunday.",
    ),
)
"""Questions of our own, each with a text that answers it, a good summary, and a bad one."""
TASKS = "summarization", "summarization-pair", "comparison", "dialogue", "dialogue-pair", "story"
LENGTH = 400
"""Tokens that a reply may have."""
DEADLINE = 7200.0
"""Seconds for a debate: a machine that has other work is slow, and no failure of ours."""
AT_ONCE = 6
SLOTS = 4
_NAMED = re.compile(r"[a-z]{5,}")


def items(task: str) -> list[Item]:
    """The five items of a task, made from the texts."""
    made = []
    for number, (question, source, good, bad) in enumerate(TEXTS, 1):
        kinds: Mapping[str, Mapping[str, str]] = {
            "summarization": {"source": source, "summary": good},
            "summarization-pair": {"source": source, "summary_1": good, "summary_2": bad},
            "comparison": {"question": question, "answer_1": good, "answer_2": bad},
            "dialogue": {"dialogue": f"A: {question}", "fact": source, "response": good},
            "dialogue-pair": {"dialogue": f"A: {question}", "fact": source, "response_1": good, "response_2": bad},
            "story": {"prompt": question, "story": source},
        }  # fmt: skip
        made.append(Item(id=f"item-{number}", task=task, fields={**kinds[task], "reference": good}))
    return made


@dataclass(frozen=True, slots=True)
class Account:
    """Counts of some debates: a question is read at first, read after it was asked again, or failed for one reason."""

    debates: int = 0
    verdicts: int = 0
    first: int = 0
    again: int = 0
    cut: int = 0
    looped: int = 0
    unread: int = 0
    """Failed questions whose last reply was cut at the token limit; ended in a loop; neither."""
    scores: tuple[str, ...] = ()
    """The verdicts, to tell how many differ."""
    reasons: int = 0
    naming: int = 0
    """Ballots with a reason, and those whose reason has a word of five letters or more that is in the item."""
    copied: int = 0
    """Replies that repeat a stretch of the prompt."""

    def __add__(self, other: "Account") -> "Account":
        return Account(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(Account)))

    @property
    def failed(self) -> int:
        """The questions that were never answered."""
        return self.cut + self.looped + self.unread

    def cells(self, name: str) -> tuple[str, ...]:
        """The figures as cells of a table."""
        why = f"{self.failed}: {self.cut}, {self.looped}, {self.unread}" if self.failed else "0"
        shown = (self.verdicts, self.first, self.again, why, len(set(self.scores)))
        return (
            name,
            str(self.debates),
            *map(str, shown),
            f"{self.naming} of {self.reasons}",
            str(self.copied),
        )


HEAD = (
    "strategy", "debates", "verdicts", "read at first", "asked again", "failed: cut, loop, else", "verdicts that differ",
    "reasons that name a word of the item", "replies that copy the prompt",
)  # fmt: skip


def account(record: Record) -> Account:
    """The counts of one debate."""
    answered = {getattr(one, "answers", None) for one in record.transcript if one.kind != "failure"}
    found = Account(
        debates=1, verdicts=int(record.verdict is not None), copied=sum(map(_copied, record.calls))
    )
    for ask, some in groupby(sorted(record.calls, key=lambda call: call.ask), key=lambda call: call.ask):
        found += _question([*some], answered=ask in answered)
    if record.verdict is None:
        return found
    said = record.verdict.winner or json.dumps(record.scores)
    reasons = [cast.ballot.reason for cast in record.verdict.ballots if cast.ballot.reason]
    words = set(_NAMED.findall(" ".join(record.item.fields.values()).lower()))
    naming = sum(not words.isdisjoint(_NAMED.findall(one.lower())) for one in reasons)
    return replace(found, scores=(said,), reasons=len(reasons), naming=naming)


def _question(calls: Sequence[Call], *, answered: bool) -> Account:
    last = calls[-1].completion
    if answered:
        tries = max(call.attempt for call in calls)
        return Account(first=int(tries == 1), again=int(tries > 1))
    if last.finish == "length":
        return Account(cut=1)
    return Account(looped=1) if repetition(last.text) else Account(unread=1)


def _copied(call: Call) -> bool:
    return copies(
        call.completion.text, [one.content for one in call.request.messages if one.role != "assistant"]
    )


def tasks_of(name: str, project: Project) -> list[str]:
    """The tasks that a strategy can judge by their first aspect."""
    chosen, prompts, found = strategy(name, project=project), Prompts(project), list[str]()
    for task in map(prompts.task, TASKS):
        with suppress(StrategyError):
            chosen.check(task, task.aspects[:1])
            found.append(task.name)
    return found


def short(name: str, project: Project) -> Strategy:
    """A strategy of one round, two samples and one recruit of a kind, where it has such options."""
    chosen, options = strategy(name, project=project), dict[str, int]()
    for option, value in (("rounds", 1), ("samples", 2), ("k", 1)):
        with suppress(UsageError, ContentError):
            chosen = strategy(name, project=project, **options, **{option: value})
            options[option] = value
    return chosen


async def hold(
    chosen: Strategy, item: Item, form: Held, model: Model, *, length: int = LENGTH, patience: int = 2
) -> Record:
    """One debate on the first aspect of an item's task, at the temperature of the strategy."""
    project = Project()
    task = Prompts(project).task(item.task)
    sampling = Sampling(max_tokens=length, seed=1)
    settings = DebateSettings(form=form, patience=patience, sampling=sampling, deadline=DEADLINE)
    async with ready(chosen, model=model, project=project, settings=settings) as debate:
        return await debate.hold(item, task.aspects[0].name)


class Tally:
    """The accounts of debates by strategy and form, of which several are held at once."""

    def __init__(self, model: Model, kept: Path) -> None:
        self.found: dict[tuple[str, Held], Account] = {}
        self._model, self._kept, self._at_once = model, kept, anyio.CapacityLimiter(AT_ONCE)

    async def one(self, name: str, item: Item, form: Held) -> None:
        """Hold a debate, or take what was kept of it."""
        async with self._at_once:
            kept = self._kept / f"{name}.{item.id}.{form}.json"
            if not kept.is_file():
                record = await hold(strategy(name, project=Project()), item, form, self._model)
                print(f"{name} {item.id} {form}: {record}", flush=True)
                kept.with_suffix(".txt").write_text(transcript(record.calls), encoding="utf-8")
                kept.write_text(json.dumps(asdict(account(record))), encoding="utf-8")
            read = json.loads(kept.read_text(encoding="utf-8"))
            counted = Account(**{**read, "scores": tuple(read["scores"])})
            self.found[name, form] = self.found.get((name, form), Account()) + counted


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


async def measured(names: Sequence[str], threads: int, kept: Path) -> Mapping[tuple[str, Held], Account]:
    """Hold what each strategy holds: five items in both forms, or one by schema."""
    async with local_model(slots=SLOTS, context=4096, threads=threads, patience=DEADLINE) as model:
        tally = Tally(model, kept)
        async with anyio.create_task_group() as group:
            for name in names:
                begun = items(tasks_of(name, Project())[0])
                for item in begun if name in BEGIN_WITH else begun[:1]:
                    for form in FORMS if name in BEGIN_WITH else FORMS[:1]:
                        group.start_soon(tally.one, name, item, form)
    return tally.found


def tables(found: Mapping[tuple[str, Held], Account]) -> dict[str, str]:
    """The page's tables: the strategies to begin with in both forms, the others by schema, and how many turns are read."""
    others = sorted({name for name, _ in found} - {*BEGIN_WITH})
    parts = {f"begin, {form}": _table([(name, found[name, form]) for name in BEGIN_WITH if (name, form) in found]) for form in FORMS}  # fmt: skip
    parts["others"] = _table([(name, found[name, "schema"]) for name in others])
    schema = reduce(Account.__add__, (one for (_, form), one in found.items() if form == "schema"), Account())
    read, whole = schema.first + schema.again, schema.first + schema.again + schema.looped + schema.unread
    parts["read"] = (
        f"By schema {read} of {whole} turns that were not cut are read ({read / max(whole, 1):.1%}; the aim is 95 %)."
    )
    return parts


def _table(rows: Sequence[tuple[str, Account]]) -> str:
    total = reduce(Account.__add__, (one for _, one in rows), Account())
    return "\n".join(table(HEAD, [one.cells(name) for name, one in [*rows, ("**all**", total)]]))


def main() -> int:
    """Hold the debates, print the tables, and write them into the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks local", description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--strategies", default=",".join(sorted(Project().names("strategies"))))
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--kept", type=Path, default=Path("build/local"))
    arguments = parser.parse_args(sys.argv[2:])
    arguments.kept.mkdir(parents=True, exist_ok=True)
    parts = tables(asyncio.run(measured(arguments.strategies.split(","), arguments.threads, arguments.kept)))
    print("\n\n".join(f"{name}\n\n{part}" for name, part in parts.items()))
    if arguments.write:
        write_parts(PAGE, "local", parts)
    return 0
