"""The prompts of every strategy as a model sees them, out of debates that are held with made-up words."""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.debates.ready import ready
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

MADE_UP = "rehearsal"
SOURCE = "The council voted on Tuesday to repair the swing bridge. Work begins in March."
TEXTS: Mapping[str, str] = {
    "source": SOURCE,
    "summary": "The bridge is repaired.",
    "summary_1": "The bridge is repaired.",
    "summary_2": "Work on the bridge begins in March.",
    "reference": "Repairs begin in March.",
    "question": "When does the work begin?",
    "answer_1": "In March.",
    "answer_2": "In May.",
    "dialogue": "A: Is the bridge open?\nB: Not before summer.",
    "response": "Then I take the ferry.",
    "response_1": "Then I take the ferry.",
    "response_2": "Good.",
    "fact": "The ferry sails every hour.",
    "prompt": "A ferryman and a bridge.",
    "story": "When the bridge opened he sold the ferry, and bought the toll house.",
}
"""What the fields of the built-in tasks hold here."""
VARIANTS: Sequence[tuple[str, Mapping[str, str]]] = (
    ("debate", {"commander": "model"}),
    *(("solo", {"ballot": kind}) for kind in ("ranking", "approval", "points", "spans")),
    ("debate", {"ballot": "ranking", "commander": "model"}),
    ("solo", {"confidence": "asked"}),
    ("fusion", {"reasons": "each"}),
)
"""Options that change what a model sees."""
QUESTIONS_BACK: Sequence[tuple[str, Completion]] = (
    ("A reply that cannot be read", Completion(text="It depends.", model=MADE_UP)),
    ("A reply that says the same again and again", Completion(text="The text is good. " * 80, model=MADE_UP)),
    ("A reply that was cut at its longest", Completion(text=SOURCE, model=MADE_UP, finish="length")),
)
"""Replies after which an agent is asked again."""
ROLE = "Your role: "
"""With these words begins what only one agent is told."""
TASK_SHOWN = ("solo", "score", "scorer")
"""The strategy, purpose and persona by which tasks are shown."""
FENCE = "````"


@dataclass
class Shown:
    """What has been printed, by its words, and where: what comes again is referred to."""

    places: dict[str, str] = field(default_factory=dict)
    kinds: set[tuple[str, str]] = field(default_factory=set)
    """The kinds of message that a talk has been shown with, and who said them."""

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
        "schema. Before that end the user message holds the talk, where there was any; it is shown where somebody is heard in it for the first "
        "time, or says something of a new kind. Where words are those of an earlier entry the entry is named. Behind the strategies come "
        "options that change the words, all tasks, and what is asked where a reply is of no use.\n"
    )
    project, shown = Project(), Shown()
    usual: Sequence[tuple[str, Mapping[str, str]]] = [(name, {}) for name in project.names("strategies")]
    for strategy_name, options in (*usual, *VARIANTS):
        yield from _section(strategy_name, options, project, shown)
    yield from _tasks(project)
    yield from _questions_back(project)


def _section(strategy_name: str, options: Mapping[str, str], project: Project, shown: Shown) -> Iterator[str]:
    """A strategy, with these options of it."""
    name = ", ".join([strategy_name, *(f'{option} = "{value}"' for option, value in options.items())])
    chosen = strategy(strategy_name, project=project, **options)
    task = task_of(chosen, Prompts(project))
    by_schema, as_text = (
        _first_of_each(_calls(chosen, task, project, structured=structured), project)
        for structured in (True, False)
    )
    yield f"## {name}\n"
    if not by_schema:
        yield "No model is asked.\n"
    for key, call in by_schema.items():
        yield from _entry(name, key, call.request, as_text[key].request, shown)


def _tasks(project: Project) -> Iterator[str]:
    """What the system message says of every task."""
    yield "## Tasks\n"
    yield "What every agent is told of an item of each task, here where all aspects are judged in one debate.\n"
    prompts = Prompts(project)
    for name in project.names("prompts/tasks"):
        task = prompts.task(name)
        chosen = strategy(TASK_SHOWN[0], project=project)
        call, *_ = _calls(chosen, task, project, structured=True, aspects=task.choose(None))
        yield f"### {name}\n"
        yield from _block("System", call.request.messages[0].content)


