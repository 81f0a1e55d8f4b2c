"""What a store's URL says about encryption is done, on a server that has a certificate, and nothing is encrypted half."""

import subprocess
from pathlib import Path
from shutil import which

import pytest

import agentdebate as ad
from agentdebate.errors import UsageError


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


@pytest.mark.parametrize("name", ["mysql", "oracle", "postgresql+asyncpg"])
def test_another_database_or_driver_is_refused_without_its_password(name: str) -> None:
    with pytest.raises(
        UsageError, match=r"a PostgreSQL database \(postgresql://\.\.\.\), not one of"
    ) as raised:
        ad.store.store_info(f"{name}://me:hunter22@localhost/base")
    assert "hunter22" not in str(raised.value)
