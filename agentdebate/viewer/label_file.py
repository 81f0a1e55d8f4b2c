"""The file that a person's labels are appended to, one JSON object a line. It is the one thing that is ever written here."""

import json
import os
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from agentdebate.errors import DataError, UsageError
from agentdebate.store.place import create_private

MARK = "labelled"
"""The field that says when a label was given; rows without it are not of this file's kind."""

Row = Mapping[str, Any]


class LabelFile:
    """Appends labels, each on the disk before the next is asked for, and takes the last one back. One process at a time has it."""

    def __init__(self, path: str | Path) -> None:
        """Open the file, or make it, readable by its owner alone. Raises UsageError and DataError."""
        self.path = Path(path)
        self._handle = _opened(self.path)
        with ExitStack() as closing:
            closing.callback(os.close, self._handle)
            _lock(self.path, self._handle)
            self._lines = _lines_of(self.path, self._content())
            closing.pop_all()

    def __repr__(self) -> str:
        return f"<LabelFile {str(self.path)!r}>"

    @property
    def rows(self) -> list[Row]:
        """The labels, in the order in which they were given."""
        return [row for _, row in self._lines]

    def append(self, row: Row) -> None:
        """Add a label; it is on the disk when this returns. Raises UsageError where that cannot be."""
        line = json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
        self._check_unchanged()
        end = self._size()
        try:
            _write_all(self._handle, line)
            os.fsync(self._handle)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._handle, end)  # half a line would make the file unreadable
            raise UsageError(
                f"{self.path} cannot be written: {error.strerror}; the label is not kept"
            ) from error
        self._end = end + len(line)
        self._lines.append((end, row))

    def undo(self) -> Row | None:
        """Take the last label back; None where there is none. Raises UsageError."""
        if not self._lines:
            return None
        self._check_unchanged()
        start, row = self._lines[-1]
        try:
            os.ftruncate(self._handle, start)
            os.fsync(self._handle)
        except OSError as error:
            raise UsageError(f"{self.path} cannot be written: {error.strerror}") from error
        self._lines.pop()
        self._end = start
        return row

    def close(self) -> None:
        """Close the file."""
        os.close(self._handle)

    def _content(self) -> bytes:
        content = self.path.read_bytes()
        self._end = len(content)
        return content

    def _size(self) -> int:
        return os.fstat(self._handle).st_size

    def _check_unchanged(self) -> None:
        """Raise UsageError where somebody else has written into the file: nothing of theirs is to be lost."""
        if self._size() != self._end:
            raise UsageError(f"{self.path} was changed by another program; end this, and start it anew")


def _opened(path: Path) -> int:
    try:
        create_private(path)
        return os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error


def _lock(path: Path, handle: int) -> None:
    """Have the file for this process alone, until it is closed."""
    import fcntl  # which Windows does not have; what opens the file has said so there

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise UsageError(
            f"{path} is open in another process that asks for labels: end that one first"
        ) from error


def _lines_of(path: Path, content: bytes) -> list[tuple[int, Row]]:
    """The rows of a file, and where each begins. Raises DataError for what is not a label."""
    found, start = list[tuple[int, Row]](), 0
    for number, line in enumerate(content.splitlines(keepends=True), 1):
        if line.strip():
            found.append((start, _row(path, number, line)))
        start += len(line)
    return found


def _row(path: Path, number: int, line: bytes) -> Row:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise DataError("this is not JSON; take the line out, or mend it", path=path, line=number) from error
    if not isinstance(row, dict) or not isinstance(row.get("id"), str) or MARK not in row:
        raise DataError(
            f"this is not a label (one has id and {MARK}); name another file, or a new one",
            path=path,
            line=number,
        )
    if not line.endswith(b"\n"):
        raise DataError("the line has no end; add a line break to it", path=path, line=number)
    return row


def _write_all(handle: int, content: bytes) -> None:
    while content:
        content = content[os.write(handle, content) :]
