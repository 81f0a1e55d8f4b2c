"""agentdebate list: agents, strategies, tasks, merges, models, evaluators, conventions and runs, and where each comes from."""

from collections.abc import Mapping
from typing import Annotated, Any

from cyclopts import Parameter

from agentdebate.cli.console.output import out_json, say, show
from agentdebate.cli.options.common import STORE, Json, ProjectPath, StorePath, project_at
from agentdebate.cli.options.names import in_options
from agentdebate.report.contents import LISTS, ContentList, content_table
from agentdebate.report.contents import list_content as contents
from agentdebate.store.place import shown


def list_content(
    kind: Annotated[
        ContentList | None,
        Parameter(help="What is listed [everything but conventions and runs]."),
    ] = None,
    /,
    *,
    project: ProjectPath = None,
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """List what there is, and where it comes from."""
    kinds: tuple[ContentList, ...] = (kind,) if kind else LISTS
    for place, one in enumerate(kinds):
        rows = [_in_options(row) for row in contents(one, project=project_at(project), store=store)]
        if one == "runs" and not rows and not as_json:
            say(f"the store {shown(store)} has no run")
        elif as_json:
            for row in rows:
                out_json({"kind": one, **row})
        else:
            show((*([""] if place else []), content_table(one, rows)))
    return 0


def _in_options(row: Mapping[str, Any]) -> dict[str, Any]:
    """A record whose sentences name options in the place of arguments."""
    return {name: in_options(value) if name in ("about", "error") else value for name, value in row.items()}
