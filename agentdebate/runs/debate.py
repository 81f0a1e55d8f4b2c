"""One debate: a judge that is open for one item, in the caller's own event loop."""

from typing import Unpack

from agentdebate.errors import UsageError
from agentdebate.runs.settings import Settings, SettingsChanges
from agentdebate.strategies.base import Strategy
from agentdebate.talk.messages import Verdict
from agentdebate.tasks import Item


async def debate(
    item: Item,
    strategy: Strategy | str,
    *,
    settings: Settings | None = None,
    **changes: Unpack[SettingsChanges],
) -> Verdict:
    """Judge one item by debate: `Judge` keeps what this opens and closes.

    How the debate is held is said by `settings`, by the fields of Settings as keywords, such as `model="openai/gpt-6-luna"` or
    `deadline=60`, or by both: keywords go before. All `aspects` are judged together in one debate. Raises the error that ended the
    debate where it ends without a verdict: a DebateError or a ModelError, and UsageError for what is not an item.
    """
    from agentdebate.runs.open_judge import JudgeOptions, open_judge  # brings what holds debates along

    if not isinstance(item, Item):
        raise UsageError(f"a debate is about one Item(task=..., fields={{...}}), not {item!r:.80}")
    async with open_judge(JudgeOptions(strategy, Settings.given(settings, changes))) as judge:
        return (await judge.hold(item)).result()
