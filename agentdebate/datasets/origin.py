"""Where a dataset comes from: who made it, under which licence, and at which addresses its authors publish it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Remote:
    """A file at its authors' address, and where it goes in the dataset's folder."""

    url: str
    file: str
    """Its path in the folder, with slashes."""
    sha256: str | None = None
    """Its checksum, where one is known; no author of these datasets publishes any."""
    gives: str = ""
    """What it adds, where the dataset can be read without it; such a file may be missing."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Who made a dataset, and how it is had."""

    home: str
    """The page where its authors publish it."""
    licence: str
    """What is known of its licence, in a sentence or two."""
    citation: str
    """The paper to cite."""
    files: tuple[Remote, ...]
