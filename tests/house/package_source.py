"""The package and its tests as source text, the package parsed once, and what its modules import from each other."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = "agentdebate"


@dataclass(frozen=True)
class Import:
    """A name that a module takes from one of ours. `home` is the module it is taken from, without the package."""

    line: int
    home: str
    name: str
    """Empty where the module itself is what is imported."""


@cache
def modules() -> dict[str, ast.Module]:
    """Every module by its dotted name without the package ("" is the hub), parsed."""
    found = {}
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        parts = path.relative_to(ROOT / PACKAGE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    return found


@cache
def public_names() -> dict[str, str]:
    """Every public name as users write it behind `ad.`, and the module that its stub takes it from."""
    found = dict[str, str]()
    for stub in sorted((ROOT / PACKAGE).glob("**/__init__.pyi")):
        room = [*stub.parent.relative_to(ROOT / PACKAGE).parts]
        for node in ast.parse(stub.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module:
                found |= {".".join([*room, one.name]): ".".join([*room, node.module]) for one in node.names}
    return found


def path_of(module: str) -> str:
    """The file of a module, from the repository's root."""
    place = "/".join([PACKAGE, *module.split(".")]).rstrip("/")
    return f"{place}.py" if (ROOT / f"{place}.py").is_file() else f"{place}/__init__.py"


def files() -> Iterator[tuple[str, ast.Module]]:
    """Every file of the tests by its path below `tests`, parsed and not kept."""
    folder = ROOT / "tests"
    for path in sorted(folder.rglob("*.py")):
        yield (
            path.relative_to(folder).as_posix(),
            ast.parse(path.read_text(encoding="utf-8"), filename=str(path)),
        )


@cache
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All nodes of a file."""
    return tuple(ast.walk(tree))


def strings(tree: ast.Module) -> Iterator[ast.Constant]:
    """The string literals of a file, docstrings among them."""
    return (node for node in nodes(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))


def refuse(offenders: Iterable[str]) -> None:
    """Fail with all offenders, a line each."""
    found = list(offenders)
    assert not found, "\n".join([f"{len(found)} found:", *found])


@cache
def imports(module: str) -> tuple[Import, ...]:
    """Return what a module imports of ours, wherever it stands: in functions and for type checkers too."""
    return tuple(imports_of(modules()[module]))


def imports_of(tree: ast.Module) -> Iterator[Import]:
    """Return what a file imports of ours."""
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == PACKAGE:
                    yield Import(node.lineno, alias.name.removeprefix(PACKAGE).removeprefix("."), "")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == PACKAGE:
            yield from _taken(node)


def _taken(node: ast.ImportFrom) -> Iterator[Import]:
    home = (node.module or "").removeprefix(PACKAGE).removeprefix(".")
    for alias in node.names:
        submodule = f"{home}.{alias.name}".removeprefix(".")
        if submodule in modules():
            yield Import(node.lineno, submodule, "")
        else:
            yield Import(node.lineno, home, alias.name)


def packages(tree: ast.Module) -> set[str]:
    """The top-level packages that a file imports, in functions and for type checkers too; collections.abc holds types."""
    found = set[str]()
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module != "collections.abc":
            found.add((node.module or "").partition(".")[0])
    return found


@cache
def defined(module: str) -> frozenset[str]:
    """The names that a module's own top level defines; those it imports are not among them."""
    names: set[str] = set()
    for node in modules()[module].body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {n.id for target in node.targets for n in ast.walk(target) if isinstance(n, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return frozenset(names)


def looked_up(module: str) -> set[str]:
    """The modules of ours whose names stand in a module that imports modules by name."""
    tree = modules()[module]
    if not any(isinstance(node, ast.Name) and node.id == "import_module" for node in nodes(tree)):
        return set()
    texts = {str(node.value) for node in strings(tree)}
    return {
        text
        for text in texts
        if text.removeprefix(f"{PACKAGE}.") in modules() and text.startswith(f"{PACKAGE}.")
    }
