"""agentdebate view: a store's runs in the browser."""

import os
from pathlib import Path
from typing import Annotated

from cyclopts import Group, Parameter

from agentdebate.cli.console.output import say
from agentdebate.cli.options.common import STORE, StorePath
from agentdebate.datasets.named_values import names
from agentdebate.viewer.server import view as serve

TOKEN = "AGENTDEBATE_VIEW_TOKEN"  # noqa: S105 - where a token is, and none itself
"""The variable that holds the token where it should not stand in a command line."""

LABELS = Group("Labelling")


def view(
    run: str | None = None,
    /,
    *,
    store: StorePath = STORE,
    host: str = "127.0.0.1",
    port: int | None = None,
    open_browser: Annotated[bool, Parameter(name="--open")] = False,
    token: str | None = None,
    label: Annotated[Path | None, Parameter(group=LABELS)] = None,
    seed: Annotated[int, Parameter(group=LABELS)] = 0,
    data: Annotated[str | None, Parameter(group=LABELS)] = None,
    task: Annotated[str | None, Parameter(group=LABELS)] = None,
    aspects: Annotated[str | None, Parameter(group=LABELS)] = None,
) -> int:
    """Show runs, debates and what they cost in the browser, until Ctrl-C. Nothing is written but the file of --label.

    Example: agentdebate view last --open

    Parameters
    ----------
    run
        The run to open first, or the beginning of its name; "last" is the newest [all runs].
    host
        Where to listen; 0.0.0.0 is every address of this machine.
    port
        The port [8270, or another where that is taken].
    open_browser
        Open the browser.
    token
        The token in the address, of 16 characters at least, without which no page is shown; other users of this machine can see an
        option, and not the variable [AGENTDEBATE_VIEW_TOKEN, or else a new one at each start].
    label
        Label the run's items blind, with the keyboard, those first on which it abstained; each label is appended to this file, which
        agree and calibrate read.
    seed
        The seed of the order of the items.
    data
        A file whose items are labelled, in place of a run's.
    task
        The task of the items of --data.
    aspects
        The aspects, with commas [the run's, or the task's usual ones].

    """
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
        ready=lambda url: say(f"{url} shows {store}; Ctrl-C ends it"),
    )
    return 0
