"""How to cite a run: this package, and the paper whose method was held."""

from agentdebate.errors import AgentDebateError
from agentdebate.project.project import Project, read_toml

TITLE = "agentdebate: judging text by multi-agent debate"


def citation(version: str) -> str:
    """The package, as BibTeX."""
    return (
        "@software{agentdebate,\n"
        f"  title = {{{TITLE}}},\n"
        "  author = {{The agentdebate authors}},\n"
        f"  version = {{{version}}},\n"
        "  license = {Apache-2.0}\n"
        "}"
    )


def method(strategy: str) -> str:
    """What a strategy of ours follows; empty where it is another's or follows nothing."""
    try:
        return str(read_toml(Project().find("strategies", strategy)).get("source", ""))
    except AgentDebateError:  # a strategy of the user's, which is not looked for on whoever's machine this is
        return ""