def _questions_back(project: Project) -> Iterator[str]:
    """What is said to an agent whose reply was of no use."""
    yield "## Questions back\n"
    yield (
        "What is sent once more where a reply is of no use, behind the system message, which stays. A reply that repeats itself or was "
        "cut is left out, since a model goes on from what it sees.\n"
    )
    chosen = strategy(TASK_SHOWN[0], project=project)
    task = task_of(chosen, Prompts(project))
    for title, reply in QUESTIONS_BACK:
        _, again, *_ = _calls(chosen, task, project, structured=False, first=reply)
        yield f"### {title}\n"
        for message in again.request.messages[1:]:
            yield from _block(message.role.capitalize(), message.content)


def task_of(chosen: Strategy, prompts: Prompts) -> Task:
    """A task of single texts, or of texts that are compared for a strategy that only makes sense there."""
    single = prompts.task("summarization")
    try:
        chosen.check(single, chosen.asked(_aspects_of(chosen, single)))
    except StrategyError:
        return prompts.task("comparison")
    return single


def _aspects_of(chosen: Strategy, task: Task) -> tuple[Aspect, ...]:
    """One aspect, or all where the strategy judges them together."""
    usual = task.choose(None)
    return usual if chosen.judges_together() else usual[:1]


def _calls(
    chosen: Strategy,
    task: Task,
    project: Project,
    *,
    structured: bool,
    aspects: Sequence[Aspect] | None = None,
    first: Completion | None = None,
) -> Sequence[Call]:
    """The calls of one debate on these aspects [those that the strategy judges together], where the first reply is `first`."""
    made_up, numbers, replies = MadeUp(), count(1), [first] if first else []
    names = [aspect.name for aspect in aspects or _aspects_of(chosen, task)]

    def reply(request: ModelRequest) -> Completion:
        return replies.pop() if replies else _made_up(made_up, request, next(numbers))

    async def held() -> Sequence[Call]:
        model = Function(MADE_UP, reply, structured=structured)
        settings = DebateSettings(tasks={task.name: task}, rehearsal=True)
        made = ready(chosen, model=model, project=project, opener=lambda _: model, settings=settings)
        async with made as debate:
            fields = {name: TEXTS[name] for name in (*task.fields, *task.optional) if name in TEXTS}
            item = Item(id="item", task=task.name, fields={**fields, "reference": TEXTS["reference"]})
            return (await debate.hold(item, names)).calls

    return asyncio.run(held())


def _made_up(made_up: MadeUp, request: ModelRequest, number: int) -> Completion:
    """A reply that can be read: by the schema where there is one."""
    plain = made_up.reply(request)
    if request.schema is None:
        return plain
    text = json.dumps(fitting(request.schema, Draws(number)))
    return replace(plain, text=text, others=(text,) * len(plain.others), structured=True)


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
        yield from _text(message.role.capitalize(), message.content, here, shown)
    before, role, end = request.messages[-1].content.rpartition(ROLE)
    if before.strip() and _is_new(request, shown):
        yield from _text("The user's message begins with the talk", before.strip(), here, shown)
    yield from _text("User", role + end, here, shown)
    if request.schema is not None:
        yield from _text("Schema", json.dumps(request.schema, ensure_ascii=False), here, shown)
        other = in_text.messages[-1].content.rpartition(ROLE)[2]
        yield from _text("In free text the user's message ends with", _unlike(end, other), here, shown)


def _is_new(request: ModelRequest, shown: Shown) -> bool:
    """Whether something in the talk is of a kind, or of a speaker, that no talk before had; from now on it is known."""
    assert request.context is not None
    heard = {(one.kind, one.sender) for one in request.context.heard}
    new = heard - shown.kinds
    shown.kinds |= new
    return bool(new)


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
        yield from _block(title, text)


def _block(title: str, text: str) -> Iterator[str]:
    yield f"{title}:\n\n{FENCE}text\n{text.strip()}\n{FENCE}\n"
