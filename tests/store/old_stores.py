"""A store as the version before Alembic wrote it, kept as it was.

It holds a run by `debate` of four items of which one failed, one that was killed, drpe-swapped on pairs, a sweep with its
control, and geval, which finds its steps once for all debates.
"""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

FILE = Path(__file__).with_name("store_of_schema_2.db.gz")
ENDED, KILLED, PAIRS, SWEPT, CONTROL, STEPS = (
    "20261122-153254-debate-196a",
    "20261122-153257-debate-7167",
    "20261122-153300-drpe-swapped-b2b1",
    "20261122-153307-debate-6e51",
    "20261122-153307-solo-repeated-ff84",
    "20261122-153312-geval-fe3f",
)


def write_old_store(path: str | Path = "old.db", *, schema: int = 2) -> Path:
    """The old store in a file of the test's own; with schema 1, as before things were found out once for all debates."""
    there = Path(path)
    there.write_bytes(gzip.decompress(FILE.read_bytes()))
    if schema == 1:
        with closing(sqlite3.connect(there)) as store, store:
            store.execute("drop table found")
            store.execute("delete from schema_version where version > 1")
    return there
