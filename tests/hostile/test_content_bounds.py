"""Content files: whatever is in them, reading them ends soon, with what they say or an error that names the file and hides no other."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import ends
from typed import typed

from agentdebate.errors import ContentError
from agentdebate.project.project import LARGEST, Project, read_page, read_text, read_toml

Capsys = pytest.CaptureFixture[str]
LAUGHS = "a: &a [x, x, x]\n" + "".join(
    f"{one}: &{one} [*{before}, *{before}, *{before}]\n"
    for before, one in zip("abcdefghijklm", "bcdefghijklmn", strict=True)
)

FRONT_MATTER = {
    "aliases of aliases": (LAUGHS, "an alias"),
    "an alias of itself": ("a: &a [*a]\n", ""),
    "lists in lists": (f"a: {'[' * 100_000}\n", ""),
    "tables in tables": ("a: " + "{a: " * 200 + "1" + "}" * 200 + "\n", ""),
    "lists in lists in lines": ("a:\n" + "".join(f"{' ' * n}-\n" for n in range(1, 300)), ""),
    "dashes": ("a:\n - " + "- " * 100_000 + "1\n", ""),
    "a number of thousands of digits": (f"a: {'9' * 5000}\n", "more than 100 digits"),
    "a number of base 60": (f"a: 1{':01' * 100_000}\n", "more than 100 digits"),
    "a hexadecimal number": (f"a: 0x{'f' * 500_000}\n", "more than 100 digits"),
    "a key that is there twice": ("a: 1\nb: 2\na: 3\n", "'a': this key is there twice"),
    "an object of Python's": ("a: !!python/object/apply:os.system [x]\n", ""),
    "a NUL": ("a: \0\n", ""),
}

TOML = {
    "lists in lists": f"a = {'[' * 100_000}",
    "tables in tables": "a = " + "{a = " * 400 + "1" + "}" * 400,
    "a key of many parts": f"{'a.' * 200_000}a = 1",
    "a table of many parts": f"[{'a.' * 200_000}a]",
    "a number of thousands of digits": f"a = {'9' * 5000}",
    "a key that is there twice": "a = 1\na = 2",
    "a NUL": "a = \0",
}


def page(head: str) -> Path:
    path = Path("page.md").absolute()
    path.write_text(f"---\n{head}---\nText.\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(("head", "says"), FRONT_MATTER.values(), ids=FRONT_MATTER)
def test_front_matter_that_no_content_file_needs_is_an_error_soon(head: str, says: str) -> None:
    path = page(head)
    with ends(), pytest.raises(ContentError) as raised:
        read_page(path)
    assert raised.value.path == path
    assert says in str(raised.value)
    assert len(str(raised.value)) < 1000


@pytest.mark.parametrize("text", TOML.values(), ids=TOML)
def test_toml_that_no_content_file_needs_is_an_error_soon(text: str) -> None:
    path = Path("strategy.toml")
    path.write_text(text, encoding="utf-8")
    with ends(), pytest.raises(ContentError) as raised:
        read_toml(path)
    assert raised.value.path == path


def test_a_content_file_has_so_many_bytes_and_no_more() -> None:
    path = Path("long.md")
    path.write_text("x" * LARGEST, encoding="utf-8")
    assert len(read_text(path)) == LARGEST
    with path.open("ab") as file:
        file.truncate(500_000_000)
    with ends(), pytest.raises(ContentError, match=r"^long\.md: it has more than 1,000,000 bytes"):
        read_text(path)


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_what_is_no_regular_file_is_not_read(kind: str) -> None:
    Path("agents").mkdir()
    path = Path("agents/ann.md")
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    with pytest.raises(ContentError, match="regular file"):
        read_text(path)
    project = Project.here()
    assert "ann" not in project.names("agents")
    assert "agents/ann" not in project.digests()
    with pytest.raises(ContentError, match="there is no agent 'ann'"):
        project.page("agents", "ann")


_SCRAPS = st.lists(
    st.sampled_from(
        ["a", "b", ": ", "\n", "  ", "- ", "[", "]", "{", "}", ", ", "&a ", "*a", "<<", "!!int ", "1", "'", '"', "|", "#", "?"]
    ),
    max_size=40,
).map("".join)  # fmt: skip


@given(st.one_of(_SCRAPS, st.text(max_size=40)))
def test_any_front_matter_is_a_table_or_an_error_of_ours(head: str) -> None:
    path = Path("page.md")
    path.write_text(f"---\n{head}\n---\nText.\n", encoding="utf-8", errors="replace")
    with suppress(ContentError):
        assert isinstance(read_page(path).meta, Mapping)


GOOD = {
    "agents": "---\nname: good\ntitle: Judge\nabout: A good one.\n---\n\nYou judge.\n",
    "strategies": 'name = "good"\nabout = "A good one."\nuses = "solo"\n',
}
BROKEN = {
    "not UTF-8": b"\xff\xfe\x00",
    "empty": b"",
    "nested": b"---\nx: " + b"[" * 5000 + b"\n---\n",
    "nested TOML": b"x = " + b"[" * 5000,
    "YAML bomb": b"---\na: &a [x]\nb: *c\n---\n",
    "a NUL": b"\x00",
}


@pytest.mark.parametrize("kind", GOOD)
@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_list_shows_a_broken_file_with_its_error_and_the_others_still(
    kind: str, broken: bytes, capsys: Capsys
) -> None:
    ending = ".toml" if kind == "strategies" else ".md"
    Path(kind).mkdir()
    Path(kind, f"good{ending}").write_text(GOOD[kind])
    Path(kind, f"bad{ending}").write_bytes(broken)
    came = typed(capsys, "list", kind, "--json")
    rows = {row["name"]: row for row in came.json}
    assert (came.code, rows["good"]["about"]) == (0, "A good one.")
    assert rows["bad"]["error"]
    assert "error" not in rows["good"]
    text = typed(capsys, "list", kind)
    assert text.code == 0
    assert "A good one." in text.out


STEERING = "\x1b]0;owned\x07\x1b[2J\u202e\x9b31m"


@pytest.mark.parametrize("words", [(), ("--json",)], ids=["text", "JSON"])
@pytest.mark.parametrize("kind", ["agents", "strategies", "tasks"])
def test_what_names_and_files_hold_steers_no_terminal(
    kind: str, words: tuple[str, ...], capsys: Capsys
) -> None:
    folder = Path("prompts/tasks" if kind == "tasks" else kind)
    folder.mkdir(parents=True)
    ending = ".toml" if kind == "strategies" else ".md"
    escapes = "".join(f"\\u{ord(one):04x}" for one in STEERING)
    files = {
        "told": f'name = "told"\nabout = "{escapes}"\nuses = "solo"\n'
        if kind == "strategies"
        else f'---\nname: told\ntitle: "{escapes}"\nabout: "{escapes}"\n---\n\nYou judge.\n',
        "bad": f'"{escapes}" = 1\n' if kind == "strategies" else f'---\n"{escapes}": 1\n---\n',
        f"n{STEERING}": "---\n---\n",
    }
    for name, text in files.items():
        (folder / f"{name}{ending}").write_text(text, encoding="utf-8")
    came = typed(capsys, "list", kind, *words)
    assert came.code == 0
    for mark in "\x1b\x07\x9b\u202e":
        assert mark not in came.out + came.err
    assert "owned" in came.out
