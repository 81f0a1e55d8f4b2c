"""What lies in a content folder is what the module of the same name loads: every built-in file, each by its name."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from package_source import ROOT, refuse

from agentdebate.agents.seat import Card, load_card
from agentdebate.errors import AgentDebateError
from agentdebate.project.project import ENDINGS, Kind, Project
from agentdebate.prompts.prompts import Prompts, load_task
from agentdebate.strategies.load import strategy

BUILT_IN = Project()
PROMPTS = Prompts(BUILT_IN)


def names(kind: Kind) -> list[str]:
    return sorted(path.stem for path in (ROOT / kind).iterdir())


LOADERS: dict[Kind, Callable[[str], str]] = {
    "agents": lambda name: card(name).name,
    "strategies": lambda name: strategy(name, project=BUILT_IN).title,
    "prompts/tasks": lambda name: load_task(name, project=BUILT_IN).name,
    "prompts/turns": lambda name: Path(PROMPTS.turn(name).path).stem,
    "prompts/relays": lambda name: Path(PROMPTS.prompt("prompts/relays", name).path).stem,
    "prompts/parts": lambda name: Path(PROMPTS.part(name).path).stem,
}
"""How a file of each kind is loaded, and the name that it then has."""


def card(name: str) -> Card:
    """A card whose persona compiles."""
    found = load_card(BUILT_IN, name)
    PROMPTS.prompt("agents", found.name, found.persona)
    return found


def foreign(kind: Kind) -> Iterator[str]:
    """The files in a content folder that are not of its kind."""
    ending, known = ENDINGS.get(kind, ".md"), set(BUILT_IN.names(kind))
    for path in sorted((ROOT / kind).iterdir()):
        if path.suffix != ending or path.stem not in known:
            yield f"{kind}/{path.name}"


def not_loaded(kind: Kind) -> Iterator[str]:
    """The files of a content folder that do not load, or have another name then."""
    for name in names(kind):
        try:
            loaded = LOADERS[kind](name)
        except AgentDebateError as error:
            yield f"{kind}/{name}: {error}"
        else:
            if loaded != name:
                yield f"{kind}/{name} loads as {loaded}"


def test_a_folder_holds_files_of_its_kind_and_nothing_else() -> None:
    refuse(found for kind in LOADERS for found in foreign(kind))
    assert {kind: list(BUILT_IN.names(kind)) for kind in LOADERS} == {kind: names(kind) for kind in LOADERS}


def test_the_prompts_folder_holds_the_known_kinds() -> None:
    assert {f"prompts/{path.name}" for path in (ROOT / "prompts").iterdir()} == LOADERS.keys() - {
        "agents",
        "strategies",
    }


@pytest.mark.parametrize("kind", LOADERS)
def test_every_file_of_a_folder_loads_by_its_name(kind: Kind) -> None:
    assert names(kind)
    refuse(not_loaded(kind))


def test_a_file_that_does_not_load_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or the test above could not fail."""
    monkeypatch.setitem(LOADERS, "agents", lambda name: load_card(BUILT_IN, f"{name}-2").name)
    monkeypatch.setitem(LOADERS, "strategies", lambda _: "another")
    for kind in ("agents", "strategies"):
        assert len(list(not_loaded(kind))) == len(names(kind))
