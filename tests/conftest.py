"""What every test has: a folder of its own, an environment without keys, and the benchmark data where it is at hand."""

import gc
import logging
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings
from listener import OPENAI, SECRET, Listener, listening
from memory_folder import memory_folder
from postgres_cluster import REQUIRED, Cluster, programs

SHARED = "AGENTDEBATE_SHARED"
ROOT = Path(__file__).parents[1]
KEYS = ("OPENAI_API_KEY", "OPENAI_BASE_URL")

# Runs are held to the suite's budget, not each example to 200 ms: the machine may be busy.
settings.register_profile("agentdebate", deadline=None)
settings.load_profile("agentdebate")


def pytest_configure(config: pytest.Config) -> None:
    """Folders of tests lie in memory where there is room, unless whoever runs the tests says where they are to be."""
    folder = memory_folder()
    if folder is not None and config.getoption("basetemp") is None:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(folder))
    if sys.dont_write_bytecode:
        _keep_bytecode(config.rootpath / ".pytest_cache" / "bytecode")
    if config.getoption("cov_source", None) and not config.getoption("numprocesses", None):
        _cover_children(config.rootpath)


def _cover_children(project: Path) -> None:
    """Let the processes that tests start count for coverage too: coverage begins in each where this is in the environment."""
    os.environ["COVERAGE_PROCESS_START"] = str(project / "pyproject.toml")
    os.environ.setdefault("COVERAGE_FILE", str(project / ".coverage"))


def _keep_bytecode(folder: Path) -> None:
    """Keep bytecode in a folder of its own where Python is told to write none beside the sources.

    Tests start hundreds of interpreters, and each would compile all that it imports, which took half of the time.
    """
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(folder)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(folder)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """While tests are collected, Python looks for no garbage; later it leaves out what was made here.

    All that is made here stays until the end, and looking through it again and again took two thirds of the time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The project in the current folder is looked up there, so every test runs in an empty one of its own."""
    monkeypatch.chdir(tmp_path)
    for key in KEYS:
        monkeypatch.delenv(key, raising=False)
    monkeypatch.setenv(
        "XDG_CONFIG_HOME", str(tmp_path / "config")
    )  # no endpoints.toml of whoever runs the tests


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    """A listener, and secrets in the environment that it must never see unless the user says so."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("OPENAI_API_KEY", OPENAI)
    with listening() as server:
        yield server


@pytest.fixture(autouse=True)
def _logs_as_before() -> Iterator[None]:
    """Undo what a test sets up for log records, as pages on logs do."""
    loggers = [logging.getLogger(), logging.getLogger("agentdebate")]
    before = [(logger.level, list(logger.handlers)) for logger in loggers]
    yield
    for logger, (level, handlers) in zip(loggers, before, strict=True):
        logger.setLevel(level)
        logger.handlers[:] = [one for one in logger.handlers if one in handlers]


@pytest.fixture(scope="session", autouse=True)
def _interruptible() -> Iterator[None]:
    """Processes that tests start take Ctrl-C, also where the suite runs in the background of a shell, which ignores it."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The benchmark data: AGENTDEBATE_SHARED, or shared/data beside the project.

    With AGENTDEBATE_REQUIRE_SHARED, which .ci/run sets, it has to be there.
    """
    folder = Path(os.environ.get(SHARED) or ROOT.parent / "shared" / "data").resolve()
    if not folder.is_dir():
        reason = f"the benchmark data is not at {folder}; {SHARED} says where it is"
        if os.environ.get("AGENTDEBATE_REQUIRE_SHARED"):
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server, where PostgreSQL is installed. With AGENTDEBATE_REQUIRE_POSTGRES, which .ci/run sets, it has to be."""
    found = programs()
    if found is None or find_spec("psycopg") is None:
        lack = (
            "PostgreSQL is not installed (Debian: postgresql)"
            if found is None
            else "psycopg is not installed"
        )
        if os.environ.get(REQUIRED):
            pytest.fail(lack)
        pytest.skip(lack)
    server = Cluster(found)
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def new_store(request: pytest.FixtureRequest) -> Callable[[str], str]:
    """Where a new store of a name is: once a SQLite file in the test's folder, and once a database of a PostgreSQL server."""
    if request.param == "sqlite":
        return lambda name: f"{name}.db"
    server: Cluster = request.getfixturevalue("cluster")
    places: dict[str, str] = {}

    def place(name: str) -> str:
        if name not in places:
            places[name] = server.new_database()
        return places[name]

    return place
