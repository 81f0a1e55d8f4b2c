"""What packages register is searched for once, and again where a package came."""

import importlib.metadata
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agentdebate import plugins

GROUP = "agentdebate.models"


def install(folder: Path, name: str) -> None:
    """Lay a package into a folder that registers a model."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {name}:it\n")


def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How often is searched from now on."""
    calls = SimpleNamespace(count=0)

    def entry_points() -> Any:
        calls.count += 1
        return importlib.metadata.entry_points()

    monkeypatch.setattr(plugins, "entry_points", entry_points)
    return lambda: calls.count


def test_a_package_that_comes_later_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    assert "late" not in plugins.registered(GROUP)
    install(tmp_path, "late")
    assert plugins.registered(GROUP)["late"].value == "late:it"


def test_the_search_is_not_done_for_each_debate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    searched = counted(monkeypatch)
    for _ in range(50):
        plugins.registered(GROUP).clear()  # what one caller does to it is not seen by the next
    assert (searched(), "offline" in plugins.registered(GROUP)) == (1, True)


def test_a_name_that_has_been_found_is_not_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    plugins.registered(GROUP)
    searched = counted(monkeypatch)
    monkeypatch.setattr(plugins, "_changed", lambda place: pytest.fail(f"{place} was looked at"))
    assert (plugins.find(GROUP, "offline", "gone").name, searched()) == ("offline", 0)
