"""A text that an agent writes once for all debates, and the file that keeps it where one is named."""

from dataclasses import dataclass
from pathlib import Path

from anyio.to_thread import run_sync

from agentdebate.errors import ContentError
from agentdebate.project.project import file_exists, read_text


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file that holds such a text, or will."""

    path: Path
    what: str
    """Its text in errors: "the plan"."""

    def text(self) -> str | None:
        """Its text; None where there is no file yet. Raises ContentError where it cannot be read, or never be written."""
        return read_text(self.path) if file_exists(self.path, self.what) else None

    async def read(self) -> str | None:
        """The same in a thread."""
        return await run_sync(self.text)

    async def add(self, text: str) -> None:
        """Add a text behind what it holds. Raises ContentError."""
        await run_sync(self._add, text)

    def _add(self, text: str) -> None:
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"{chr(10) if file.tell() else ''}{text}\n")
        except OSError as error:
            raise ContentError(f"{self.what} cannot be written: {error.strerror}", path=self.path) from error
