"""One broken file of a project hides none of the others."""

from pathlib import Path

import pytest
from typed import typed

Capsys = pytest.CaptureFixture[str]
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
    folder = Path(kind)
    folder.mkdir()
    (folder / f"good{ending}").write_text(GOOD[kind])
    (folder / f"bad{ending}").write_bytes(broken)
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
