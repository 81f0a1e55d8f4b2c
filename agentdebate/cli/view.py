"""agentdebate view: a store's runs in the browser."""

import os
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console import say
from agentdebate.cli.options import STORE, StorePath
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
        str, Parameter(help="Where to listen: any but this machine's own needs --token.")
    ] = "127.0.0.1",
    port: Annotated[int | None, Parameter(help=f"The port [{PORT}, or another where that is taken].")] = None,
    open_browser: Annotated[
        bool, Parameter(name="--open", help="Open the browser.", negative="", show_default=False)
    ] = False,
    token: Annotated[
        str | None,
        Parameter(help=f"What everybody has to show who reads, of 16 characters at least [{TOKEN}]."),
    ] = None,
) -> int:
    """Show runs, debates and what they cost in the browser, until Ctrl-C. Nothing is written.

    Parameters
    ----------
    run
        The run to open first, or the beginning of its name; "last" is the newest [all runs].

    """
    serve(
        run,
        store=store,
        host=host,
        port=port,
        token=token or os.environ.get(TOKEN) or None,
        open_browser=open_browser,
        ready=lambda url: say(f"{url} shows {store}; Ctrl-C ends it"),
    )
    return 0
