"""Print name, version, licence and extras of every package that is installed beside agentdebate, and which extras are not."""

import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions, metadata

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def licence(package: Distribution) -> str:
    """The licence as the package names it: an SPDX expression, else its classifiers, else the first line of its text."""
    about = package.metadata
    classifiers = [
        one.rpartition(" :: ")[2] for one in about.get_all("Classifier", []) if one.startswith("License ::")
    ]
    named = about.get("License-Expression") or " AND ".join(classifiers)
    return named or (about.get("License") or "").partition("\n")[0] or "unknown"


def needs(name: str, extra: str, known: set[tuple[str, str]]) -> Iterator[str]:
    """The packages that `name[extra]` needs, itself included. Raises PackageNotFoundError where one is not installed."""
    if (name, extra) in known:
        return
    known.add((name, extra))
    yield name
    for line in distribution(name).requires or []:
        one = Requirement(line)
        if one.marker is None or one.marker.evaluate({"extra": extra}):
            for further in ("", *one.extras):
                yield from needs(canonicalize_name(one.name), further, known)


def brought() -> tuple[dict[str, set[str]], list[str]]:
    """The packages of each extra that is installed, the base by the name "base", and the extras that are not."""
    found, absent = {"base": set(needs("agentdebate", "", set()))}, []
    for extra in metadata("agentdebate").get_all("Provides-Extra", []):
        try:
            found[extra] = set(needs("agentdebate", extra, set()))
        except PackageNotFoundError:
            absent.append(extra)
    return found, absent


extras, absent = brought()
rows: dict[str, tuple[str, str, str, str]] = {}
for one in distributions():
    name = canonicalize_name(one.metadata["Name"])
    by = ["base"] if name in extras["base"] else [extra for extra, names in extras.items() if name in names]
    rows[name] = (name, one.version, licence(one), ", ".join(by))
print(*("\t".join(rows[name]) for name in sorted(rows)), sep="\n")  # noqa: T201
print(f"Extras that are not installed, or not whole: {', '.join(absent)}")  # noqa: T201
if unnamed := [name for name in extras["base"] if rows[name][2] == "unknown"]:
    sys.exit(f"no licence is named by: {', '.join(unnamed)}")
