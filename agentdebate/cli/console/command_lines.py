"""Command lines that what is printed names: how to see a run or a debate, and how to go on."""

import shlex

from agentdebate.cli.options.common import STORE
from agentdebate.store.place import shown
from agentdebate.store.reader import LAST
from agentdebate.visible import visible


def see_run(run: str | None, store: str) -> str:
    """The command line that shows a run."""
    return f"agentdebate show {_word(run or LAST)}{_where(store)}"


def see_debate(run: str, debate: str, store: str) -> str:
    """The command line that shows a debate."""
    return f"agentdebate show {_word(run)} {_word(debate)}{_where(store)}"


def go_on(run: str, store: str, more: str = "", *, queued: bool = False) -> str:
    """The command line that goes on with a run, `queued` or not; `more` is what the user has to say once more."""
    return f"agentdebate {'work' if queued else 'resume'} {_word(run)}{_where(store)}{more}"


def end(run: str, store: str) -> str:
    """The command line that ends the workers of a run."""
    return f"agentdebate stop {_word(run)}{_where(store)}"


def draw_cost(sweep: str, store: str) -> str:
    """The command line that draws the runs of a sweep against their cost."""
    return f"agentdebate plot cost {_word(sweep)} -o cost.html{_where(store)}"


def _where(store: str) -> str:
    return "" if store == STORE else f" --store {_word(shown(store))}"


def _word(text: str) -> str:
    """A word of a command line that can be copied into a shell."""
    return shlex.quote(visible(text))
