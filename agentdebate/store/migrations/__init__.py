"""The migrations of a store's tables, one file a schema, run by Alembic in their order (store/migrate.py).

A migration has the tables of its own time in it, so that it stays what it was when schema.py goes on. What has been released is
never changed, only added to.
"""
