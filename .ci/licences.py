"""Print the name, version and licence of every package that is installed; exit code 1 where one names no licence."""

import sys
from importlib.metadata import Distribution, distributions


def licence(package: Distribution) -> str:
    """The licence as the package names it: an SPDX expression, else its classifiers, else the first line of its text."""
    about = package.metadata
    classifiers = [
        one.rpartition(" :: ")[2] for one in about.get_all("Classifier", []) if one.startswith("License ::")
    ]
    return (
        about.get("License-Expression")
        or " AND ".join(classifiers)
        or (about.get("License") or "").partition("\n")[0]
    )


found = sorted((one.metadata["Name"].lower(), one.version, licence(one)) for one in distributions())
print(*("\t".join(row) for row in found), sep="\n")  # noqa: T201
if unnamed := [name for name, _, said in found if not said]:
    sys.exit(f"no licence is named by: {', '.join(unnamed)}")
