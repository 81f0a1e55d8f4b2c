from .table import Table as Table

__all__: list[str]
