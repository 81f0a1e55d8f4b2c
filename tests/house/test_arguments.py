"""Below the command line no sentence spells an option: errors and captions name arguments, and one table in `cli` turns them."""

import ast
import re

import pytest
from package_source import modules

from agentdebate.cli.options.names import OPTIONS, in_options

OPTION = re.compile(r"(?<![\w-])--(?!no-deps)[a-z]")
"""How an option of ours begins; --no-deps is pip's, in a line that installs something."""
COMMANDS = ("cli", "viewer", "testing.arguments", "testing.server")
"""Modules that are command lines, the app's and that of the test server, and pages, which show the command that goes on."""

BELOW = sorted(
    name for name in modules() if not any(name == one or name.startswith(f"{one}.") for one in COMMANDS)
)


@pytest.mark.parametrize("module", BELOW)
def test_no_string_below_the_command_line_spells_an_option(module: str) -> None:
    found = [
        f"line {node.lineno}: {node.value!r}"
        for node in ast.walk(modules()[module])
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and OPTION.search(node.value)
    ]
    assert found == []


OF_EVALUATORS = {"label", "question"}
"""Arguments that only evaluators made in Python have."""

ARGUMENT = re.compile(r"(?<![\w.`(])([a-z_]+)=(?:\.\.\.|True\b)(?!\))")


@pytest.mark.parametrize("module", BELOW)
def test_every_argument_that_a_sentence_names_has_its_option(module: str) -> None:
    docs = {
        id(node.value)
        for node in ast.walk(modules()[module])
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    named = {
        name
        for node in ast.walk(modules()[module])
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
        for name in ARGUMENT.findall(node.value)
    }
    assert named <= OPTIONS.keys() | OF_EVALUATORS


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
