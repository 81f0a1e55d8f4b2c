"""Key that a command of the user's prints, such as a token that expires: it is run for the first call, and again where an endpoint refuses the key."""

import shlex
import subprocess
import threading

from anyio import to_thread

from agentdebate.errors import AuthenticationError
from agentdebate.visible import one_line, shortened

_PATIENCE = 60.0
"""Seconds that the command may take."""
_SHOWN = 400
"""Characters of its complaint that an error quotes."""


class KeyCommand:
    """Keeps the key that a command printed. No shell runs it, and it stands in endpoints.toml alone, which is the user's own file."""

    def __init__(self, command: str, model: str) -> None:
        self._words, self._model = shlex.split(command), model
        self.name = self._words[0]
        """Program that is run."""
        self._lock, self._runs = threading.Lock(), 0
        self._key = self._problem = ""
        self._vain = ""
        """Key that was refused, and that the command printed once more."""

    def __repr__(self) -> str:
        return f"<KeyCommand {self.name}>"

    async def key(self, refused: str = "") -> str:
        """Return the key, a new one in the place of one that was `refused`. Raises AuthenticationError where the command gives none."""
        runs = self._runs  # before what a run that ends meanwhile changes
        if self._key and (self._key != refused or refused == self._vain):
            return self._key
        return await to_thread.run_sync(self._renewed, refused, runs, abandon_on_cancel=True)

    def _renewed(self, refused: str, runs: int) -> str:
        """Run the command; calls that were waiting for that have its outcome too."""
        with self._lock:
            if self._runs == runs:
                self._key, self._problem = self._printed()
                self._vain = refused if self._key == refused else ""
                self._runs += 1
            if self._problem:
                told = f"the api_key_command in endpoints.toml, {self.name}, gives no key: {self._problem}"
                raise AuthenticationError(told, model=self._model)
            return self._key

    def _printed(self) -> tuple[str, str]:
        """The key that the command prints, and what is wrong where it prints none."""
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
            return "", f"{type(error).__name__}: {error}"
        key = done.stdout.strip()
        if done.returncode:
            return (
                "",
                f"it ended with exit code {done.returncode}: {shortened(one_line(done.stderr), _SHOWN)}",
            )
        if not (key.isascii() and key.isprintable() and key):
            return "", "it has to print a key, and nothing else, on one line"
        return key, ""
