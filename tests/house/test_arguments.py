"""Below the command line no sentence spells an option: errors and captions name arguments, and one table in `cli` turns them."""

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest
from package_source import modules, nodes, refuse, strings

from agentdebate.cli.app import COMMANDS as OF_THE_APP
from agentdebate.cli.app import build
from agentdebate.cli.console.command_lines import in_options, option_of

OPTION = re.compile(r"(?<![\w-])--(?!no-deps)[a-z]")
"""How an option of ours begins; --no-deps is pip's, in a line that installs something."""
COMMANDS = ("cli", "viewer", "testing.arguments", "testing.server", "integrations")
"""Modules that are command lines, the app's and that of the test server, and pages, which show the command that goes on."""

OF_PYTHON = {"label", "question", "of"}
"""Arguments that only Python has: of evaluators that are made there, and of `means`."""

ARGUMENT = re.compile(r"(?<![\w.`(])([a-z_]+)=(?:\.\.\.|True\b)(?!\))")


@cache
def options() -> frozenset[str]:
    """Every option of every command."""
    app = build()
    found = (one for name in OF_THE_APP for one in app[name].assemble_argument_collection())
    return frozenset(name for one in found for name in one.names)


def below() -> dict[str, ast.Module]:
    """The modules below the command line."""
    return {
        name: tree
        for name, tree in modules().items()
        if not any(name == one or name.startswith(f"{one}.") for one in COMMANDS)
    }


def options_in(tree: ast.Module) -> Iterator[str]:
    """Strings that spell an option."""
    return (f"{node.lineno}: {node.value!r}" for node in strings(tree) if OPTION.search(str(node.value)))


def unknown_arguments(tree: ast.Module) -> Iterator[str]:
    """Sentences that name an argument without an option."""
    docs = {id(node.value) for node in nodes(tree) if isinstance(node, ast.Expr)}
    for node in strings(tree):
        named = set(ARGUMENT.findall(str(node.value))) if id(node) not in docs else set[str]()
        yield from (
            f"{node.lineno}: {name}=" for name in named - OF_PYTHON if option_of(name) not in options()
        )


def test_no_string_below_the_command_line_spells_an_option() -> None:
    refuse(f"{name}:{found}" for name, tree in below().items() for found in options_in(tree))


def test_every_argument_that_a_sentence_names_has_its_option() -> None:
    refuse(f"{name}:{found}" for name, tree in below().items() for found in unknown_arguments(tree))


def test_options_and_arguments_in_sentences_are_noticed() -> None:
    """Or the tests above could not fail."""
    tree = ast.parse("\"a docstring: madeup=...\"\nx = 'say --store'\ny = 'say madeup=... or store=...'")
    assert list(options_in(tree)) == ["2: 'say --store'"]
    assert list(unknown_arguments(tree)) == ["3: madeup="]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("name it with store=..., or run something first", "name it with --store, or run something first"),
        (
            "missing='wrong' has to know the scale: scale='1-5'",
            "--missing wrong has to know the scale: --scale 1-5",
        ),
        ("say subset=True for a part of it", "say --subset for a part of it"),
        (
            "TIE=tie, rounds=1 and human=expert are the user's words",
            "TIE=tie, rounds=1 and human=expert are the user's words",
        ),
    ],
)
def test_the_command_line_says_options_where_the_library_says_arguments(said: str, shown: str) -> None:
    assert in_options(said) == shown
