"""The run on disk: its configuration, items, messages, completions and verdicts.

schema.py has the tables and the numbered migrations, writer.py the one writer with group commit, reader.py what is read
back. SQLite holds a run in one file that can be read while it is written and after the writer was killed.
"""
