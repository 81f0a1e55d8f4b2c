"""The Python of the pages is clean under mypy's strict rules, as a user's editor would check it."""

import subprocess
import sys
from pathlib import Path
from textwrap import indent

import pytest
from snippets import ROOT, Block, blocks, pages


def written(block: Block) -> bool:
    """Tell whether a block is a file of the reader's."""
    return "file" in block.options


def as_modules(folder: Path) -> None:
    """Write the blocks that are run as a coroutine a page, at their own lines, and the files that pages have the reader write."""
    for page in pages():
        shown = [
            block for block in blocks(page) if block.language == "python" and "from" not in block.options
        ]
        for block in filter(written, shown):
            (folder / block.options["file"]).write_text("\n" * block.line + block.text, encoding="utf-8")
        lines = ["async def page() -> None:"]
        for block in shown:
            if block.is_run and not written(block):
                lines += [""] * (block.line - len(lines)) + indent(block.text, "    ").splitlines()
        if len(lines) > 1:
            name = page.removesuffix(".md").replace("/", "__").replace("-", "_")
            (folder / f"{name}.py").write_text("\n".join(lines) + "\n", encoding="utf-8")


def mypy(folder: Path) -> str:
    """Check the modules of a folder with mypy; its output comes back."""
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), "--strict"]
    # A page may use a name again for another thing, and a library of others may have no types.
    command += [
        "--allow-redefinition-new",
        "--local-partial-types",
        "--disable-error-code=import-untyped",
        "--allow-untyped-decorators",
        "--allow-subclassing-any",
    ]
    command += ["--cache-dir", str(ROOT / ".mypy_cache" / "pages"), *sorted(map(str, folder.glob("*.py")))]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def test_the_python_of_every_page_is_typed(tmp_path: Path) -> None:
    as_modules(tmp_path)
    assert len(list(tmp_path.iterdir())) > len(pages()) // 3
    assert mypy(tmp_path).startswith("Success")


@pytest.mark.parametrize(
    "wrong", ["import agentdebate as ad\n\nad.debate(3)\n", "def untyped(x):\n    pass\n"]
)
def test_a_block_that_is_wrong_is_noticed(wrong: str, tmp_path: Path) -> None:
    (tmp_path / "page.py").write_text(wrong, encoding="utf-8")
    assert "error: " in mypy(tmp_path)
