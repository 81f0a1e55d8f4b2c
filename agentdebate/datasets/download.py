"""Published datasets from their authors' addresses into a folder, the user's cache where none is named."""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from agentdebate.datasets.data_source import digest
from agentdebate.datasets.dataset import Dataset, Remote
from agentdebate.datasets.published import published
from agentdebate.errors import DataError, ModelError

SUMS = "SHA256SUMS"
"""The file in which the checksums of a folder stand, in the form that sha256sum -c reads."""

Fetch = Callable[[str], Iterator[bytes]]
"""The parts of the file at an address; raises ModelError where it cannot be had."""


@dataclass(frozen=True, slots=True)
class Got:
    """A file that is in its place."""

    remote: Remote
    path: Path
    sha256: str
    size: int
    """In bytes."""
    fetched: bool
    """Whether it was fetched now; otherwise it was there."""


@dataclass(frozen=True, slots=True)
class Missed:
    """A file that could not be had, and that the dataset can be read without."""

    remote: Remote
    reason: str


def cache_folder() -> Path:
    """Where datasets are kept that were fetched: AGENTDEBATE_CACHE, or the folder that the system has for such things."""
    if named := os.environ.get("AGENTDEBATE_CACHE"):
        return Path(named) / "datasets"
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "agentdebate" / "datasets"


def get_dataset(
    name: str, to: str | Path | None = None, *, told: Callable[[Got | Missed], None] | None = None
) -> Path:
    """Fetch a published dataset from its authors' address into a folder, the user's cache where none is named; the folder comes back.

    Files that are there as they were fetched are left alone; `told` is given each file. Read it with `load_dataset`:

        items = ad.load_dataset("faireval", ad.get_dataset("faireval")).items

    Raises UsageError for an unknown name, and DataError for a file that cannot be had or is not what was published.
    """
    dataset = published(name)
    folder = cache_folder() / dataset.name if to is None else Path(to)
    for one in get(dataset, folder):
        if told is not None:
            told(one)
    return folder


def get(dataset: Dataset, to: Path | None = None, *, fetch: Fetch | None = None) -> Iterator[Got | Missed]:
    """Fetch the files of a dataset into `to`, one after another; those that are there as they were fetched are left alone.

    A file is written beside its place and moved there when it is whole. Raises DataError for a file that cannot be had, or
    that has not the checksum that is known of it; the message says what to put where.
    """
    folder = to or cache_folder() / dataset.name
    for remote in dataset.origin.files:
        try:
            yield _got(remote, folder, fetch or _from_network)
        except ModelError as error:
            if not remote.gives:
                raise DataError(_by_hand(dataset, remote, folder, str(error))) from error
            yield Missed(remote, str(error))


def _from_network(url: str) -> Iterator[bytes]:
    from agentdebate.models.http import fetch  # brings the HTTP client along

    return fetch(url)


def _by_hand(dataset: Dataset, remote: Remote, folder: Path, reason: str) -> str:
    lacking = [one for one in dataset.origin.files if not one.gives and not (folder / one.file).is_file()]
    puts = "; ".join(f"{one.url} to {folder / one.file}" for one in lacking)
    return (
        f"{remote.file} cannot be had: {reason}. Fetch by other means what is missing ({puts}), and read the dataset from "
        f"that folder with dataset='{dataset.name}'"
    )


def _got(remote: Remote, folder: Path, fetch: Fetch) -> Got:
    path = folder / remote.file
    known = remote.sha256 or _sums(folder).get(remote.file)
    if path.is_file() and (known is None or digest(path) == known):
        return Got(remote, path, digest(path), path.stat().st_size, fetched=False)
    try:
        found = _fetched(remote, path, fetch)
        _note(folder, remote.file, found)
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror}", path=path) from error
    return Got(remote, path, found, path.stat().st_size, fetched=True)


def _fetched(remote: Remote, path: Path, fetch: Fetch) -> str:
    """Fetch a file and move it to its place when it is whole; its checksum comes back."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    found = sha256()
    try:
        with os.fdopen(handle, "wb") as file:
            for part in fetch(remote.url):
                found.update(part)
                file.write(part)
        if remote.sha256 and found.hexdigest() != remote.sha256:
            raise DataError(
                f"{remote.url} is not the file that is known: its SHA-256 is {found.hexdigest()}, not {remote.sha256}"
            )
        Path(name).replace(path)
    finally:
        with suppress(FileNotFoundError):  # it was moved
            Path(name).unlink()
    return found.hexdigest()


def _sums(folder: Path) -> dict[str, str]:
    """What the checksums of files were when they were fetched."""
    path = folder / SUMS
    if not path.is_file():
        return {}
    lines = (line.split("  ", 1) for line in path.read_text(encoding="utf-8").splitlines())
    return {parts[1]: parts[0] for parts in lines if len(parts) == 2}  # noqa: PLR2004 - sum and name


def _note(folder: Path, file: str, found: str) -> None:
    sums = {**_sums(folder), file: found}
    text = "".join(f"{value}  {name}\n" for name, value in sorted(sums.items()))
    (folder / SUMS).write_text(text, encoding="utf-8")
