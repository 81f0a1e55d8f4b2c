"""Datasets from their authors' addresses: into which place, checked by what, and what happens where nothing comes."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from agentdebate.datasets.download import SUMS, Got, Missed, cache_folder, get

from agentdebate.datasets.data_source import digest
from agentdebate.datasets.dataset import Dataset, Remote
from agentdebate.datasets.hanna import HANNA
from agentdebate.errors import ConnectionFailed, DataError
from agentdebate.models.http import fetch

URL = "https://example.org/files/"


def dataset(*files: Remote) -> Dataset:
    return replace(HANNA, origin=replace(HANNA.origin, files=files))


def serving(**files: bytes) -> Callable[[str], Iterator[bytes]]:
    """Fetches files by the last part of their address, a few bytes at a time."""

    def fetch(url: str) -> Iterator[bytes]:
        name = url.rpartition("/")[2].replace(".", "_")
        if name not in files:
            raise ConnectionFailed("no way there")
        data = files[name]
        return (data[start : start + 3] for start in range(0, len(data), 3))

    return fetch


def names(folder: str) -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


def remote(name: str, **more: str) -> Remote:
    return Remote(URL + name, f"in/{name}", **more)


def test_files_go_to_their_places_with_their_checksums_beside_them() -> None:
    (got,) = get(dataset(remote("a.csv")), Path("to"), fetch=serving(a_csv=b"some data"))
    assert isinstance(got, Got)
    assert (got.path, got.size, got.fetched) == (Path("to/in/a.csv"), 9, True)
    assert got.path.read_bytes() == b"some data"
    assert got.sha256 == sha256(b"some data").hexdigest()
    assert Path("to", SUMS).read_text(encoding="utf-8") == f"{got.sha256}  in/a.csv\n"
    assert names("to/in") == ["a.csv"], "and nothing else"


def test_what_is_there_as_it_was_fetched_is_left_alone() -> None:
    data = dataset(remote("a.csv"))
    list(get(data, Path("to"), fetch=serving(a_csv=b"some data")))
    (again,) = get(data, Path("to"), fetch=serving())
    assert isinstance(again, Got)
    assert not again.fetched


def test_what_was_changed_since_is_fetched_again() -> None:
    data = dataset(remote("a.csv"))
    list(get(data, Path("to"), fetch=serving(a_csv=b"some data")))
    Path("to/in/a.csv").write_bytes(b"half of")
    (again,) = get(data, Path("to"), fetch=serving(a_csv=b"some data"))
    assert isinstance(again, Got)
    assert again.fetched
    assert again.path.read_bytes() == b"some data"


def test_what_somebody_put_there_is_taken_where_no_checksum_is_known() -> None:
    Path("to/in").mkdir(parents=True)
    Path("to/in/a.csv").write_bytes(b"by hand")
    (got,) = get(dataset(remote("a.csv")), Path("to"), fetch=serving())
    assert isinstance(got, Got)
    assert (got.fetched, got.path.read_bytes()) == (False, b"by hand")


def test_a_file_without_the_checksum_that_is_known_is_refused_and_not_kept() -> None:
    wanted = sha256(b"right").hexdigest()
    with pytest.raises(DataError, match=f"a.csv is not the file that is known: .*, not {wanted}"):
        list(get(dataset(remote("a.csv", sha256=wanted)), Path("to"), fetch=serving(a_csv=b"wrong")))
    assert names("to/in") == []
    (got,) = get(dataset(remote("a.csv", sha256=wanted)), Path("to"), fetch=serving(a_csv=b"right"))
    assert got.remote.sha256 == wanted


def test_a_file_that_breaks_off_is_not_kept_and_the_old_one_stays() -> None:
    data = dataset(remote("a.csv"))
    list(get(data, Path("to"), fetch=serving(a_csv=b"old")))
    Path("to/in/a.csv").write_bytes(b"changed")

    def breaking(_: str) -> Iterator[bytes]:
        yield b"ha"
        raise ConnectionFailed("it broke off")

    with pytest.raises(DataError, match="cannot be had: it broke off"):
        list(get(data, Path("to"), fetch=breaking))
    assert Path("to/in/a.csv").read_bytes() == b"changed"
    assert names("to/in") == ["a.csv"]


def test_where_nothing_comes_it_is_said_which_files_to_put_where() -> None:
    files = (remote("a.csv"), remote("b.csv"), remote("c.csv", gives="more"))
    with pytest.raises(DataError) as raised:
        list(get(dataset(*files), Path("to"), fetch=serving(a_csv=b"some data")))
    assert str(raised.value) == (
        "in/b.csv cannot be had: no way there. Fetch by other means what is missing "
        f"({URL}b.csv to to/in/b.csv), and read the dataset from that folder with dataset='hanna'"
    )


def test_a_file_that_only_adds_something_may_be_missing() -> None:
    files = (remote("a.csv", gives="single ratings"), remote("b.csv"))
    missed, got = get(dataset(*files), Path("to"), fetch=serving(b_csv=b"x"))
    assert missed == Missed(files[0], "no way there")
    assert isinstance(got, Got)


def test_a_folder_that_cannot_be_written_is_named() -> None:
    Path("to").write_text("a file", encoding="utf-8")
    with pytest.raises(DataError, match=r"to/in/a\.csv: cannot be written"):
        list(get(dataset(remote("a.csv")), Path("to"), fetch=serving(a_csv=b"x")))


def test_the_cache_is_where_the_system_has_such_things_unless_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    monkeypatch.delenv("AGENTDEBATE_CACHE", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    assert cache_folder() == Path("/caches/agentdebate/datasets")
    monkeypatch.setenv("AGENTDEBATE_CACHE", "mine")
    assert cache_folder() == Path("mine/datasets")
    list(get(dataset(remote("a.csv")), fetch=serving(a_csv=b"x")))
    assert Path("mine/datasets/hanna/in/a.csv").is_file()


def test_a_folders_digest_changes_with_any_file_in_it() -> None:
    Path("f/in").mkdir(parents=True)
    Path("f/a").write_text("x", encoding="utf-8")
    before = digest(Path("f"))
    Path("f/in/b").write_text("y", encoding="utf-8")
    assert digest(Path("f")) != before


class _Site(BaseHTTPRequestHandler):
    """Answers by the path: a file, a way on, a status, or half of what it says."""

    def do_GET(self) -> None:
        body = b"the file" * 1000
        status = {"/moved": 302, "/gone": 404, "/down": 503}.get(self.path, 200)
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/file")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:4000] if self.path == "/half" else body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A web server on this machine."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with ThreadingHTTPServer(("127.0.0.1", 0), _Site) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("path", ["/file", "/moved"])
def test_a_file_comes_over_http_in_parts(site: str, path: str) -> None:
    assert b"".join(fetch(site + path)) == b"the file" * 1000


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/gone", r"127\.0\.0\.1 answered HTTP 404"),
        ("/down", r"127\.0\.0\.1 answered HTTP 503"),
        ("/half", r"the answer of 127\.0\.0\.1 broke off"),
    ],
)
def test_what_does_not_come_over_http_is_said_with_what_to_do(site: str, path: str, said: str) -> None:
    with pytest.raises(DataError, match=f"in/a.csv cannot be had: {said}.*to to/in/a.csv"):
        list(get(dataset(Remote(site + path, "in/a.csv")), Path("to")))
    assert names("to/in") == []


def test_where_nobody_listens_it_is_said_who_could_not_be_talked_to() -> None:
    with pytest.raises(ConnectionFailed, match=r"cannot talk to 127\.0\.0\.1: connection refused"):
        list(fetch("http://127.0.0.1:9/x"))
