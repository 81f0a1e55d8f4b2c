"""What has to hold of text in a format, whatever it says."""

import re
from html.parser import HTMLParser

FORMULA = re.compile("[\\s'\"`\u2018-\u201f\uff02\uff07]*[-=+@\uff1d\uff0b\uff0d\uff20]")
"""What a spreadsheet runs, or might."""
COMMANDS = {
    "begin", "end", "centering", "toprule", "midrule", "bottomrule", "multicolumn", "emph", "textbf", "scriptsize", "caption",
    "textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater", "textbar", "symbol", "rho", "tau",
    "kappa", "beyondlatin", "providecommand", "ifdefined", "Umathcode", "else", "fi",
}  # fmt: skip


def check_latex(text: str) -> None:
    """Every command is ours, braces are in pairs, and formulas are those of our own symbols."""
    depth = 0
    _, _, body = text.partition("\n")
    for token in re.findall(r"\\[a-zA-Z]+|\\.|.", body, re.DOTALL):
        if re.fullmatch(r"\\[a-zA-Z]+", token):
            assert token[1:] in COMMANDS
        elif token[0] == "\\":
            assert token[1] in "&%$#_{}\\"
        depth += {"{": 1, "}": -1}.get(token, 0)
        assert depth >= 0
        assert token not in {"~", "%", '"'}
    assert depth == 0
    formulas = re.findall(r"(?<!\\)\$(.*?)(?<!\\)\$", body)
    assert set(formulas) <= {"-", "r", r"\rho", r"\tau_b", r"\tau_c", r"\kappa"}


def check_mermaid(text: str) -> None:
    """Every line is a node or an arrow of ours."""
    head, *lines = text.rstrip("\n").split("\n")
    assert head == "flowchart LR"
    for line in lines:
        assert re.fullmatch(
            r'    n\d+(?:\["[^"<>&%`\\{}\[\]|]*"\]|\(\["verdict"\]\)| -->\|"[a-z0-9 ,-]+"\| n\d+)', line
        )


class Page(HTMLParser):
    """The elements of a page with their attributes, and its texts."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()

    @property
    def names(self) -> set[str]:
        """The names of its elements."""
        return {tag for tag, _ in self.tags}

    @property
    def attributes(self) -> set[str]:
        """The names of their attributes."""
        return {name for _, attributes in self.tags for name, _ in attributes}

    def all(self, attribute: str) -> list[str]:
        """The values of an attribute of that name."""
        return [value or "" for _, attributes in self.tags for name, value in attributes if name == attribute]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        self.text.append(data)
