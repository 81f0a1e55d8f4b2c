"""CONTRIBUTING says what the tests enforce."""

import re

import test_layers as layers
from snippets import ROOT

ROW = re.compile(r"^\| (`.+`) \| (.+) \|$", re.MULTILINE)
NAME = re.compile(r"`([\w.]+)`")


def test_the_table_of_imports_is_the_one_that_is_enforced() -> None:
    together = {
        "the ballots": layers.BALLOTS,
        "the talk": layers.TALK,
        "the agents": layers.AGENTS,
        "the debates": layers.DEBATES,
        "the runs": layers.RUNS,
    }
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = page.partition("### Who may import what")[2].partition("\n## ")[0]
    said = {
        module: {
            *NAME.findall(cell),
            *(name for words in together if words in cell for name in together[words]),
        }
        for modules, cell in ROW.findall(section)
        for module in NAME.findall(modules)
    }
    assert said == {module: set(allowed) for module, allowed in layers.MAY_IMPORT.items()}
