"""Sets of agent cards: all with a tag, all in a folder, and mistakes in either."""

from pathlib import Path
from typing import Any

import pytest
from drpe_cases import everyone, vote, voters
from engine_cases import ANN, BEN

from agentdebate.agents.card import Card
from agentdebate.agents.card_set import card_set
from agentdebate.errors import ContentError, UsageError
from agentdebate.project.project import Project
from agentdebate.project.trust import USER
from agentdebate.strategies.load import strategy
from agentdebate.strategies.recruited import Recruited

SIX = ("business-person", "news-writer", "politician", "public-reader", "student", "style-critic")


def write(path: str | Path, tags: str = "", text: str = "You read the sports pages.") -> Path:
    """An agent card."""
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    head = f"name: {file.stem}\ntitle: {file.stem.capitalize()}\nabout: A test.\n" + (
        f"tags: [{tags}]\n" if tags else ""
    )
    file.write_text(f"---\n{head}---\n{text}\n", encoding="utf-8")
    return file


def opened(*cards: str | Card) -> tuple[str | Card, ...]:
    return card_set(cards, Project.here(), Path.cwd(), USER)


def names(cards: tuple[str | Card, ...]) -> list[str]:
    return [one if isinstance(one, str) else one.name for one in cards]


def test_a_tag_stands_for_all_cards_that_have_it_in_the_order_of_their_names() -> None:
    assert opened("tag:mdrpe") == SIX
    assert set(opened("tag:drpe")) == {"news-writer", "public-reader", "style-critic"}


def test_the_projects_own_cards_count_and_go_before_ours() -> None:
    write("agents/zoologist.md", "mdrpe, extra")
    write("agents/student.md", "extra")
    assert opened("tag:mdrpe") == (*(name for name in SIX if name != "student"), "zoologist")
    assert opened("tag:extra") == ("student", "zoologist")


def test_a_tag_that_nobody_has_comes_with_the_nearest_known_one() -> None:
    with pytest.raises(UsageError, match=r"no agent has the tag 'mdprpe'\. Did you mean 'mdrpe'"):
        opened("tag:mdprpe")
    with pytest.raises(UsageError, match=r"no agent has the tag ''\. Known: .*mdrpe"):
        opened("tag:")


def test_a_tag_shows_a_card_that_cannot_be_read() -> None:
    broken = write("agents/broken.md")
    broken.write_text("no front matter", encoding="utf-8")
    with pytest.raises(ContentError, match=r"broken\.md, line 1: "):
        opened("tag:mdrpe")


def test_a_folder_stands_for_all_cards_in_it_in_the_order_of_their_names() -> None:
    for name in ("readers/walker", "readers/angler", "readers/deeper/diver"):
        write(f"{name}.md")
    Path("readers/notes.txt").write_text("no card", encoding="utf-8")
    Path("readers/folder.md").mkdir()
    cards = opened("folder:readers")
    assert names(cards) == ["angler", "walker"]
    assert all(isinstance(one, Card) and one.persona == "You read the sports pages." for one in cards)
    assert opened(f"folder:{Path('readers').resolve()}") == cards
    assert opened("folder:readers/") == cards


@pytest.mark.parametrize("folder", ["empty", "missing", "readers.md"])
def test_a_folder_without_cards_is_named(folder: str) -> None:
    Path("empty").mkdir()
    write("readers.md")
    with pytest.raises(UsageError) as caught:
        opened(f"folder:{folder}")
    assert str(caught.value) == f"there are no agent cards (*.md) in the folder {Path.cwd() / folder}"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("no front matter", "line 1: a content file begins with"),
        ("---\nname: other\ntitle: x\n---\nYou read.", "'name': the file is called 'walker'"),
        ("---\nname: walker\ntitle: x\n---\n", "the persona is missing"),
        ("---\nname: walker\ntitel: x\n---\nYou read.", "'titel': .*Did you mean 'title'"),
    ],
)
def test_a_card_in_a_folder_that_cannot_be_read_is_named(text: str, says: str) -> None:
    path = write("readers/walker.md")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ContentError, match=f"(?s)walker.md.*{says}"):
        opened("folder:readers")


def test_cards_by_name_made_in_code_and_places_for_recruits_stay_as_they_are() -> None:
    assert opened("reviewer", ANN, "tag:drpe", "recruit", BEN) == (
        *("reviewer", ANN, "news-writer", "public-reader", "style-critic", "recruit", BEN),
    )
    assert card_set("reviewer", Project(), Path(), USER) == ("reviewer",)
    assert card_set(ANN, Project(), Path(), USER) == (ANN,)


def test_a_folder_of_the_caller_begins_where_the_caller_is() -> None:
    write("readers/walker.md")
    chosen = strategy("drpe-static", cast={"players": "folder:readers"})
    assert names(chosen.cast["players"]) == ["walker"]


def test_a_folder_of_a_file_begins_at_the_files_project(monkeypatch: pytest.MonkeyPatch) -> None:
    write("mine/readers/walker.md")
    write("elsewhere/readers/stranger.md")
    Path("mine/strategies").mkdir()
    Path("mine/strategies/ours.toml").write_text(
        'name = "ours"\nabout = "A test."\nuses = "recruited"\n[options]\naround = "drpe-static"\n'
        '[cast]\nplayers = ["folder:readers", "recruit"]\n',
        encoding="utf-8",
    )
    project = Project(Path.cwd() / "mine")
    monkeypatch.chdir("elsewhere")
    chosen = strategy("ours", project=project)
    assert isinstance(chosen, Recruited)
    assert names(chosen.around.cast["players"]) == ["walker", "recruit"]
    given = strategy("ours", project=project, cast={"players": ["folder:readers", "recruit"]})
    assert isinstance(given, Recruited)
    assert names(given.around.cast["players"]) == ["stranger", "recruit"]


def test_a_mistake_in_a_set_shows_when_the_strategy_is_made() -> None:
    with pytest.raises(UsageError, match="no agent has the tag 'drp'"):
        strategy("drpe", cast={"players": ["tag:drp", "recruit"]})
    with pytest.raises(UsageError, match="there are no agent cards"):
        strategy("chateval", cast={"debaters": "folder:nowhere"})


@pytest.mark.parametrize(
    ("cast", "who"),
    [
        ({"players": "tag:mdrpe"}, 6),
        ({"players": ["tag:drpe", "folder:readers"]}, 5),
        ({"players": "folder:readers"}, 2),
    ],
)
async def test_a_set_plays(cast: dict[str, Any], who: int) -> None:
    write("readers/walker.md")
    write("readers/angler.md", text="You judge {{ aspects[0].title }}.")
    record = await vote(strategy("drpe-static", cast=cast), everyone())
    assert len(voters(record)) == who
    if "folder:readers" in cast["players"]:
        assert voters(record)[-2:] == ["Angler", "Walker"]
        assert "\nYou judge Overall.\n" in record.calls[0].request.messages[-1].content


async def test_a_set_may_sit_in_any_cast() -> None:
    record = await vote(strategy("chateval-one-by-one", cast={"debaters": "tag:drpe"}), everyone())
    assert voters(record) == ["news-writer", "public-reader", "style-critic"]


def test_mdrpe_and_its_tag_are_the_same_six_readers() -> None:
    [ensemble] = strategy("mdrpe").seats()["players"]
    assert sorted(names(ensemble.plays)) == list(opened("tag:mdrpe"))
