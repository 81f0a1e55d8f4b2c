"""Packages made up on the spot: a module and what it registers, as an install leaves them on disk."""

import sys
from collections.abc import Mapping
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from agentdebate import plugins


def install(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    source: str,
    points: Mapping[str, Mapping[str, str]],
) -> None:
    """Lay a package into a folder of the search path; `points` has its entry points, by group and name."""
    site = folder / f"site-{module}"
    info = site / f"{module}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    lines = [
        line
        for group, entries in points.items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in entries.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))
    (site / f"{module}.py").write_text(source)
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    monkeypatch.delitem(sys.modules, module, raising=False)


def register(monkeypatch: pytest.MonkeyPatch, group: str, module: str, *names: str) -> None:
    """Register what a module of the tests defines, beside the real ones."""
    real = plugins.registered
    own = {name: EntryPoint(name, f"{module}:{name}", group) for name in names}
    monkeypatch.setattr(
        plugins, "registered", lambda asked: {**real(asked), **(own if asked == group else {})}
    )
