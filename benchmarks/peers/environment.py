"""Virtual environments for peers: made once, by pip from the configured index, and kept in build/peers."""

import json
import subprocess
import sys
import venv
from pathlib import Path

from benchmarks.peers.peer import HERE, Peer

CHECKOUT = Path(__file__).parents[2]
FOLDER = CHECKOUT / "build" / "peers"


class NotBuiltError(Exception):
    """The reason why an environment could not be made, in a line."""


def interpreter(peer: Peer) -> Path:
    """Return the interpreter of a peer's environment, made anew where it needs other packages by now. Raises NotBuiltError."""
    folder = FOLDER / peer.environment
    python, mark = folder / "bin" / "python", folder / "made-of.json"
    project = (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8") if HERE in peer.needs else ""
    made_of = [sys.version, *peer.needs, project]
    if mark.exists() and json.loads(mark.read_text(encoding="utf-8")) == made_of:
        return python
    print(f"making the environment {peer.environment}: pip install {' '.join(peer.needs)}", flush=True)
    venv.create(folder, clear=True, with_pip=True)
    needs = [word for need in peer.needs for word in (("--editable", need) if need == HERE else (need,))]
    command = [str(python), "-m", "pip", "install", "--quiet", "--retries", "1", *needs]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotBuiltError((done.stderr.strip().splitlines() or ["pip gave no reason"])[-1])
    mark.write_text(json.dumps(made_of), encoding="utf-8")
    return python
