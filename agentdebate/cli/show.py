"""agentdebate show: a run's summary, one debate's transcript, who saw what."""

from functools import partial

from agentdebate.cli.console.output import console, one_line, out_json, say
from agentdebate.cli.console.output import show as print_blocks
from agentdebate.cli.console.run_page import show_run
from agentdebate.cli.options.common import STORE, Json, StorePath
from agentdebate.codec import plain
from agentdebate.errors import StoreError, UsageError
from agentdebate.report.transcript_text import (
    ItemText,
    LiveView,
    outcome_blocks,
    prompt_blocks,
    sight_table,
    texts_of,
)
from agentdebate.store.damage import naming
from agentdebate.store.reader import LAST, Reader
from agentdebate.store.stored_run import open_store
from agentdebate.talk.envelope import message_data


def show(
    run: str = LAST,
    debate: str | None = None,
    /,
    *,
    who: bool = False,
    prompts: bool = False,
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """Show a run, or one debate of it.

    Example: agentdebate show last A0/M11/coherence --who

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.
    debate
        A debate of the run (an item and an aspect), or an item for all debates about it.
    who
        Show which messages each model call was shown.
    prompts
        Show what the models were sent, word for word.

    """
    if debate is None and (who or prompts):
        raise UsageError(f"--{'who' if who else 'prompts'} is about one debate: name it behind the run")
    with open_store(store) as held, naming(held.reader.place):
        reader = held.reader
        head = reader.run(run, counted=debate is None)
        if debate is None:
            return show_run(reader, head, store, as_json=as_json)
        found = reader.named(head.id, debate)
        if not found:
            raise reader.unknown(head.id, debate)
        for name in found:
            if as_json:
                _print_json(reader, head.id, name)
            else:
                _print_debate(reader, head.id, name, who=who, prompts=prompts)
    return 0


def _print_debate(reader: Reader, run: str, debate: str, *, who: bool, prompts: bool) -> None:
    """Print what was said, what came of it, and on request who saw what and what models were sent."""
    messages = reader.messages(run, debate)
    texts = partial(_texts, reader, run)
    view = LiveView(console(), numbered=who, texts=texts)
    for message in messages:
        view(message)
    calls = reader.calls(run, debate)
    print_blocks(outcome_blocks(debate, messages, calls, reader.row(run, debate)))
    if who:
        print_blocks([sight_table(messages, calls)])
    if prompts:
        print_blocks(prompt_blocks(messages, calls))


def _texts(reader: Reader, run: str, item: str) -> tuple[ItemText, ...]:
    """Read the texts of an item; none where they are damaged, which is said: the debate can be read without."""
    try:
        found = reader.item(run, item)
        tasks = reader.run(run, counted=False).tasks()
    except (StoreError, UsageError) as error:
        say(one_line(f"warning: the texts of {item} cannot be shown: {error}"))
        return ()
    return texts_of(found, tasks.get(found.task))


def _print_json(reader: Reader, run: str, debate: str) -> None:
    messages, calls = reader.messages(run, debate), reader.calls(run, debate)
    out_json(
        {
            "debate": debate,
            "messages": [message_data(message) for message in messages],
            "calls": [{**vars(call), "completion": plain(call.completion)} for call in calls],
        }
    )
