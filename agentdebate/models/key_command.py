"""Key that a command of the user's prints, such as a token that expires: it is run for the first call, and again where an endpoint refuses the key."""

import shlex
import subprocess
import threading

from anyio import to_thread

from agentdebate.errors import AuthenticationError
from agentdebate.visible import one_line

_PATIENCE = 60.0
"""Seconds that the command may take."""


class KeyCommand:
    """Keeps the key that a command printed. No shell runs it, and it stands in endpoints.toml alone, which is the user's own file."""

    def __init__(self, command: str, model: str) -> None:
        self._words, self._model = shlex.split(command), model
        self.name = self._words[0]
        """Program that is run."""
        self._lock, self._key = threading.Lock(), ""
        self._vain = ""
        """Key that was refused, and that the command printed once more."""

    def __repr__(self) -> str:
        return f"<KeyCommand {self.name}>"

    async def key(self, refused: str = "") -> str:
        """Return the key, a new one in the place of one that was `refused`. Raises AuthenticationError where the command gives none."""
        if self._key and (self._key != refused or refused == self._vain):
            return self._key
        return await to_thread.run_sync(self._renewed, refused, abandon_on_cancel=True)

    def _renewed(self, refused: str) -> str:
        """Run the command, unless another call has done so meanwhile."""
        with self._lock:
            if not self._key or self._key == refused:
                self._key = self._printed()
                self._vain = refused if self._key == refused else ""
            return self._key

    def _printed(self) -> str:
        try:
            done = subprocess.run(  # noqa: S603 - it is the user's own
                self._words,
                capture_output=True,
                check=False,
                stdin=subprocess.DEVNULL,
                timeout=_PATIENCE,
                text=True,
            )
        except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError) as error:
            raise self._failed(f"{type(error).__name__}: {error}") from None
        key = done.stdout.strip()
        if done.returncode:
            raise self._failed(f"it ended with exit code {done.returncode}: {done.stderr}")
        if not (key.isascii() and key.isprintable() and key):
            raise self._failed("it has to print a key, and nothing else, on one line")
        return key

    def _failed(self, why: str) -> AuthenticationError:
        return AuthenticationError(
            f"the api_key_command in endpoints.toml, {self.name}, gives no key: {one_line(why)[:400]}",
            model=self._model,
        )
