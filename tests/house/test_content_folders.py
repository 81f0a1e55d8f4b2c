"""What lies in a content folder is what the module of the same name loads: every built-in file, each by its name."""

import pytest
from package_source import ROOT

from agentdebate.agents.card import load_card
from agentdebate.project.project import ENDINGS, Kind, Project
from agentdebate.prompts.prompts import Prompts, load_task
from agentdebate.strategies.load import strategy

BUILT_IN = Project()
KINDS: tuple[Kind, ...] = (
    "agents", "strategies", "prompts/tasks", "prompts/turns", "prompts/relays", "prompts/parts",
)  # fmt: skip


def names(kind: Kind) -> list[str]:
    return sorted(path.stem for path in (ROOT / kind).iterdir())


@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_holds_files_of_its_kind_and_nothing_else(kind: Kind) -> None:
    assert {path.suffix for path in (ROOT / kind).iterdir()} == {ENDINGS.get(kind, ".md")}
    assert list(BUILT_IN.names(kind)) == names(kind)


def test_the_prompts_folder_holds_the_known_kinds() -> None:
    assert sorted(f"prompts/{path.name}" for path in (ROOT / "prompts").iterdir()) == sorted(KINDS[2:])


@pytest.mark.parametrize("name", names("agents"))
def test_every_card_loads_and_its_persona_compiles(name: str) -> None:
    card = load_card(BUILT_IN, name)
    assert card.name == name
    Prompts(BUILT_IN).persona(card.name, card.persona)


@pytest.mark.parametrize("name", names("strategies"))
def test_every_strategy_loads(name: str) -> None:
    assert strategy(name, project=BUILT_IN).title == name


@pytest.mark.parametrize("name", names("prompts/tasks"))
def test_every_task_loads(name: str) -> None:
    assert load_task(BUILT_IN, name).name == name


@pytest.mark.parametrize(("kind", "folder"), [("turn", "turns"), ("relay", "relays"), ("part", "parts")])
def test_every_prompt_compiles(kind: str, folder: str) -> None:
    prompts = Prompts(BUILT_IN)
    found = [path.stem for path in (ROOT / "prompts" / folder).iterdir()]
    assert found
    for name in found:
        assert getattr(prompts, kind)(name).path.stem == name
