"""What a store's URL says about encryption is done, on a server that has a certificate, and nothing is encrypted half."""

import subprocess
from pathlib import Path
from shutil import which

import pytest
from postgres_cluster import Cluster

import agentdebate as ad
from agentdebate.errors import StoreError
from agentdebate.store.engine import open_database


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


@pytest.mark.postgres
def test_a_store_on_a_server_with_a_certificate_is_reached_encrypted(
    cluster: Cluster, tmp_path: Path
) -> None:
    cert, key = certificate(tmp_path)
    store = cluster.new_database()
    encrypted = store.replace("127.0.0.1", "localhost")
    with pytest.raises(StoreError, match="SSL"):
        ad.store.store_info(f"{encrypted}?sslmode=require")
    open_database("empty.db", create=True).close()
    assert ad.store.copy_runs("empty.db", store) == []
    with cluster.encrypted(cert, key):
        assert ad.store.store_info(f"{store}?sslmode=disable").runs == 0
        assert ad.store.store_info(f"{encrypted}?sslmode=verify-full&sslrootcert={cert}").runs == 0
        assert ad.store.store_info(f"{encrypted}?sslmode=require").runs == 0
        for words in ("sslmode=verify-full", f"sslmode=verify-full&sslrootcert={cert}"):
            with pytest.raises(StoreError, match=r"(?i)certificate"):
                ad.store.store_info(f"{store}?{words}")
    with pytest.raises(StoreError, match="sslmodus"):
        ad.store.store_info(f"{store}?sslmodus=require")
