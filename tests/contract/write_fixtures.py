"""Write the stores that later versions have to bring over: once, by the version whose stores they are.

    python tests/contract/write_fixtures.py

strategies.db.gz has a run of each built-in strategy, half.db.gz a run that was killed half-way, queue.sql.gz a database of PostgreSQL with
a queue that was worked off half-way and a worker that was killed, labels.jsonl what a person gave in the viewer of strategies.db. A fixture
that is there stays as it is.
"""

import gzip
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import doors  # noqa: E402 - found on the path that was just set
import scripted_judge  # noqa: E402
from browser import hidden, viewing  # noqa: E402
from postgres_cluster import Cluster, programs  # noqa: E402
from scripted_endpoint import ScriptedEndpoint, scripted_endpoint  # noqa: E402

FIXTURES = HERE / "held" / "fixtures"
FIELDS = {
    "source": "The bridge at Kelby is shut for eleven weeks. Two bearings are corroded.",
    "summary": "Kelby's bridge is shut for eleven weeks.",
    "reference": "The bridge is shut while corroded bearings are replaced.",
}
ANSWERS = {
    "question": "Why is the bridge shut?",
    "answer_1": "Two of its bearings are corroded.",
    "answer_2": "I do not know why.",
    "reference": "Its bearings are corroded.",
}
COMPARING = {"chateval", "drpe", "drpe-static", "drpe-swapped", "faireval", "llmscore", "mdrpe"}
ROWS = [
    {
        "id": f"i{n}",
        "source": f"The bridge is shut. #{n}",
        "summary": f"It is shut. #{n}",
        "human": {"relevance": 1 + n % 5},
    }
    for n in range(1, 13)
]


def strategies() -> None:
    """Hold a run of two items by each built-in strategy."""
    for name in doors.built_in("strategies"):
        task, fields = ("comparison", ANSWERS) if name in COMPARING else ("summarization", FIELDS)
        aspects = None if name in COMPARING else "relevance"
        people = {} if name in COMPARING else {"relevance": 4.0}
        items = [
            doors.item(task, fields, name=one, human=people, group="a", system=one)
            for one in ("item", "stubborn")
        ]
        doors.evaluate(items, name, scripted_judge.answer, aspects=aspects, store="strategies.db")


def begun(endpoint: ScriptedEndpoint, *words: str, calls: int) -> None:
    """Begin a command line in a process of its own, and kill it after some calls."""
    with subprocess.Popen([sys.executable, "-m", "agentdebate", *words]) as process:
        while len(endpoint.received) < calls:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)


def entering(endpoint: ScriptedEndpoint, store: str) -> tuple[str, ...]:
    """A run by DEBATE of twelve items on the endpoint."""
    words = (
        "run",
        "debate",
        "data.jsonl",
        "--task",
        "summarization",
        "--aspects",
        "relevance",
        "--store",
        store,
    )
    return (*words, "--model", "openai/m", "--base-url", endpoint.base_url, "--concurrency", "2")


def kept(source: bytes, name: str) -> None:
    """Compress a fixture, the same bytes for the same store."""
    (FIXTURES / f"{name}.gz").write_bytes(gzip.compress(source, mtime=0))


def labels() -> None:
    """Label both items of the run of DEBATE in the viewer, as a person would."""
    Path("labelled.db").write_bytes(gzip.decompress((FIXTURES / "strategies.db.gz").read_bytes()))
    run = doors.runs("labelled.db")["debate"]
    with viewing("labelled.db", run, "--label", "labels.jsonl") as desk:
        desk.enter()
        for score in ("4", "2"):
            desk.send("/", {**hidden(desk.get("/").body), "relevance": score})
    (FIXTURES / "labels.jsonl").write_bytes(Path("labels.jsonl").read_bytes())


def main() -> None:
    """Write all that are not there."""
    os.chdir(tempfile.mkdtemp())
    os.environ["XDG_CONFIG_HOME"] = str(Path.cwd())
    doors.write_rows("data.jsonl", ROWS)
    FIXTURES.mkdir(exist_ok=True)
    for name, write in WRITERS.items():
        if not (FIXTURES / name).exists():
            write()


def every_strategy() -> None:
    """Write a store with a run of each built-in strategy."""
    strategies()
    kept(Path("strategies.db").read_bytes(), "strategies.db")


def half() -> None:
    """Write a store with a run that was killed."""
    with scripted_endpoint() as endpoint:
        endpoint.delay = 0.1
        begun(endpoint, *entering(endpoint, "half.db"), calls=11)
        doors.typed(
            "store", "info", "--store", "half.db"
        )  # whoever opens it takes the log of writes into the file
        subprocess.run(["sqlite3", "half.db", "PRAGMA wal_checkpoint(TRUNCATE)"], check=True)
        kept(Path("half.db").read_bytes(), "half.db")


def server() -> None:
    """Write a dump of PostgreSQL."""
    found = programs()
    assert found is not None, "PostgreSQL is not installed (Debian: postgresql)"
    cluster = Cluster(found)
    try:
        cluster.start()
        queue(cluster, found)
    finally:
        cluster.remove()


def queue(cluster: Cluster, programs: Path) -> None:
    """Enter a run for workers, have one work until it is killed, and dump the database."""
    store = cluster.new_database()
    with scripted_endpoint() as endpoint:
        endpoint.delay = 0.1
        assert doors.typed(*entering(endpoint, store), "--queue").code == 0
        allowed = endpoint.root.removeprefix("http://")
        begun(
            endpoint, "work", "last", "--store", store, "--allow-endpoint", allowed, "--lease", "60", calls=11
        )
    dumped = subprocess.run(
        [programs / "pg_dump", "--no-owner", "--inserts", "--dbname", store], capture_output=True, check=True
    )
    kept(dumped.stdout, "queue.sql")


WRITERS = {
    "strategies.db.gz": every_strategy,
    "half.db.gz": half,
    "queue.sql.gz": server,
    "labels.jsonl": labels,
}


if __name__ == "__main__":
    main()
