"""Size of code: the characters of its tokens, without comments, docstrings and layout, so that none of these is saved on."""

import ast
import io
import tokenize
from dataclasses import dataclass
from pathlib import Path

_LAYOUT = frozenset(
    {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
)


@dataclass(frozen=True)
class Size:
    """Weight of some files: kB of code (of text where they are not Python), and how many they are."""

    kb: float
    files: int


def size_of(paths: list[Path]) -> Size:
    """Add files up: code of Python files, all characters of others."""
    total = sum(
        code_bytes(path.read_text(encoding="utf-8")) if path.suffix == ".py" else path.stat().st_size
        for path in paths
    )
    return Size(total / 1000, len(paths))


def code_bytes(text: str) -> int:
    """Count the bytes of a module's tokens, docstrings and comments left out."""
    docstrings = set(_docstrings(ast.parse(text)))
    return sum(
        len(token.string.encode())
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in _LAYOUT and token.start not in docstrings
    )


def _docstrings(tree: ast.Module) -> list[tuple[int, int]]:
    """Places of the texts that stand alone as a statement: docstrings of modules, classes, functions and fields."""
    return [
        (node.value.lineno, node.value.col_offset)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]
