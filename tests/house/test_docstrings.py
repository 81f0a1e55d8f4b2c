"""Every public module, class, function, method and property has a docstring, and docstrings are in plain words."""

import ast
import re
from collections.abc import Callable, Iterator

import pytest
from package_source import ROOT, modules, nodes, path_of, refuse

Documented = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
Rule = Callable[[str], str | None]
"""Finds the words of a docstring that break a rule; None where there are none."""

FIRST_WORDS = (
    "All of", "As", "By", "Does", "Everyone", "Everything", "From", "Has", "How", "If", "In", "Is", "It", "Its", "Nobody",
    "None", "Nothing", "Of", "On", "That", "The same", "Their", "There", "Those", "What", "When", "Where", "Whether", "Which",
    "Who", "Whoever", "Whom", "Whose", "Why", "With",
)  # fmt: skip
"""A docstring begins with a verb or a noun instead of these."""

WORN = (
    "whoever",  # the agent that, those who
    "at the (most|least)",  # at most, at least; highest, lowest
    "gone on with",  # resumed
    "taken up again",  # resumed
    "held in another way",  # with another configuration
    "lets? go of",  # release, abandon
    "as much as to say",  # means
)
"""Phrases that docstrings, docs and messages do without, with the plain words for them."""

MANNERED = (
    *WORN,
    "nobody",  # no one, or name who
    "(?<!there )(is|are) no (?!longer|more|less|one|higher|lower)",  # is not a, are not
    r"that there is not\b",  # unknown
)
"""Phrases that docstrings do without."""

_FIRST = re.compile(rf"\s*({'|'.join(FIRST_WORDS)})\b")
_MANNERED = re.compile(rf"\b({'|'.join(MANNERED)})", re.IGNORECASE)


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


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The docstrings of a file, those of constants and fields too, each with its line."""
    for node in nodes(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str(docstring))):
                yield node.lineno, docstring


def first_word(docstring: str) -> str | None:
    """The first word, where it is neither a verb nor a noun."""
    found = _FIRST.match(docstring)
    return found and found[1]


def mannered(docstring: str) -> str | None:
    """The first mannered phrase."""
    found = _MANNERED.search(" ".join(docstring.split()))
    return found and found[0]


@pytest.mark.parametrize("rule", [first_word, mannered])
def test_docstrings_are_in_plain_words(rule: Rule) -> None:
    refuse(
        f"{path_of(module)}:{line}: {words!r}"
        for module, tree in modules().items()
        for line, docstring in docstrings(tree)
        if (words := rule(docstring))
    )


def test_docs_and_sentences_of_the_package_are_in_plain_words() -> None:
    worn = re.compile(rf"\b({'|'.join(WORN)})", re.IGNORECASE)
    pages = {str(page): page.read_text("utf-8") for page in sorted((ROOT / "docs").rglob("*.md"))}
    said = [
        (path_of(name), node.value)
        for name, tree in modules().items()
        for node in nodes(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert len(pages) > 1
    refuse(
        f"{place}: {found[0]!r}"
        for place, text in (*pages.items(), *said)
        for found in worn.finditer(" ".join(text.split()))
    )


@pytest.mark.parametrize(
    ("rule", "docstring", "words"),
    [
        (first_word, "What a run costs.", "What"),
        (first_word, "\n    Whether it ended.", "Whether"),
        (first_word, "The same in words.", "The same"),
        (first_word, "Cost of a run, as far as it is known.", None),
        (first_word, "Ask a model.", None),
        (mannered, "Release what nobody holds.", "nobody"),
        (mannered, "Score that is no\n    number.", "is no "),
        (mannered, "Value; None where there is no row, or it is no longer held.", None),
    ],
)
def test_words_that_are_not_plain_are_noticed(rule: Rule, docstring: str, words: str | None) -> None:
    """Or the test above could not fail."""
    tree = ast.parse(f"class A:\n    b: int = 0\n    {docstring!r}")
    assert [(line, rule(said)) for line, said in docstrings(tree)] == [(3, words)]
