"""Numbers that papers print come out of the data digit for digit, and the page of the documentation shows them."""

from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def found(shared: Path) -> Any:
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(ROOT)
        from benchmarks.published_cells import published

        return list(published(shared))


@pytest.mark.shared
def test_every_printed_digit_is_recomputed(found: Any) -> None:
    """But for one, which is known to have been rounded twice."""
    differ = {
        (row.judge, cell.aspect, cell.printed, cell.recomputed)
        for row in found
        for cell in row.cells
        if not cell.equal
    }
    assert differ == {("BLEU-4", "coherence", ".235", ".234")}
    assert sum(len(row.cells) for row in found) == 55


@pytest.mark.shared
def test_the_page_has_the_table_as_it_comes_out(found: Any) -> None:
    """Mend a failure with: python -m benchmarks papers --write."""
    from benchmarks.papers import PAGE, exact_table

    assert "\n".join(exact_table(found)) in PAGE.read_text(encoding="utf-8")
