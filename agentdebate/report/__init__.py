"""What people look at: tables, plots and pages, made of what a run has left behind."""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _Report(ModuleType):
    """The package, which can be called: `agentdebate.report()` is `agentdebate.write_report()`."""

    def __call__(self, *runs: str, **options: Any) -> Any:
        """Write runs into one file."""
        return import_module("agentdebate.viewer.report").write_report(*runs, **options)


sys.modules[__name__].__class__ = _Report
