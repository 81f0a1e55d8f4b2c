"""agentdebate show: a run's summary, one debate's transcript, who saw what."""

from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.debate_page import DebatePage
from agentdebate.cli.console.run_page import show_run
from agentdebate.cli.options.common import STORE, Json, StorePath
from agentdebate.errors import UsageError
from agentdebate.store.damage import naming
from agentdebate.store.reader import LAST
from agentdebate.store.stored_run import open_store


def show(
    run: str = LAST,
    debate: str | None = None,
    /,
    *,
    who: Annotated[
        bool,
        Parameter(help="Show which messages each model call was shown.", negative="", show_default=False),
    ] = False,
    prompts: Annotated[
        bool,
        Parameter(help="Show what the models were sent, word for word.", negative="", show_default=False),
    ] = False,
    graph: Annotated[
        bool,
        Parameter(
            help="Draw who heard whom in the debate, as Mermaid, and nothing else.",
            negative="",
            show_default=False,
        ),
    ] = False,
    follow: Annotated[
        bool,
        Parameter(
            help="Go on printing while another process holds the run, until it ends; with --json a line for each debate, or "
            "for each message of the one that is named.",
            negative="",
            show_default=False,
        ),
    ] = False,
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """Show a run, or one debate of it.

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.
    debate
        A debate of the run (an item and an aspect), or an item for all debates about it.

    """
    asked = [name for name, on in {"--graph": graph, "--who": who, "--prompts": prompts}.items() if on]
    if asked and debate is None:
        raise UsageError(f"{asked[0]} is about one debate: name it behind the run")
    if graph and follow:
        raise UsageError("--graph draws a debate as far as it came; leave out --follow")
    with open_store(store) as held, naming(held.reader.place):
        reader = held.reader
        head = reader.run(run, counted=debate is None or follow)
        page = DebatePage(reader, head.id, store, who=who, prompts=prompts)
        if follow:
            from agentdebate.cli.console.follow import (
                following,  # brings the engine along, which nothing else here needs
            )

            return following(page, head, debate, as_json=as_json)
        if debate is None:
            return show_run(reader, head, store, as_json=as_json)
        found = reader.named(head.id, debate)
        if not found:
            raise reader.unknown(head.id, debate)
        for name in found:
            if graph:
                page.print_graph(name, as_json=as_json)
            elif as_json:
                page.print_json(name)
            else:
                page.print(name)
    return 0
