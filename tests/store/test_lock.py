"""The lock of a run: one process at a time, freed by its death, seen by those who look."""

import fcntl
import os
from pathlib import Path

import pytest
from run_locks import hold, is_held

from agentdebate.errors import StoreError, UsageError
from agentdebate.store import session

STORE, RUN = "runs.db", "20261120-0912-debate-3f9a"
FILE = Path(f"{STORE}-{RUN}.lock")


def refused(store: str = STORE) -> None:
    with pytest.raises(UsageError, match=f"another process is at work on run {RUN}; wait"):
        hold(store, RUN).__enter__()


def test_a_file_that_a_killed_process_left_behind_locks_nothing() -> None:
    FILE.touch()
    assert not is_held(STORE, RUN)
    with hold(STORE, RUN):
        assert is_held(STORE, RUN)
        refused()
    assert not FILE.exists()


def test_somebody_who_only_looks_keeps_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    FILE.touch()
    looking = os.open(FILE, os.O_RDONLY)
    assert session._try(looking, shared=True)
    tried = session._try

    def until_gone(handle: int, *, shared: bool = False) -> bool:
        got = tried(handle, shared=shared)
        fcntl.flock(looking, fcntl.LOCK_UN)  # it has seen enough
        return bool(got)

    monkeypatch.setattr(session, "_try", until_gone)
    with hold(STORE, RUN):
        pass
    os.close(looking)


def test_a_file_that_was_unlinked_before_it_was_locked_is_not_taken_for_the_lock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Or two could hold the lock: one of a file that is there, one of a file that is not there any more."""
    tried, gone = session._try, list[bool]()

    def unlinked(handle: int, *, shared: bool = False) -> bool:
        if not gone:
            gone.append(True)
            FILE.unlink()
        return bool(tried(handle, shared=shared))

    monkeypatch.setattr(session, "_try", unlinked)
    with hold(STORE, RUN):
        assert FILE.is_file()
        refused()


@pytest.mark.parametrize("other", ["folder/../runs.db", "link.db", "absolute"])
def test_the_same_store_by_another_name_has_the_same_lock(other: str) -> None:
    Path("folder").mkdir()
    Path(STORE).touch()
    Path("link.db").symlink_to(STORE)
    name = str(Path(STORE).absolute()) if other == "absolute" else other
    with hold(STORE, RUN):
        assert is_held(name, RUN)
        refused(name)


def test_a_link_in_the_place_of_a_lock_is_held_and_not_followed() -> None:
    FILE.symlink_to("elsewhere")
    assert is_held(STORE, RUN)
    with pytest.raises(StoreError, match=r"the lock .* cannot be made"):
        hold(STORE, RUN).__enter__()
    assert not Path("elsewhere").exists()


@pytest.mark.parametrize("run", ["../outside", "a/b", "a\\b", "line\nend", "\x00"])
def test_a_run_whose_name_leads_to_another_file_has_no_lock(run: str) -> None:
    Path(f"{STORE}-..").mkdir()
    Path("outside.lock").touch()
    assert is_held(STORE, run) is False
    with pytest.raises(StoreError, match="not the name of a run"):
        hold(STORE, run).__enter__()
    assert Path("outside.lock").exists()
