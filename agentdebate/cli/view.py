"""agentdebate view: a store's runs in the browser."""

import os
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.output import say
from agentdebate.cli.options.common import STORE, StorePath
from agentdebate.datasets.named_values import names
from agentdebate.viewer.server import PORT
from agentdebate.viewer.server import view as serve

TOKEN = "AGENTDEBATE_VIEW_TOKEN"  # noqa: S105 - where a token is, and none itself
"""The variable that holds the token where it should not stand in a command line."""


def view(
    run: str | None = None,
    /,
    *,
    store: StorePath = STORE,
    host: Annotated[
        str, Parameter(help="Where to listen; 0.0.0.0 is every address of this machine.")
    ] = "127.0.0.1",
    port: Annotated[int | None, Parameter(help=f"The port [{PORT}, or another where that is taken].")] = None,
    open_browser: Annotated[
        bool, Parameter(name="--open", help="Open the browser.", negative="", show_default=False)
    ] = False,
    token: Annotated[
        str | None,
        Parameter(
            help="The token in the address, of 16 characters at least, without which no page is shown; other users of this machine "
            f"can see an option, and not the variable [{TOKEN}, or else a new one at each start]."
        ),
    ] = None,
    label: Annotated[
        Path | None,
        Parameter(
            help="Label the run's items blind, with the keyboard; each label is appended to this file, which agree reads."
        ),
    ] = None,
    seed: Annotated[int, Parameter(help="With --label: the seed of the order of the items.")] = 0,
    data: Annotated[
        str | None, Parameter(help="With --label: a file whose items are labelled, in place of a run's.")
    ] = None,
    task: Annotated[str | None, Parameter(help="With --data: the task of its items.")] = None,
    aspects: Annotated[
        str | None,
        Parameter(help="With --label: the aspects, with commas [the run's, or the task's usual ones]."),
    ] = None,
) -> int:
    """Show runs, debates and what they cost in the browser, until Ctrl-C. Nothing is written but the file of --label.

    Parameters
    ----------
    run
        The run to open first, or the beginning of its name; "last" is the newest [all runs].

    """
    does = f"shows {store}" if label is None else f"asks for labels, and keeps them in {label}"
    serve(
        run,
        store=store,
        host=host,
        port=port,
        token=token or os.environ.get(TOKEN) or None,
        open_browser=open_browser,
        label=label,
        seed=seed,
        data=data,
        task=task,
        aspects=names(aspects) or None,
        ready=lambda url: say(f"{url} {does}; Ctrl-C ends it"),
    )
    return 0
