"""Registrations of packages are found where a package came later."""

import sys
from pathlib import Path

import pytest

from agentdebate import plugins

GROUP = "agentdebate.models"


def install(folder: Path, name: str) -> None:
    """Lay a package into a folder that registers a model."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {name}:it\n")


def test_a_package_that_comes_later_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    assert "late" not in plugins.registered(GROUP)
    install(tmp_path, "late")
    assert plugins.registered(GROUP)["late"].value == "late:it"
