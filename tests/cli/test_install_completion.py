"""--install-completion: what it writes completes commands, options and their choices in a real shell."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from agentdebate.cli.app import run

COMPLETE = """
source ~/.bashrc
COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_agentdebate
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with nothing in it."""
    for name in ("BASH_VERSION", "FISH_VERSION", "ZDOTDIR", "ZSH", "ZSH_CUSTOM", "ZSH_VERSION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def completed(words: str, home: Path) -> list[str]:
    """What bash offers where a line has come to these words."""
    done = subprocess.run(
        ["bash", "--norc", "-c", COMPLETE.format(words=words)],
        env={**os.environ, "HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return [word.strip() for word in done.stdout.splitlines()]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_commands_options_and_choices(home: Path) -> None:
    assert run(["--install-completion", "bash"]) == 0
    assert completed("agentdebate ex", home) == ["export"]
    assert completed("agentdebate run debate x.jsonl --budget", home) == ["--budget-tokens", "--budget-money"]
    assert completed("agentdebate export last --what ''", home)[:3] == ["verdicts", "messages", "calls"]


@pytest.mark.parametrize(
    ("shell", "script"),
    [
        ("bash", ".local/share/bash-completion/completions/agentdebate"),
        ("zsh", ".zsh/completions/_cyclopts_agentdebate"),
        ("fish", ".config/fish/completions/agentdebate.fish"),
    ],
)
def test_each_shell_gets_a_script_in_its_place(
    shell: str, script: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--install-completion", shell]) == 0
    assert "allow-endpoint" in (home / script).read_text(encoding="utf-8")
    assert str(home / script) in capsys.readouterr().out


def test_to_install_it_twice_changes_nothing(home: Path) -> None:
    run(["--install-completion", "bash"])
    before = (home / ".bashrc").read_text(encoding="utf-8")
    assert run(["--install-completion", "bash"]) == 0
    assert (home / ".bashrc").read_text(encoding="utf-8") == before


def test_a_shell_that_is_not_known_is_an_error_that_names_those_that_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["--install-completion", "tcsh"]) == 2
    assert '"bash", "zsh", "fish"' in capsys.readouterr().err


def test_a_home_that_cannot_be_written_is_an_error_that_says_so(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / ".config").write_text("a file in the place of a folder", encoding="utf-8")
    assert run(["--install-completion", "fish"]) == 2
    assert "cannot be installed" in capsys.readouterr().err
