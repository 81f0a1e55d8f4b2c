"""Vectors from a sentence-transformers model on this machine, as in DRPE (Section 3.1: Sentence-BERT)."""

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import Field

from agentdebate.embedders.base import Options, dealt, distinct
from agentdebate.errors import UsageError
from agentdebate.evaluators.loading import model_folder
from agentdebate.evaluators.worker import Worker
from agentdebate.extras import optional
from agentdebate.models.hub import from_hub
from agentdebate.options import read_options
from agentdebate.visible import visible

EXTRA = "sbert"
_PARTS = "modules.json"


class SentenceTransformerOptions(Options):
    """Options of a sentence-transformers model."""

    eps: float = Field(default=0.38, gt=0, le=2)
    """For MiniLM: on a dozen rosters it finds all repeated roles and half of the paraphrases, and costs none of the
    readers; at 0.45 unlike readers of one text begin to run together. Other models may want another.
    """
    device: str | None = None
    """Device it runs on: "cpu", "cuda"; by default the fastest there is."""


class SentenceTransformerEmbedder:
    """A model by its folder, or by its name on the hub. It is loaded once, when it is first used.

    It has one worker thread of its own, which loads and encodes: calls at the same time wait for one another, and
    hold up no other work. With HF_HUB_OFFLINE=1 in the environment a name is looked up among downloaded models only.
    Raises UsageError where the folder is missing, or the model cannot be loaded.
    """

    def __init__(self, model: str | Path, **options: Any) -> None:
        self._model = str(model)
        self._folder = model_folder(self._model, _PARTS)
        self._options = read_options(SentenceTransformerOptions, options, of=self.name)
        self._worker = Worker(self._load, self.name)

    def __repr__(self) -> str:
        return f"<SentenceTransformerEmbedder {self._model}>"

    @property
    def name(self) -> str:
        """The library and the model."""
        return f"sentence-transformers/{self._folder.name if self._folder else self._model}"

    @property
    def eps(self) -> float:
        """The cosine distance up to which two roles count as alike."""
        return self._options.eps

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of length 1 a text. Raises MissingExtra, or UsageError where the model cannot be loaded."""
        if not texts:
            return []
        return dealt(texts, await self._worker.run(partial(self._encode, distinct(texts))))

    async def aclose(self) -> None:
        """Release the thread and the model, after a call that is under way. Safe to call twice."""
        await self._worker.aclose()

    def _encode(self, texts: list[str], model: Any) -> list[list[float]]:
        found: list[list[float]] = model.encode(
            texts,
            normalize_embeddings=True,
            show_progress_bar=False,
        ).tolist()
        return found

    def _load(self) -> Any:
        library = optional("sentence_transformers", EXTRA)
        self._check_parts()
        try:
            return library.SentenceTransformer(
                str(self._folder or self._model),
                device=self._options.device,
                local_files_only=self._folder is not None,
            )
        except (OSError, ValueError, RuntimeError) as error:
            raise UsageError(f"{self.name} cannot be loaded: {_first_line(error)}. {self._hint()}") from error

    def _check_parts(self) -> None:
        """Raise UsageError where the folder's modules.json names code of its own, which the library would run."""
        if self._folder is None:
            return
        parts = self._folder / _PARTS
        try:
            kinds = [str(part["type"]) for part in json.loads(parts.read_text(encoding="utf-8"))]
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise UsageError(f"{parts} does not list the model's parts. {self._hint()}") from error
        foreign = [kind for kind in kinds if not kind.startswith("sentence_transformers.")]
        if foreign:
            raise UsageError(
                f"{parts} names code of the model's own ({visible(foreign[0])}), which is not run"
            )

    def _hint(self) -> str:
        if self._folder is not None:
            return "Name a folder in which sentence-transformers has saved a model."
        return "Check the name, or name the folder of a downloaded model; HF_HUB_OFFLINE=1 forbids downloads."


@from_hub
def open_sentence_transformer(name: str, **options: Any) -> SentenceTransformerEmbedder:
    """sentence-transformers/MODEL: Sentence-BERT, from a folder or by hub name. Raises UsageError where the folder is missing."""
    if not name.strip():
        raise UsageError(
            "name a model or its folder after the library: sentence-transformers/all-MiniLM-L6-v2"
        )
    return SentenceTransformerEmbedder(name.strip(), **options)


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
