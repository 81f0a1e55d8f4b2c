"""What a store's URL says about encryption is done, on a server that has a certificate, and nothing is encrypted half."""

import ssl
import subprocess
from pathlib import Path
from shutil import which

import pytest
import sqlalchemy as sa
from postgres_cluster import Cluster

import agentdebate as ad
from agentdebate.errors import StoreError, UsageError
from agentdebate.store.driver import MODES, without_tls
from agentdebate.store.engine import open_database


def url(words: str) -> sa.URL:
    return sa.make_url(f"postgresql://me@host/base{words}")


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost that has signed itself, and its key."""
    if which("openssl") is None:
        pytest.skip("openssl is not installed, which makes the certificate")
    cert, key = folder / "server.crt", folder / "server.key"
    words = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    ]
    names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(cert)]
    subprocess.run([*words, *names], check=True, capture_output=True, timeout=60)
    return cert, key


def test_a_url_that_says_nothing_is_left_as_it_is() -> None:
    assert without_tls(url("")) == (url(""), None)
    assert without_tls(url("?sslmode=disable&unix_sock=a")) == (url("?unix_sock=a"), False)
    assert without_tls(url("?sslmode=prefer")) == (url(""), None)


@pytest.mark.parametrize(
    ("mode", "verifies", "host"),
    [
        ("require", ssl.CERT_NONE, False),
        ("verify-ca", ssl.CERT_REQUIRED, False),
        ("verify-full", ssl.CERT_REQUIRED, True),
    ],
)
def test_each_mode_verifies_what_it_says(mode: str, verifies: ssl.VerifyMode, host: bool) -> None:
    rest, context = without_tls(url(f"?sslmode={mode}"))
    assert context
    assert (rest, context.verify_mode, context.check_hostname) == (url(""), verifies, host)


def test_require_believes_only_what_the_root_has_signed_where_there_is_one(tmp_path: Path) -> None:
    root, _ = certificate(tmp_path)
    _, context = without_tls(url(f"?sslmode=require&sslrootcert={root}"))
    assert context
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, False)
    assert len(context.get_ca_certs()) == 1


def test_a_client_has_its_own_certificate(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    assert without_tls(url(f"?sslmode=require&sslcert={cert}&sslkey={key}"))[1]
    with pytest.raises(UsageError, match=r"sslcert=.*cannot be used"):
        without_tls(url(f"?sslmode=require&sslcert={key}"))


@pytest.mark.parametrize("mode", ["allow", "verify", "on"])
def test_a_mode_that_is_not_known_is_refused(mode: str) -> None:
    with pytest.raises(UsageError, match=f"sslmode={mode}.*{', '.join(MODES)}"):
        without_tls(url(f"?sslmode={mode}"))


@pytest.mark.parametrize(
    ("store", "said"),
    [
        ("mysql://me@localhost/base", "a store is a SQLite file or a PostgreSQL database, not one of mysql"),
        ("oracle://me@localhost/base", "not one of oracle"),
        ("postgresql://me@localhost/base?sslmodus=require", "Did you mean 'sslmode'?"),
        ("postgresql://me@localhost/base?sslrootcert=/none.pem", "sslrootcert=/none.pem"),
    ],
)
def test_a_url_that_cannot_be_used_says_why(store: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        ad.store_info(store)
    assert said in str(raised.value)


def test_a_store_on_a_server_with_a_certificate_is_reached_encrypted(
    cluster: Cluster, tmp_path: Path
) -> None:
    cert, key = certificate(tmp_path)
    store = cluster.new_database()
    encrypted = store.replace("127.0.0.1", "localhost")
    with pytest.raises(StoreError, match="SSL"):
        ad.store_info(f"{encrypted}?sslmode=require")
    assert ad.copy_runs(empty_store(), store) == []
    with cluster.encrypted(cert, key):
        assert ad.store_info(f"{store}?sslmode=disable").runs == 0
        assert ad.store_info(f"{encrypted}?sslmode=verify-full&sslrootcert={cert}").runs == 0
        assert ad.store_info(f"{encrypted}?sslmode=require").runs == 0
        with pytest.raises(StoreError, match=r"(?i)certificate"):
            ad.store_info(f"{encrypted}?sslmode=verify-full")
        with pytest.raises(StoreError, match=r"(?i)certificate"):
            ad.store_info(f"{store}?sslmode=verify-full&sslrootcert={cert}")


def empty_store() -> Path:
    """A store without a run."""
    open_database("empty.db", create=True).close()
    return Path("empty.db")
