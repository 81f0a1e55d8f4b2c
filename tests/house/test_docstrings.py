"""Every public module, class, function, method and property says what it is."""

import ast
from collections.abc import Iterator

from package_source import modules, refuse

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


def silent(tree: ast.Module) -> Iterator[str]:
    """The public definitions without a docstring."""
    return (f"{name}, line {node.lineno}" for name, node in public(tree, "") if not ast.get_docstring(node))


def test_public_names_are_documented() -> None:
    refuse(f"{name}: {found}" for name, tree in modules().items() for found in silent(tree))


def test_a_module_with_something_in_it_says_what_it_is() -> None:
    refuse(name for name, tree in modules().items() if tree.body and not ast.get_docstring(tree))


def test_a_name_without_a_docstring_is_noticed() -> None:
    """Or the tests above could not fail."""
    tree = ast.parse("class A:\n    'said'\n    def b(self): ...\n    def _c(self): ...")
    assert list(silent(tree)) == ["A.b, line 3"]
