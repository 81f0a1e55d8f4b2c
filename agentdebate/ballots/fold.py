"""Many ways to write one character, brought to one: full-width forms, foreign digits, dashes, quotes, controls."""

import re
import unicodedata

_AS: dict[str, str] = {
    **dict.fromkeys("‘’ʼ`´′", "'"),
    **dict.fromkeys("“”„‟«»「」『』″", '"'),
    **dict.fromkeys("‐‑−", "-"),
    # Longer dashes part words, they do not join them, and are no minus sign.
    **dict.fromkeys("‒–—―", " - "),
    **dict.fromkeys("\r\v\f\x85\u2028\u2029", "\n"),
    **dict.fromkeys("→⟶⇒➜➔", "→"),
    # Blanks that Unicode counts as letters, or as a sign.
    **dict.fromkeys("\u115f\u1160\u2800\u3164\uffa0", " "),
    **dict.fromkeys("ː˸꞉﹕", ":"),
    "。": ".", "、": ",", "〜": "~", "⁄": "/", "∕": "/", "∶": ":", "【": "[", "】": "]", "٫": ".",
    "½": ".5", "¼": ".25", "¾": ".75", "\n": "\n", "\t": " ",
}  # fmt: skip

THOUGHT = re.compile(
    r"<\|?(/?)(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)\|?>|[\[◁](/?)(?:think|thinking|thoughts?)[\]▷]",
    re.IGNORECASE,
)
"""The tags around thinking that some models put before a reply; a closing one has a stroke in one of the groups."""


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
    whole = unicodedata.normalize("NFKC", character)
    if category[0] == "L" and not "가" <= character <= "힣":
        bare = unicodedata.normalize("NFKD", whole)
        whole = "".join(c for c in bare if unicodedata.category(c)[0] != "M")
    return whole


_ASCII = {code: _fold_character(chr(code)) for code in range(128)}
"""Most replies hold little else, so these are at hand from the beginning."""


def fold(text: str) -> str:
    """The text with plain digits, letters, quotes and spaces; accents and control characters are gone.

    Works character by character, since normalising a whole text takes quadratic time on long runs of marks.
    """
    if text.isascii():
        return text if _is_plain(text) else text.translate(_ASCII)
    return text.translate(_Folding(_ASCII))


def _is_plain(text: str) -> bool:
    """Whether plain ASCII holds nothing that is folded to something else: no backtick, no control character but line ends."""
    return "`" not in text and text.replace("\n", "").isprintable()


def spoken(text: str) -> str:
    """What a reply says after the thinking that some models put before it, between tags.

    Thinking that never ends is all there is, so nothing was said.
    """
    if "<" not in text:
        return text
    depth, end = 0, 0
    said: list[str] = []
    for tag in THOUGHT.finditer(text):
        if not (tag[1] or tag[2]):
            if depth == 0:
                said.append(text[end : tag.start()])
            depth += 1
        elif depth == 0:
            # Some servers leave out the opening tag: all so far was thinking.
            said = []
        else:
            depth -= 1
        end = tag.end()
    return "".join(said) + (text[end:] if depth == 0 else "")
