"""Models of the transformers library: from a folder, or from the hub by name, ready to evaluate."""

import hashlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from agentdebate.errors import MissingExtra, UsageError
from agentdebate.extras import optional
from agentdebate.visible import visible

Head = Literal["classifier", "causal", "seq2seq", "encoder"]
"""Output of the model: class scores, next tokens, the tokens of another text, or embeddings."""

EXTRA = "transformers"
_CLASS: dict[Head, str] = {
    "classifier": "AutoModelForSequenceClassification",
    "causal": "AutoModelForCausalLM",
    "seq2seq": "AutoModelForSeq2SeqLM",
    "encoder": "AutoModel",
}
_WHOLE = 2**24
"""Files of a model up to this many bytes are told apart by their content, larger ones by their size."""
_ENDLESS = 10**6
"""Tokenizers without a limit say so with a number beyond this."""


@dataclass(frozen=True)
class Source:
    """Source of a model, and the way to load it."""

    path: str
    head: Head
    device: str = "cpu"
    revision: str | None = None
    max_length: int | None = None
    layers: int | None = None
    """The layers to keep, from the first; all by default."""

    @cached_property
    def folder(self) -> Path | None:
        """The folder where it lies; None for a name on the hub. Raises UsageError."""
        return model_folder(self.path, "config.json")

    @property
    def short(self) -> str:
        """The last part of its name."""
        return self.path.rstrip("/").rpartition("/")[2]

    def fingerprint(self) -> str:
        """Identify the model: by a digest of the folder's files, or the hub name and revision."""
        if self.folder is None:
            return f"{self.path}@{self.revision or 'main'}"
        digest = hashlib.sha256()
        for path in sorted(path for path in self.folder.iterdir() if path.is_file()):
            size = path.stat().st_size
            digest.update(f"{path.name}\0{size}\0".encode() + (path.read_bytes() if size <= _WHOLE else b""))
        return f"{self.short}:{digest.hexdigest()[:16]}"


def model_folder(path: str, holds: str) -> Path | None:
    """The folder of a model, which has a file `holds`; None for a name on the hub: "name" or "owner/name". Raises UsageError."""
    try:
        folder = Path(path).expanduser()
        # Where there is a folder "owner", one in it is meant.
        beside = "/" in path and folder.parent.is_dir()
        if not (beside or folder.exists() or path.startswith((".", "/", "~")) or path.count("/") > 1):
            return None
        if (folder / holds).is_file():
            return folder
    except (OSError, ValueError, RuntimeError) as error:  # too long, NUL, or ~name of an unknown user
        raise UsageError(f"{visible(path)[:80]} is not a path or a name that can be used") from error
    raise UsageError(
        f"there is no model at {path}: name a folder with a {holds}, the weights and a tokenizer, or a name on the hub"
    )


def packages(*names: str, extra: str = EXTRA) -> str:
    """The versions of installed packages, in words: "transformers 5.1, torch 2.13". Raises MissingExtra."""
    try:
        return ", ".join(f"{name} {version(name)}" for name in names)
    except PackageNotFoundError as error:
        raise MissingExtra(
            f"{error.name} is not installed. Install it with: pip install 'agentdebate[{extra}]'"
        ) from error


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model in evaluation mode with its tokenizer. `limit` is the most tokens that one text may have."""

    torch: Any
    tokenizer: Any
    model: Any
    limit: int

    def tensor(self, rows: list[list[int]], padding: int) -> Any:
        """Rows of numbers as one tensor on the model's device, filled up on the right."""
        width = max(map(len, rows))
        filled = [row + [padding] * (width - len(row)) for row in rows]
        return self.torch.tensor(filled, device=self.model.device)

    def texts(self, rows: list[list[int]]) -> dict[str, Any]:
        """Token numbers of texts as the model's input, with the mask that leaves out the padding."""
        ids = self.tensor(rows, self.tokenizer.pad_token_id or 0)
        return {"input_ids": ids, "attention_mask": self.tensor([[1] * len(row) for row in rows], 0)}

    @property
    def encoder(self) -> Any:
        """The part that reads, where the model has one that writes too."""
        both = hasattr(self.model, "decoder") and hasattr(self.model, "encoder")
        return self.model.encoder if both else self.model


