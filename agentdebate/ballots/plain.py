"""Replies as they read: without thinking and markup, and with many ways to write one character brought to one."""

import re
import unicodedata

LONGEST = 32_000
"""Most characters of a reply that are read: the first half and the last, to the ends of lines."""

_AS: dict[str, str] = {
    **dict.fromkeys("‘’ʼ`´′", "'"),
    **dict.fromkeys("“”„‟«»「」『』″", '"'),
    **dict.fromkeys("‐‑−", "-"),
    # Longer dashes part words, they do not join them, and are no minus sign.
    **dict.fromkeys("‒–—―", " - "),
    **dict.fromkeys("\r\v\f\x85\u2028\u2029", "\n"),
    **dict.fromkeys("\u115f\u1160\u2800\u3164\uffa0", " "),  # blanks that Unicode counts as letters, or as a sign
    **dict.fromkeys("ː˸꞉﹕∶", ":"),
    "。": ". ", "！": "! ", "？": "? ", "、": ",", "⁄": "/", "∕": "/", "【": "[", "】": "]", "٫": ".", "→": "->", "½": ".5", "\n": "\n", "\t": " ",
}  # fmt: skip

_THOUGHT = re.compile(
    r"<\|?(/?)(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)\|?>|[\[◁](/?)(?:think|thinking|thoughts?)[\]▷]",
    re.IGNORECASE,
)
"""Tags around thinking that some models put before a reply; a closing one has a stroke in one of the groups."""
_STRUCK = re.compile(r"~~[^~\n]{0,300}~~")
_BOXED = re.compile(r"\\(?:boxed|fbox)\{([^{}\n]{0,80})\}")
_TAG = re.compile(r"</?[a-z][a-z0-9_]{0,30}[^<>\n]{0,80}>", re.IGNORECASE)
_BULLET = re.compile(r"^[ \t]*\*[ \t]", re.MULTILINE)
_MARKUP = re.compile(r"[*_$\\]")
_EMPHASIS = re.compile(r"\*+|(?<!\w)_+|_+(?!\w)|\$(?=\d)|(?<=\d)\$|\\text(?:bf)?")


class _Folding(dict[int, str]):
    """A table for str.translate that fills itself, one entry for each character met."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold_character(chr(code))
        return folded


def _fold_character(character: str) -> str:
    if character in _AS:
        return _AS[character]
    category = unicodedata.category(character)
    if category[0] == "M" or category == "Cf":
        return ""
    if category[0] == "C" or category == "No":
        # Superscripts and circled digits are footnotes and bullets: NFKC would make 42 of a 4 with a footnote 2.
        return " "
    if category == "Nd":
        return str(unicodedata.decimal(character))
    return unicodedata.normalize("NFKC", character)


_FOLDING = _Folding({code: _fold_character(chr(code)) for code in range(128)})


def fold(text: str) -> str:
    """Write a text in plain digits, quotes, dashes and spaces, character by character, so that no text takes long."""
    if text.isascii() and "`" not in text and text.replace("\n", "").isprintable():
        return text
    return text.translate(_FOLDING)


def spoken(text: str) -> str:
    """Leave out the thinking that some models put before a reply, between tags; thinking without an end is all there is."""
    if "<" not in text and "[" not in text and "◁" not in text:
        return text
    depth, end = 0, 0
    said: list[str] = []
    for tag in _THOUGHT.finditer(text):
        if not (tag[1] or tag[2]):
            if depth == 0:
                said.append(text[end : tag.start()])
            depth += 1
        elif depth == 0:
            said = []  # some servers leave out the opening tag: all so far was thinking
        else:
            depth -= 1
        end = tag.end()
    return "".join(said) + (text[end:] if depth == 0 else "")


def sound(text: str) -> str:
    """Put a replacement character for each half of a surrogate pair, which no file can hold."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def bounded(text: str) -> str:
    """Keep the first and the last lines of a text that is too long to be read in whole, with a blank line between them."""
    if len(text) <= LONGEST:
        return text
    half = LONGEST // 2
    head, tail = text[:half], text[-half:]
    return head[: head.rfind("\n") + 1] + "\n\n" + tail[tail.find("\n") + 1 if "\n" in tail else half :]


def plain(text: str) -> str:
    """Write what a reply says without thinking, markup and what is struck out; lines stay lines."""
    said = fold(bounded(spoken(text)))
    said = _STRUCK.sub(" ", said) if "~~" in said else said
    said = _BOXED.sub(r"[[\1]]", said) if "\\" in said else said
    if "<" in said:
        said = _TAG.sub(
            lambda tag: "\n" if tag[0][1:3].lower() in ("br", "/p", "p>", "/l", "tr", "/t") else " ", said
        )
    return _EMPHASIS.sub("", _BULLET.sub("- ", said)) if _MARKUP.search(said) else said
