"""The prompts of every strategy as a model sees them, out of debates that are held with made-up words."""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.debates.debate import ready
from agentdebate.errors import StrategyError
from agentdebate.models.base import Call, Completion, ModelRequest
from agentdebate.models.function import Function
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import Prompts
from agentdebate.runs.rehearsal import MadeUp
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.load import strategy
from agentdebate.tasks import Aspect, Item, Task
from agentdebate.testing.chance import Draws
from agentdebate.testing.schemas import fitting

SOURCE = "The council voted on Tuesday to repair the swing bridge. Work begins in March."
FIELDS: Mapping[str, Mapping[str, str]] = {
    "summarization": {
        "source": SOURCE,
        "summary": "The bridge is repaired.",
        "reference": "Repairs begin in March.",
    },
    "comparison": {
        "question": "When does the work begin?",
        "answer_1": "In March.",
        "answer_2": "In May.",
        "reference": "March.",
    },
}
VARIANTS: Sequence[tuple[str, Mapping[str, str]]] = (
    ("debate", {"commander": "model"}),
    *(("solo", {"ballot": kind}) for kind in ("ranking", "approval", "points")),
    ("debate", {"ballot": "ranking", "commander": "model"}),
    ("solo", {"confidence": "asked"}),
    ("chateval-simultaneous", {"conversation": "chat"}),
)
"""Options that change what a model sees."""
ROLE = "Your role: "
"""With these words begins what only one agent is told."""
FENCE = "````"


@dataclass
class Shown:
    """What has been printed, by its words, and where: what comes again is referred to."""

    places: dict[str, str] = field(default_factory=dict)

    def place(self, text: str, here: str) -> str | None:
        """Where this text stands already; None where it is new, and from now on stands here."""
        known = self.places.get(text)
        if known is None:
            self.places[text] = here
        return known


def rendered_prompts() -> Iterator[str]:
    """Each purpose of each strategy: what the system and the user say, and the schema."""
    yield "# Prompts as a model sees them\n"
    yield (
        "Every strategy is held with made-up replies, by schema and in free text. For each purpose this page has the first request of "
        "each role: the system message, the end of the user message, from the words that tell the agent who it is, and the JSON "
        "schema. Before that end the user message holds the talk, where there was any; its form is shown once. Where words are those "
        "of an earlier entry the entry is named. Behind the strategies come options that change the words.\n"
    )
    project, shown = Project(), Shown()
    usual: Sequence[tuple[str, Mapping[str, str]]] = [(name, {}) for name in project.names("strategies")]
    for strategy_name, options in (*usual, *VARIANTS):
        name = ", ".join([strategy_name, *(f'{option} = "{value}"' for option, value in options.items())])
        chosen = strategy(strategy_name, project=project, **options)
        task = _task_of(chosen, Prompts(project))
        by_schema, as_text = (
            _first_of_each(asyncio.run(_calls(chosen, task, project, structured=structured)), project)
            for structured in (True, False)
        )
        yield f"## {name}\n"
        for key, call in by_schema.items():
            yield from _entry(name, key, call.request, as_text[key].request, shown)


def _task_of(chosen: Strategy, prompts: Prompts) -> Task:
    single = prompts.task("summarization")
    try:
        chosen.check(single, _aspects_of(chosen, single))
    except StrategyError:
        return prompts.task("comparison")
    return single


def _aspects_of(chosen: Strategy, task: Task) -> tuple[Aspect, ...]:
    """One aspect, or all where the strategy judges them together."""
    usual = task.choose(None)
    return usual if chosen.judges_together() else usual[:1]


async def _calls(chosen: Strategy, task: Task, project: Project, *, structured: bool) -> Sequence[Call]:
    """The calls of one debate on one aspect, or on all where the strategy judges them together."""
    made_up, count = MadeUp(), 0

    def reply(request: ModelRequest) -> Completion:
        nonlocal count
        if request.schema is None:
            return made_up.reply(request)
        count += 1
        text = json.dumps(fitting(request.schema, Draws(count)))
        plain = made_up.reply(request)
        return plain.model_copy(
            update={"text": text, "others": (text,) * len(plain.others), "structured": True}
        )

    model = Function("rehearsal", reply, structured=structured)
    settings = DebateSettings(tasks={task.name: task}, rehearsal=True)
    async with ready(
        chosen, model=model, project=project, opener=lambda _: model, settings=settings
    ) as debate:
        aspects = [aspect.name for aspect in _aspects_of(chosen, task)]
        item = Item(id="item", task=task.name, fields=dict(FIELDS[task.name]))
        record = await debate.hold(item, aspects)
    return record.calls


def _first_of_each(calls: Sequence[Call], project: Project) -> dict[tuple[str, str], Call]:
    """The first call of each purpose and persona, by both; recruits are all one persona."""
    cards, found = project.names("agents"), dict[tuple[str, str], Call]()
    for call in calls:
        context = call.request.context
        assert context is not None
        found.setdefault((context.purpose, context.card if context.card in cards else "recruited"), call)
    return found


def _entry(
    name: str, key: tuple[str, str], request: ModelRequest, in_text: ModelRequest, shown: Shown
) -> Iterator[str]:
    purpose, card = key
    here = f"{name}: {purpose}, {card}"
    yield f"### {here}\n"
    for message in request.messages[:-1]:
        yield from _text("System", message.content, here, shown)
    user = request.messages[-1].content
    before, role, end = user.rpartition(ROLE)
    if before.strip() and "talk" not in shown.places:
        shown.places["talk"] = here
        yield from _text("The user's message begins with the talk", before.strip(), here, shown)
    yield from _text("User", role + end, here, shown)
    if request.schema is not None:
        yield from _text("Schema", json.dumps(request.schema, ensure_ascii=False), here, shown)
        other = in_text.messages[-1].content.rpartition(ROLE)[2]
        yield from _text("In free text the user's message ends with", _unlike(end, other), here, shown)


def _unlike(text: str, other: str) -> str:
    """The other text from the first line on that is not the same."""
    ours, theirs = text.splitlines(), other.splitlines()
    same = next(
        (at for at, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]), len(ours)
    )
    return "\n".join(theirs[same:])


def _text(title: str, text: str, here: str, shown: Shown) -> Iterator[str]:
    known = shown.place(f"{title} {text}", here)
    if known is not None:
        yield f"{title}: as in *{known}*.\n"
    else:
        yield f"{title}:\n\n{FENCE}text\n{text.strip()}\n{FENCE}\n"
