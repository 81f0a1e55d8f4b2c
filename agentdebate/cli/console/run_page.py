"""A run as `agentdebate show` prints it."""

from agentdebate.cli.console.command_lines import see_run
from agentdebate.cli.console.missing import warn_of_missing
from agentdebate.cli.console.output import out_json_list, say, show
from agentdebate.cli.options.names import in_options
from agentdebate.report.run_page import RunPage
from agentdebate.store.reader import Reader, RunHead


def show_run(reader: Reader, head: RunHead, store: str, *, as_json: bool) -> int:
    """Print a run. The exit code comes back: 1 where nothing could be read in it, and no process may still be at work."""
    page = RunPage.read(reader, head, store, whole=as_json)
    for line in page.damage:
        say(f"warning: {line}")
    if as_json:
        out_json_list(page.record(), "rows", reader.rows(head.id))
        warn_of_missing(page.coverages)
    else:
        show(page.blocks(see=f"{see_run(head.id, store)} --json", worded=in_options))
        if page.coverages:
            warn_of_missing(page.untold)
    if page.nothing_read:
        say(f"warning: {page.nothing_read}")
    return 1 if page.lacking else 0
