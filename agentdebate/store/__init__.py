"""The run on disk: its configuration, items, messages, completions and verdicts.

engine.py opens a store and looks at it first, database.py and session.py are the one place where SQL is sent, problems.py
has a database's errors as StoreError, rows.py and damage.py what a row has to hold. schema.py has the tables and the
numbered migrations, writer.py the one writer with group commit, reader.py what is read back, lock.py who writes. SQLite
holds a run in one file that can be read while it is written and after the writer was killed; sqlite_file.py has what holds
for each such file, the caches' included.
"""
