"""Make a language model of habits: what it says next depends on the last character alone, by a table that is written here.

It is a whole Llama file as tiny_gguf.py makes it. Only its weights are chosen: every character is embedded as the kind that
it is of, attention and the layers in between add nothing, and the output turns a kind into the log-probabilities of its
row. So words are short, quotes end them, and what stands behind a line break is a number: replies that can be read, whose
probabilities are known. Run it with an interpreter that has `gguf` and `numpy`: `python habit_gguf.py OUT`.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase, digits

import gguf  # type: ignore[import-not-found,unused-ignore]  # only the server's interpreter needs to have it
import numpy as np  # type: ignore[import-not-found,unused-ignore]
import numpy.typing as npt  # type: ignore[import-not-found,unused-ignore]
import tiny_gguf

Weights = npt.NDArray[np.float64]

LOUD = 1000.0
"""How large the embeddings are, so that the norm's epsilon is nothing beside them."""
END = "<|end|>"

KINDS = ("\n", '"', ":", " ", "{", ",", "}", "1", "023456789", ascii_uppercase, ascii_lowercase)
"""Characters with the same habits; everything else is of one kind more."""

WORD = dict.fromkeys(ascii_lowercase, 0.98 / 26)
GOES_ON = {**dict.fromkeys(ascii_lowercase, 0.8 / 26), '"': 0.15, " ": 0.03}
NUMBER = {"1": 0.05, "2": 0.1, "3": 0.25, "4": 0.35, "5": 0.15}
OFF_SCALE = dict.fromkeys("6789", 0.01)
"""So seldom that the server's sampling leaves them out, as it does a ten: only their log-probabilities are there."""

HABITS: Mapping[str, Mapping[str, float]] = {
    "\n": {**NUMBER, **OFF_SCALE},
    '"': WORD,
    ":": {'"': 0.5, **{digit: share / 2 for digit, share in NUMBER.items()}},
    " ": {**dict.fromkeys(ascii_lowercase, 0.68 / 26), "A": 0.2, "B": 0.1},
    "{": {'"': 0.98},
    ",": {'"': 0.98},
    "}": {END: 0.98},
    "1": {END: 0.9, "0": 0.04, "}": 0.02, ",": 0.02},
    "023456789": {END: 0.92, "}": 0.03, ",": 0.03},
    ascii_uppercase: {**dict.fromkeys(ascii_lowercase, 0.78 / 26), '"': 0.2},
    ascii_lowercase: GOES_ON,
}
"""What follows a character of each kind; what is left of 1 is shared by all tokens."""


def tokens() -> list[str]:
    """The vocabulary, each token as the text that it is."""
    letters = [*digits, *ascii_lowercase, *ascii_uppercase, '"', ":", " ", "{", ",", "}", "\n"]
    named = {byte: letter for letter in letters for byte in letter.encode()}
    plain = [named.get(byte, "") for byte in range(256)]
    return [*tiny_gguf.CONTROL, *plain, *(left + right for left, right in tiny_gguf.MERGED)]


def kind_of(token: str) -> int:
    """The kind of a token's last character."""
    last = "" if token in tiny_gguf.CONTROL else token[-1:]
    return next((at for at, kind in enumerate(KINDS) if last and last in kind), len(KINDS))


def row(follows: Mapping[str, float], vocabulary: Sequence[str]) -> Weights:
    """The log-probabilities of what follows one kind."""
    shares = np.array([follows.get(token, 0.0) for token in vocabulary])
    logprobs: Weights = np.log(shares + (1 - shares.sum()) / len(vocabulary))
    return logprobs


def ends(vocabulary: Sequence[str]) -> dict[str, Weights]:
    """The embeddings and the output: the norm between them makes the length of every embedding sqrt(WIDTH)."""
    width = tiny_gguf.WIDTH
    embedded, out = np.zeros((len(vocabulary), width)), np.zeros((len(vocabulary), width))
    embedded[range(len(vocabulary)), [kind_of(token) for token in vocabulary]] = LOUD
    for at, kind in enumerate((*KINDS, "")):
        out[:, at] = row(HABITS.get(kind, WORD), vocabulary) / np.sqrt(width)
    return {"token_embd": embedded, "output": out}


def add_weights(out: gguf.GGUFWriter, vocabulary: Sequence[str]) -> None:
    """Write the weights: norms of one, the ends as they are chosen, and nothing in between."""
    chosen = ends(vocabulary)
    for name, shape in tiny_gguf.shapes(len(vocabulary)).items():
        plain = np.ones(shape) if name.endswith("norm") else np.zeros(shape)
        out.add_tensor(f"{name}.weight", chosen.get(name, plain).astype(np.float32))


def write_model(path: Path) -> None:
    """Write the whole model file."""
    out = gguf.GGUFWriter(str(path), "llama")
    size = tiny_gguf.add_tokenizer(out)
    tiny_gguf.add_shape(out, size)
    add_weights(out, tokens())
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


if __name__ == "__main__":
    write_model(Path(sys.argv[1]))
