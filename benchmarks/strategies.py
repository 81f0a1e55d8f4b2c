"""What each built-in strategy spends on a verdict: calls, tokens, and the share that a prefix cache could serve.

Held over an item of about the size of the benchmarks, with
made-up replies of about 60 tokens. All rounds are used, so this is the most that a strategy takes.
"""

import asyncio
from os.path import commonprefix

from agentdebate.debates.record import Record
from agentdebate.errors import StrategyError
from agentdebate.models.base import ModelRequest
from agentdebate.models.tokens import count
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import Prompts
from agentdebate.runs.rehearsal import rehearse
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.load import strategy
from agentdebate.tasks import Item, Task

ARTICLE = (
    "The council of Kelby voted on Tuesday to repair the swing bridge over the harbour from March on. " * 24
)
SUMMARY = "Kelby repairs its swing bridge; work begins in March. " * 4


def text_of(request: ModelRequest) -> str:
    """A request as the endpoint reads it."""
    return "\n".join(message.content for message in request.messages)


def shared(record: Record) -> tuple[int, int]:
    """Characters of all requests, and how many of them begin as an earlier request of the debate did."""
    seen: list[str] = []
    total = cached = 0
    for call in record.calls:
        text = text_of(call.request)
        total += len(text)
        cached += max((len(commonprefix([text, earlier])) for earlier in seen), default=0)  # noqa: RUF071 - characters are meant
        seen.append(text)
    return total, cached


def item_for(task: Task) -> Item:
    """An item of about the benchmarks' size."""
    texts = {
        name: SUMMARY if name == task.judged or name in task.candidates else ARTICLE for name in task.fields
    }
    texts["reference"] = SUMMARY
    return Item(id="one", task=task.name, fields=texts)


def task_for(made: Strategy, prompts: Prompts) -> Task:
    """A task that the strategy can judge."""
    single = prompts.task("summarization")
    try:
        made.check(single, single.aspects[:1])
    except StrategyError:
        return prompts.task("comparison")
    return single


async def measure() -> None:
    """Print a row a strategy."""
    project = Project()
    prompts = Prompts(project)
    print(f"{'strategy':<24}{'calls':>6}{'prompt tokens':>15}{'completion':>12}{'prefix share':>14}")
    for name in project.names("strategies"):
        made = strategy(name, project=project)
        task = task_for(made, prompts)
        aspect = task.model_copy(update={"aspects": task.aspects[:1], "usual": ()})
        record = await rehearse(made, aspect, item=item_for(task), project=project)
        total, cached = shared(record)
        sent = sum(count(text_of(call.request)).n for call in record.calls)
        said = sum(count(call.completion.text).n for call in record.calls)
        print(f"{name:<24}{len(record.calls):>6}{sent:>15}{said:>12}{cached / max(total, 1):>14.0%}")
    print(f"tokens are {count('').method}s" if count("").method == "estimate" else "tokens are counted")


def main() -> None:
    """Run it."""
    asyncio.run(measure())