def load(source: Source) -> Loaded:
    """Load a model; takes from seconds to minutes. HF_HUB_OFFLINE and the hub's cache are respected.

    Raises MissingExtra without torch or transformers, and UsageError where there is no such model, where it is
    not a model of this kind, or where its weights lack a part.
    """
    torch, transformers = optional("torch", EXTRA), optional("transformers", EXTRA)
    place = str(source.folder or source.path)
    # A model that brings code of its own is refused: left open, the library would ask the user at the terminal. A folder
    # may name a base model of its own, which is not fetched either.
    keywords: dict[str, Any] = {
        "trust_remote_code": False,
        "local_files_only": source.folder is not None,
        "revision": source.revision or "main",
    }
    # Standard error may hold a bar of ours. What matters in the list of weights, those that are missing, is an error here.
    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    with _translated(source):
        tokenizer = transformers.AutoTokenizer.from_pretrained(place, **keywords)
        config = transformers.AutoConfig.from_pretrained(place, **keywords)
        _keep_layers(config, source)
        # Half precision is slow on a processor, and would let a batch's size show in the scores.
        dtype = torch.float32 if source.device == "cpu" else "auto"
        model, found = getattr(transformers, _CLASS[source.head]).from_pretrained(
            place, config=config, dtype=dtype, output_loading_info=True, weights_only=True, **keywords
        )
        model = model.eval().to(source.device)
    _check(source, tokenizer, found)
    limit = _limit(tokenizer, model, source)
    tokenizer.model_max_length = sys.maxsize  # texts are held to the limit here: the tokenizer need not warn
    return Loaded(torch, tokenizer, model, limit)


def _keep_layers(config: Any, source: Source) -> None:
    if source.layers is None:
        return
    there = getattr(config, "num_hidden_layers", 0)
    if not 0 < source.layers <= there:
        raise UsageError(f"{source.path} has {there} layers: ask for 1 to {there}, not {source.layers}")
    config.num_hidden_layers = source.layers


def _check(source: Source, tokenizer: Any, found: dict[str, Any]) -> None:
    if not tokenizer.is_fast:
        raise UsageError(
            f"{source.path} has a tokenizer that does not say where tokens stand: add a tokenizer.json"
        )
    missing = sorted({*found["missing_keys"], *map(str, found["mismatched_keys"])})
    if missing and source.head != "encoder":  # encoders may lack a pooler, which nobody asks
        raise UsageError(
            f"{source.path} is not a {source.head} model: its weights lack {', '.join(missing[:3])}, and made-up ones"
            " would give made-up scores. Name a model that was trained for this"
        )


def _limit(tokenizer: Any, model: Any, source: Source) -> int:
    """The most tokens of one text: as asked for, else what the tokenizer says, and no more than the model takes."""
    said = tokenizer.model_max_length
    usual = said if said < _ENDLESS else sys.maxsize
    return int(min(_positions(model), source.max_length or usual))


def _positions(model: Any) -> int:
    """Count the positions of the model; without end where they are relative."""
    limit = getattr(model.config, "max_position_embeddings", None) or sys.maxsize
    for name, module in model.named_modules():
        # RoBERTa and its kin count positions from behind the padding's number.
        if name.endswith("position_embeddings") and getattr(module, "padding_idx", None) is not None:
            limit = min(limit, module.num_embeddings - module.padding_idx - 1)
    return int(limit)


@contextmanager
def _translated(source: Source) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, RuntimeError, AssertionError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise UsageError(
            f"{source.path} cannot be loaded as a {source.head} model on {source.device!r}: {reason} (name a folder with such"
            " a model, or a hub name; with HF_HUB_OFFLINE or without a network only what was downloaded before can be loaded)"
        ) from error
