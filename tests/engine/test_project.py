"""Where content is looked up, and how its files are read."""

from pathlib import Path

import pytest

from agentdebate.agents.card import load_card
from agentdebate.errors import ContentError
from agentdebate.project.project import Project, builtin_root, read_page, read_text, read_toml

CARD = "---\nname: mine\ntitle: Mine\n---\nYou are mine.\n"


def write(path: str, text: str | bytes) -> Path:
    """A content file of the project in the current folder."""
    whole = Path(path).absolute()
    whole.parent.mkdir(parents=True, exist_ok=True)
    whole.write_bytes(text.encode() if isinstance(text, str) else text)
    return whole


def test_a_users_file_goes_before_the_built_in_one_of_the_same_name() -> None:
    path = write("agents/reviewer.md", CARD)
    project = Project.here()
    assert project.find("agents", "reviewer") == path
    assert project.find("agents", "scorer") == builtin_root() / "agents" / "scorer.md"
    assert Project().find("agents", "reviewer") == builtin_root() / "agents" / "reviewer.md"


@pytest.mark.parametrize(
    "name",
    ["../secret", "..", ".", "", "/etc/passwd", "sub/mine", "..\\secret", ".hidden", "mine\0", "x" * 400],
)
def test_a_name_is_no_path(name: str) -> None:
    """Nothing outside the content folders is read, even where the file is there."""
    write("secret.md", CARD)
    write("agents/sub/mine.md", CARD)
    write("agents/.hidden.md", CARD)
    with pytest.raises(ContentError, match="there is no agent"):
        Project.here().find("agents", name)


@pytest.mark.parametrize(
    ("kind", "name", "says"),
    [
        ("agents", "reviewr", "there is no agent 'reviewr'. Did you mean 'reviewer'?"),
        ("strategies", "debat", "there is no strategy 'debat'. Did you mean 'debate'?"),
        ("prompts/tasks", "dialog", "there is no task 'dialog'. Did you mean 'dialogue'?"),
        ("prompts/turns", "scroe", "there is no turn prompt 'scroe'. Did you mean 'score'?"),
        ("prompts/relays", "opne", "there is no relay prompt 'opne'. Did you mean 'open'?"),
        ("prompts/parts", "breif", "there is no prompt part 'breif'. Did you mean 'brief'?"),
        ("prompts/relays", "zzz", "there is no relay prompt 'zzz'. Known: forward, open."),
    ],
)
def test_an_unknown_name_comes_with_the_nearest_known_one(kind: str, name: str, says: str) -> None:
    with pytest.raises(ContentError) as raised:
        Project().find(kind, name)  # type: ignore[arg-type]
    assert str(raised.value) == says


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "begins with a line of three dashes"),
        ("Just text.\n", 1, "begins with a line of three dashes"),
        ("---\nname: mine\n\nText.\n", None, "a second line of three dashes is missing"),
        ("---\n", None, "a second line of three dashes is missing"),
        ("---\nname: mine\ntitle: [a\n---\nText.\n", 4, "not YAML"),
        ("---\nname: mine\ntitle: a: b\n---\nText.\n", 3, "not YAML"),
        ("---\n\n\nname: 'mine\n---\nText.\n", None, "not YAML"),
        ("---\nname: mine\nborn: 2024-99-99\n---\nText.\n", None, "not YAML"),
        ("---\nname: mine\n\tx: 1\n---\nText.\n", 3, "not YAML"),
        ("---\nyes: 1\n---\nText.\n", None, "reads the key as True; put it in quotes"),
        ("---\n- a\n- b\n---\nText.\n", None, "table of keys"),
        ("---\nmine\n---\nText.\n", None, "table of keys"),
    ],
)
def test_a_page_that_is_none_is_an_error_with_file_and_line(text: str, line: int | None, says: str) -> None:
    path = write("a.md", text)
    with pytest.raises(ContentError, match=says) as raised:
        read_page(path)
    assert raised.value.path == path
    if line is not None:
        assert raised.value.line == line


def test_a_file_that_cannot_be_read_is_an_error_with_its_place_that_says_why() -> None:
    path = write("a.md", b"ab\xffcd")
    with pytest.raises(ContentError, match=rf"^{path}: this is not UTF-8 \(byte 2\)$"):
        read_text(path)
    with pytest.raises(ContentError, match=r"gone\.md: cannot be read: No such file"):
        read_text(Path("gone.md"))
    with pytest.raises(ContentError, match=r"not TOML: .*line 2"):
        read_toml(write("a.toml", "a = 1\nb = \n"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (CARD.replace("name: mine", "name: yours"), "'name': the file is called 'mine'"),
        (CARD.replace("title: Mine\n", ""), "'title': this key is missing"),
        (
            CARD.replace("title: Mine", "titel: Mine"),
            "'titel': .*Did you mean 'title'|'title': this key is missing",
        ),
        (CARD.replace("title: Mine", "title: Mine\ntag: [x]"), "'tag': .*Did you mean 'tags'"),
        (
            CARD.replace("title: Mine", "title: Mine\nsampling: {temprature: 1}"),
            "'sampling.temprature': .*'temperature'",
        ),
        (CARD.replace("title: Mine", "title: 3"), "'title': it is text, not 3"),
        ("---\nname: mine\ntitle: Mine\n---\n", "persona is missing"),
        ("---\nname: mine\ntitle: Mine\n---", "persona is missing"),
    ],
)
def test_a_mistake_in_a_card_names_the_file_and_the_key(text: str, says: str) -> None:
    path = write("agents/mine.md", text)
    with pytest.raises(ContentError, match=says) as raised:
        load_card(Project.here(), "mine")
    assert raised.value.path == path
