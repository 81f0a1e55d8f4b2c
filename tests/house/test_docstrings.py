"""Every public module, class, function, method and property says what it is."""

import ast
from collections.abc import Iterator

import pytest
from package_source import modules

Documented = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def public(node: ast.Module | ast.ClassDef, path: str) -> Iterator[tuple[str, Documented]]:
    """The public definitions of a module or class and of the public classes in it."""
    for child in node.body:
        if isinstance(child, Documented) and not child.name.startswith("_") and not _declares(child):
            yield f"{path}{child.name}", child
            if isinstance(child, ast.ClassDef):
                yield from public(child, f"{path}{child.name}.")


def _declares(node: Documented) -> bool:
    """Overloads and setters are documented where the function is."""
    marks = {ast.unparse(decorator).rpartition(".")[2] for decorator in node.decorator_list}
    return bool(marks & {"overload", "setter", "deleter", "override"})


@pytest.mark.parametrize("module", sorted(modules()))
def test_public_names_are_documented(module: str) -> None:
    tree = modules()[module]
    silent = [f"{name}, line {node.lineno}" for name, node in public(tree, "") if not ast.get_docstring(node)]
    assert silent == []


@pytest.mark.parametrize("module", sorted(modules()))
def test_a_module_with_something_in_it_says_what_it_is(module: str) -> None:
    tree = modules()[module]
    assert not tree.body or ast.get_docstring(tree)
