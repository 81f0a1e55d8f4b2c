"""`agentdebate --install-completion`, which cyclopts brings."""

from pathlib import Path

import pytest

from agentdebate.cli.app import run


def test_bash_completes_commands_and_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert run(["--install-completion", "--shell", "bash"]) == 0
    (script,) = (file for file in tmp_path.rglob("*agentdebate*") if file.is_file())
    text = script.read_text(encoding="utf-8")
    assert all(word in text for word in ("sweep", "--concurrency", "--convention"))
