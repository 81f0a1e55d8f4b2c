"""Optional dependencies: had where they are installed, and named with the line that installs them where not."""

import sys
import types
from pathlib import Path

import pytest

from agentdebate.errors import MissingExtra, UserError
from agentdebate.extras import optional


def test_what_is_installed_is_had() -> None:
    assert optional("json", "drpe") is sys.modules["json"]
    assert isinstance(optional("importlib.metadata", "drpe"), types.ModuleType)


@pytest.mark.parametrize("module", ["no_such_package_of_ours", "no_such_package_of_ours.inside.of_it"])
def test_what_is_not_installed_comes_with_the_line_that_installs_it(module: str) -> None:
    with pytest.raises(MissingExtra) as caught:
        optional(module, "drpe")
    assert str(caught.value) == (
        "no_such_package_of_ours is not installed. Install it with: pip install 'agentdebate[drpe]'"
    )
    assert isinstance(caught.value.__cause__, ModuleNotFoundError)
    assert isinstance(caught.value, UserError), "it ends a run, and is exit code 2 on the command line"


@pytest.mark.parametrize("module", ["json", "json.decoder"])
def test_a_module_that_is_blocked_is_not_installed(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """How tests take an extra away."""
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=r"^json is not installed.*agentdebate\[some\]"):
        optional(module, "some")


def test_one_that_lacks_something_of_its_own_says_so_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To install our extra would not help."""
    (tmp_path / "here_but_broken.py").write_text("import what_it_lacks\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="what_it_lacks") as caught:
        optional("here_but_broken", "drpe")
    assert not isinstance(caught.value, MissingExtra)


def test_one_that_cannot_be_imported_for_another_reason_says_so_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here_but_wrong.py").write_text("raise ImportError('built for another system')\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ImportError, match="built for another system"):
        optional("here_but_wrong", "drpe")
