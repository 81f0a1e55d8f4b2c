"""Names: what the stubs list is what is loaded, and says what it is; one stands for one thing. Tests use public ones alone."""

import ast
import inspect
from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from operator import attrgetter

import pytest
from package_source import PACKAGE, defined, files, modules, nodes, public_names, refuse

import agentdebate

MOST = 70
"""Names of the hub, the rooms among them."""
HEART = ("agents", "talk", "debates", "strategies", "prompts", "models", "offline")

UNDERSCORED = frozenset({"_exit", "_request_id"})
"""Public names of others that begin with an underscore, of os and of Anthropic's messages."""


def is_from(home: str, name: str) -> bool:
    """Decide whether a public name is loaded from the module that defines it."""
    bare = name.rpartition(".")[2]
    loaded = getattr(import_module(f"{PACKAGE}.{home}"), bare, None)
    return bare in defined(home) and attrgetter(name)(agentdebate) is loaded


def says(value: object) -> str:
    """The docstring of a class or function, and of anything else that of its class."""
    own = inspect.isclass(value) or inspect.isroutine(value)
    return ((value if own else type(value)).__doc__ or "").strip()


def test_a_public_name_loads_from_the_module_that_defines_it() -> None:
    for name in public_names():
        import_module(f"{PACKAGE}.{name.rpartition('.')[0]}".rstrip("."))
    refuse(
        f"{name} is not defined in {home}" for name, home in public_names().items() if not is_from(home, name)
    )


def test_a_public_class_or_function_says_what_it_is() -> None:
    refuse(name for name in public_names() if not says(attrgetter(name)(agentdebate)))


def test_no_two_names_of_the_hub_differ_by_a_capital_alone() -> None:
    lower = [name.lower() for name in dir(agentdebate)]
    refuse(name for name in dir(agentdebate) if lower.count(name.lower()) > 1)


def test_the_hub_lists_its_names_and_no_others_and_few_of_them() -> None:
    assert dir(agentdebate) == sorted(agentdebate.__all__)
    assert len(dir(agentdebate)) <= MOST


def test_no_room_can_be_called() -> None:
    refuse(
        name
        for name in dir(agentdebate)
        if inspect.ismodule(value := getattr(agentdebate, name)) and callable(value)
    )


def test_a_wrong_home_and_a_missing_docstring_are_noticed() -> None:
    """Or the tests above could not fail."""
    assert is_from("tasks", "Item")
    assert not is_from("runs.evaluation", "Item")
    assert not says(lambda: None)


def private_names(tree: ast.Module) -> list[str]:
    """The private names that a file uses, in strings for monkeypatch too, but for those that it defines itself."""
    own, used = set(UNDERSCORED), list[tuple[int, str]]()
    for node in nodes(tree):
        match node:
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.Name(id=name, ctx=ast.Store())
            ):
                own.add(name)
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                own.add(name)
            case ast.Attribute(attr=name):
                used.append((node.lineno, name))
            case ast.ImportFrom(names=names):
                used += [(node.lineno, one.name) for one in names]
            case ast.Call(func=ast.Attribute(attr="setattr"), args=args):
                used += [(node.lineno, ast.unparse(one).strip("'").rpartition(".")[2]) for one in args]
    private = [(line, name) for line, name in used if name.startswith("_") and not name.endswith("_")]
    return [f"{line}: {name}" for line, name in private if name not in own]


def test_tests_use_no_private_name_of_another_module() -> None:
    refuse(f"tests/{file}:{found}" for file, tree in files() for found in private_names(tree))


def test_a_private_name_is_noticed() -> None:
    """Or the test above could not fail."""
    tree = ast.parse(
        "from a import _b\nc._d = e._f()\nself._g = self._g\nos._exit(0)\nx._repr_html_()\n"
        "patch.setattr('a.b._h', 1)\npatch.setattr(a, '_i', 1)"
    )
    assert sorted(private_names(tree)) == ["1: _b", "2: _d", "2: _f", "6: _h", "7: _i"]


def test_an_unknown_name_is_an_attribute_error_that_names_it() -> None:
    with pytest.raises(AttributeError, match="debait"):
        attrgetter("debait")(agentdebate)


def named_twice(trees: Iterable[ast.Module]) -> list[str]:
    """The names that several classes have."""
    names = Counter(one.name for tree in trees for one in nodes(tree) if isinstance(one, ast.ClassDef))
    return [name for name, count in names.items() if count > 1]


def test_a_class_name_of_the_heart_stands_for_one_thing_and_no_module_there_is_named_by_a_participle() -> (
    None
):
    heart = {name: one for name, one in modules().items() if name.split(".")[0] in HEART or "." not in name}
    assert named_twice(heart.values()) == []
    assert not [name for name in heart if name.endswith(("ed", "ing")) and "." in name]
    assert named_twice([ast.parse("class A: ..."), ast.parse("class A: ...")]) == ["A"]
