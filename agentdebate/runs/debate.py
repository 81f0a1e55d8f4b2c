"""One debate: a judge that is open for one item, in the caller's own event loop."""

from collections.abc import Sequence
from typing import Unpack

from agentdebate.agents.debate_settings import USUAL, DebateChanges, DebateSettings
from agentdebate.errors import UsageError
from agentdebate.models.base import Model
from agentdebate.project.project import Project
from agentdebate.strategies.base import Strategy
from agentdebate.talk.bus import Listener, listeners_in
from agentdebate.talk.messages import Verdict
from agentdebate.tasks import Item


async def debate(
    item: Item,
    strategy: Strategy | str,
    *,
    model: Model | str = "offline",
    aspects: Sequence[str] | str | None = None,
    project: Project | None = None,
    listeners: Sequence[Listener] = (),
    settings: DebateSettings | None = None,
    **changes: Unpack[DebateChanges],
) -> Verdict:
    """Judge one item by debate: `Judge` keeps what this opens and closes.

    `aspects` are the task's aspects to be judged; several are judged together in one debate, None means the
    usual ones. How the debate is held is said by `settings`, by the fields of DebateSettings as keywords, such as
    `deadline=60`, or by both: keywords go before. Raises the error that ended the debate where it ends without a verdict: a
    DebateError or a ModelError, and UsageError for what is not an item.
    """
    from agentdebate.runs.open_judge import JudgeOptions, open_judge  # brings what holds debates along

    if not isinstance(item, Item):
        raise UsageError(f"a debate is about one Item(task=..., fields={{...}}), not {item!r:.80}")
    how = (settings or USUAL).but(**changes)
    options = JudgeOptions(
        strategy, model, how, aspects=aspects, project=project, listeners=listeners_in(listeners)
    )
    async with open_judge(options) as judge:
        return (await judge.hold(item)).result()
