"""Every room keeps within its bound in sizes.toml, and every room has one."""

import tomllib
from pathlib import Path
from typing import Any

from code_size import Size, code_bytes, size_of
from package_source import PACKAGE, ROOT

BOUNDS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("sizes.toml").read_text(encoding="utf-8"))
TOP = "top"
"""The room of the modules that lie in the package's own folder."""


def packages() -> dict[str, list[Path]]:
    """Find the modules of each package below agentdebate, and those beside the packages."""
    paths: dict[str, list[Path]] = {}
    for path in (ROOT / PACKAGE).rglob("*.py"):
        inside = path.relative_to(ROOT / PACKAGE).parts
        paths.setdefault(inside[0] if len(inside) > 1 else TOP, []).append(path)
    return paths


def rooms() -> dict[str, Size]:
    """Measure the rooms. A room is one package, or two that are named with a + between them."""
    found = packages()
    return {
        room: size_of([path for one in room.split("+") for path in found[one]]) for room in BOUNDS["rooms"]
    }


def others() -> dict[str, Size]:
    """Measure what else could take up code: files that are not Python, content folders, benchmarks and examples."""
    return {name: size_of(_matching(name)) for name in BOUNDS["others"]}


def _matching(pattern: str) -> list[Path]:
    return [path for path in ROOT.glob(pattern) if path.is_file()]


def too_large(measured: dict[str, Size], bounds: dict[str, dict[str, float]]) -> list[str]:
    """Name the rooms that are over their bound, and by how much."""
    return [
        f"{name}: {size.kb:.1f} kB in {size.files} files, the bound is {bounds[name]['kb']} kB in {bounds[name]['files']}"
        for name, size in sorted(measured.items())
        if name in bounds and (size.kb > bounds[name]["kb"] or size.files > bounds[name]["files"])
    ]


def test_every_room_has_a_bound_and_every_bound_a_room() -> None:
    assert sorted(one for room in BOUNDS["rooms"] for one in room.split("+")) == sorted(packages())


def test_no_room_is_over_its_bound() -> None:
    assert too_large(rooms(), BOUNDS["rooms"]) == []


def test_the_rooms_together_are_within_the_bound_of_the_package() -> None:
    every = rooms().values()
    assert sum(size.kb for size in every) <= BOUNDS["package"]["kb"]
    assert sum(size.files for size in every) <= BOUNDS["package"]["files"]


def test_code_does_not_move_to_where_no_room_is_counted() -> None:
    assert too_large(others(), BOUNDS["others"]) == []


def test_run_time_dependencies_are_at_most_fifteen() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert len(project["dependencies"]) <= BOUNDS["package"]["dependencies"] <= 15


def test_the_engine_on_ray_stays_thin() -> None:
    assert len((ROOT / "agentdebate" / "cli" / "ray.py").read_text(encoding="utf-8").splitlines()) <= 120


def test_no_room_aims_at_more_than_it_may_weigh_today() -> None:
    above = {
        name: bound
        for name, bound in BOUNDS["rooms"].items()
        if bound["aim"]["kb"] > bound["kb"] or bound["aim"]["files"] > bound["files"]
    }
    assert above == {}


def test_a_room_over_its_bound_is_named_with_both_figures() -> None:
    found = too_large({"talk": Size(31.0, 7)}, {"talk": {"kb": 20, "files": 9}})
    assert found == ["talk: 31.0 kB in 7 files, the bound is 20 kB in 9"]


def test_comments_docstrings_and_blanks_weigh_nothing() -> None:
    bare = "def one(item):\n    return item\n"
    dressed = 'def one(item):\n    """Give the item."""\n\n    # as it is\n    return item\n'
    assert code_bytes(bare) == code_bytes(dressed) == len("defone(item):returnitem")
