"""A model's vocabulary from its own file: the tokenizer.json that stands beside the weights."""

from pathlib import Path

from agentdebate.errors import UsageError
from agentdebate.extras import optional
from agentdebate.models.tokens import TokenCount


class TokenizerFile:
    """Counts by a tokenizer.json, with the library tokenizers (extra `tokenizers`). Raises UsageError
    where it cannot be read, and MissingExtra.
    """

    def __init__(self, path: Path) -> None:
        tokenizers = optional("tokenizers", "tokenizers")
        self._path = path
        try:
            self._tokenizer = tokenizers.Tokenizer.from_str(path.read_text(encoding="utf-8"))
        except Exception as error:
            raise UsageError(f"{path} is not a tokenizer.json that can be read: {error}") from error

    def __repr__(self) -> str:
        return f"<TokenizerFile {self._path}>"

    async def learn(self, texts: frozenset[str]) -> None:
        """Nothing: the file knows all."""

    def count(self, text: str) -> TokenCount:
        """The tokens of a text, without those that a chat template adds."""
        plain = text.encode("utf-8", "replace").decode("utf-8")
        found = self._tokenizer.encode(plain, add_special_tokens=False)
        return TokenCount(len(found.ids), "exact", self._path.name)
