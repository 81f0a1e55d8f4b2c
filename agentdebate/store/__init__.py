"""The run on disk: its configuration, items, debates, completions and verdicts.

engine.py opens a store, a file or a database on a server, and looks at it first; database.py is the one place where SQL is sent; damage.py
has a database's errors as StoreError and says which record cannot be read. schema.py has the tables, documents.py how texts are packed.
writer.py is the one writer with group commit, session.py says who writes, and debate_writer.py
how rows get in; crew.py has queues, leases and workers. reader.py reads rows back, rows.py checks their values, stored_run.py and
run_tables.py are what open_store gives; run_head.py is how a run was begun; debate_list.py looks at many debates at once. resume.py takes a run
up again. upkeep.py copies, checks and deletes runs. cache.py keeps completions for several runs. SQLite holds a run in one file that can be
read while it is written and after the writer was killed. schema_6.py brings over the stores of the version before.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
