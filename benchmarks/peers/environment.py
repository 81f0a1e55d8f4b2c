"""The virtual environments that peers run in: made once, by pip from the index that is configured, and kept in build/peers."""

import hashlib
import json
import subprocess
import sys
import venv
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.peers.peer import HERE, Peer

CHECKOUT = Path(__file__).parents[2]
FOLDER = CHECKOUT / "build" / "peers"
_PATIENCE = "60"
"""Seconds that pip waits for the index, twice."""


class NotBuiltError(Exception):
    """Why an environment could not be made, in a line."""


def build(peers: Iterable[Peer]) -> tuple[dict[str, Path], dict[str, str]]:
    """The interpreters by environment, and why there is none; several are made at a time."""
    needed = {peer.environment: peer.needs for peer in peers}
    pythons, missing = {}, {}
    with ThreadPoolExecutor(max_workers=4) as pool:
        begun = {name: pool.submit(_built, FOLDER / name, needs) for name, needs in needed.items()}
        for name, one in begun.items():
            try:
                pythons[name] = one.result()
            except NotBuiltError as error:
                missing[name] = str(error)
    return pythons, missing


def _built(folder: Path, needs: tuple[str, ...]) -> Path:
    """The interpreter of an environment, made anew where it needs other things by now. Raises NotBuiltError."""
    python, mark, wanted = folder / "bin" / "python", folder / "made-of.json", made_of(needs)
    if mark.exists() and json.loads(mark.read_text(encoding="utf-8")) == wanted:
        return python
    # In one piece with its line end: several are made at a time.
    sys.stdout.write(f"making the environment {folder.name}: pip install {' '.join(needs)}\n")
    sys.stdout.flush()
    try:
        venv.create(folder, clear=True, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise NotBuiltError(f"no virtual environment: {error}") from error
    _install(python, needs)
    mark.write_text(json.dumps(wanted), encoding="utf-8")
    return python


def made_of(needs: tuple[str, ...]) -> Mapping[str, str]:
    """What an environment follows from: when this changes, it is made anew."""
    project = (CHECKOUT / "pyproject.toml").read_bytes() if HERE in needs else b""
    return {
        "python": sys.version,
        "needs": " ".join(needs),
        "project": hashlib.sha256(project).hexdigest(),
        "checkout": str(CHECKOUT),
    }


def _install(python: Path, needs: tuple[str, ...]) -> None:
    wanted = [word for need in needs for word in (("--editable", need) if need == HERE else (need,))]
    command = [str(python), "-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", _PATIENCE]
    done = subprocess.run([*command, *wanted], cwd=CHECKOUT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotBuiltError(why(done.stderr))


def why(said: str) -> str:
    """What pip gives as its reason, of all that it said."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    return (errors or lines or ["pip did not say why"])[-1]
