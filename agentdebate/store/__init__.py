"""The run on disk: its configuration, items, debates, completions and verdicts.

engine.py opens a store, a file or a database on a server, and looks at it first; database.py is the one place where SQL is sent; damage.py
has a database's errors as StoreError and says which record cannot be read. A table stands in the module that reads and writes it: _runs.py
(runs, items, what a run found out), _in_flight.py (what debates say while they are held, and their documents afterwards), _debates.py
(debates that have ended, scores, costs), crew.py (queues, leases, workers), schema.py (the cache of completions, which cache.py keeps).
writer.py is the one writer with group commit, and debate_writer.py says how rows get in; reader.py reads them back, rows.py checks their
values, stored_run.py and run_tables.py are what open_store gives, and debate_list.py lists debates page by page. resume.py takes a run up
again. upkeep.py copies, checks and deletes runs. lock.py says who writes. SQLite holds a run in one file that can be read while it is
written and after the writer was killed. schema_6.py brings over the stores of the versions before.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
