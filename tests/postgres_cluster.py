"""A PostgreSQL server of the tests' own: in a temporary folder, on this machine's loopback, and gone afterwards."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from free_port import free_port
from memory_folder import memory_folder

PROGRAMS = "/usr/lib/postgresql/*/bin"
"""Where Debian has what it does not put on the path."""

REQUIRED = "AGENTDEBATE_REQUIRE_POSTGRES"
"""Where this is set, tests fail that would be skipped without a server."""


def programs() -> Path | None:
    """The folder of initdb and pg_ctl, the newest there is; None where PostgreSQL is not installed."""
    on_path = shutil.which("initdb")
    found = [Path(on_path)] if on_path else []
    found += sorted(
        Path("/").glob(f"{PROGRAMS[1:]}/initdb"), key=lambda path: int(path.parts[-3].split(".")[0])
    )
    return found[-1].resolve().parent if found else None


_PREFIX = "agentdebate-postgres-"
_LEFT = 3600
"""Seconds after which a folder whose server does not run was left by tests that were killed."""


def _clear_away(folder: Path) -> None:
    """Remove what servers of killed tests left in a folder: it would take up memory."""
    for left in folder.glob(f"{_PREFIX}*"):
        running = left / "data" / "postmaster.pid"
        try:
            old = time.time() - left.stat().st_mtime > _LEFT
            leader = running.read_text(encoding="utf-8").split()[0] if running.exists() else ""
        except OSError:  # another worker was sooner
            continue
        if old and not (leader and Path("/proc", leader).exists()):
            shutil.rmtree(left, ignore_errors=True)


class Cluster:
    """A server with a database for each test that asks for one. It does not wait for the disk, or is not on one; no test pulls the plug.

    With `fsync` it is as people run it: on disk, and it waits for that.

    It listens on loopback, and on further addresses of this machine where `hosts` names some: then it trusts whoever comes from
    their networks of 256.
    """

    def __init__(self, programs: Path, *, hosts: Sequence[str] = (), fsync: bool = False) -> None:
        self._programs, self._hosts, self._fsync = programs, hosts, fsync
        self._user = "postgres" if os.geteuid() == 0 else None  # it refuses to be run by root
        memory = None if fsync else memory_folder()
        if memory is not None:
            _clear_away(memory)
        self._folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=memory))
        self._count = 0
        self.port = free_port()
        if self._user:
            shutil.chown(self._folder, self._user, self._user)
        self._do("initdb", "--auth=trust", "--username=tests", "--encoding=UTF8", "--locale=C", "--no-sync")
        with (self._folder / "data" / "pg_hba.conf").open("a", encoding="utf-8") as trusted:
            trusted.writelines(f"host all all {host}/24 trust\n" for host in hosts)

    def start(self) -> None:
        """Start it; it takes connections when this returns."""
        settings = {
            "listen_addresses": ",".join(("127.0.0.1", *self._hosts)),
            "port": self.port,
            "unix_socket_directories": self._folder,
            "fsync": "on" if self._fsync else "off",
            "autovacuum": "on" if self._fsync else "off",  # it would visit the databases of all tests before
            "max_connections": 60,
        }
        told = " ".join(f"-c {name}={value}" for name, value in settings.items())
        self._do(
            "pg_ctl",
            "start",
            "--wait",
            "--timeout=180",
            "--silent",
            f"--options={told}",
            f"--log={self._folder}/log",
        )

    def stop(self, mode: str = "fast") -> None:
        """Stop it: sessions are ended. "immediate" is how it looks after a crash."""
        self._do("pg_ctl", "stop", "--wait", "--timeout=180", "--silent", f"--mode={mode}")

    @contextmanager
    def encrypted(self, certificate: Path, key: Path) -> Iterator[None]:
        """Have it encrypt connections that ask for it, with a certificate, while the context lasts."""
        own = self._folder / "server.key"  # of which it wants to be the only reader
        shutil.copy(key, own)
        own.chmod(0o600)
        cert = str(shutil.copy(certificate, self._folder / "server.crt"))
        if self._user:
            shutil.chown(own, self._user, self._user)
            shutil.chown(cert, self._user, self._user)
        self._set("ssl_cert_file", cert)
        self._set("ssl_key_file", str(own))
        self._set("ssl", "on")
        self._do("pg_ctl", "reload", "--silent")
        try:
            yield
        finally:
            self._set("ssl", "off")
            self._do("pg_ctl", "reload", "--silent")

    def freeze(self, *, frozen: bool) -> None:
        """Have it take no notice of anything for a while, as behind a network that is gone."""
        leader = int((self._folder / "data" / "postmaster.pid").read_text(encoding="utf-8").split()[0])
        children = Path(f"/proc/{leader}/task/{leader}/children").read_text(encoding="utf-8").split()
        for process in (leader, *map(int, children)):
            os.kill(process, signal.SIGSTOP if frozen else signal.SIGCONT)

    def new_database(self) -> str:
        """The URL of a database with nothing in it."""
        self._count += 1
        name = f"test{self._count}"
        where = ("-h", "127.0.0.1", "-p", str(self.port), "-U", "tests")
        subprocess.run([self._programs / "createdb", *where, name], check=True, timeout=60)
        return f"postgresql://tests@127.0.0.1:{self.port}/{name}"

    def named_database(self, role: str, database: str) -> str:
        """The URL of a database of that name, whose owner is a role of that name."""
        where = ("-h", "127.0.0.1", "-p", str(self.port), "-U", "tests")
        for command in (["createuser", *where, role], ["createdb", *where, "-O", role, database]):
            subprocess.run([self._programs / command[0], *command[1:]], check=True, timeout=60)
        return f"postgresql://{quote(role, safe='')}@127.0.0.1:{self.port}/{quote(database, safe='')}"

    def is_running(self) -> bool:
        """Tell whether it was started and not stopped since."""
        return (self._folder / "data" / "postmaster.pid").exists()

    def remove(self) -> None:
        """Stop it where it runs, and remove its folder."""
        if self.is_running():
            self.stop("immediate")
        shutil.rmtree(self._folder)

    def _set(self, name: str, value: str) -> None:
        where = ("-h", "127.0.0.1", "-p", str(self.port), "-U", "tests", "-d", "postgres")
        change = f"ALTER SYSTEM SET {name} = '{value}'"
        subprocess.run([self._programs / "psql", *where, "-q", "-c", change], check=True, timeout=60)

    def _do(self, program: str, *words: str) -> None:
        subprocess.run(
            [self._programs / program, f"--pgdata={self._folder}/data", *words],
            check=True,
            timeout=240,
            user=self._user,
            group=self._user,
            extra_groups=[] if self._user else None,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
