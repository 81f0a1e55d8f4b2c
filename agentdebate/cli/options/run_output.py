"""Options of where a run is kept and what is said of it."""

from dataclasses import dataclass

from cyclopts import Parameter

from agentdebate.cli.options.common import OUTPUT, STORE, Json, Log, Quiet, StorePath


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True)
class RunOutput:
    """The store of a run, and what is printed and logged while it goes on."""

    store: StorePath = STORE
    as_json: Json = False
    quiet: Quiet = False
    log: Log = None
