"""Models of a few thousand random numbers, saved as a user's would be. They know nothing; their arithmetic is real."""

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from agentdebate.evaluators.base import Pair

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads for models this small cost more than they do

TEXTS = (
    "The council voted on Tuesday to repair the swing bridge.",
    "Work begins in March and takes eleven weeks.",
    "Answer yes or no. yes no Yes No YES NO: source, text, question",
)
PAIRS = (
    Pair(("The council voted to repair the bridge.",), "The bridge will be repaired."),
    Pair(
        ("Work begins in March, and it takes eleven weeks until the swing bridge opens.",),
        "Work takes a while.",
    ),
    Pair(("Yes.",), "No, the council did not vote on the bridge, nor on the weeks that the work would take."),
    Pair(("Two men — café",), "naïve → yes"),
)
LENGTH = 96
"""Tokens that the models take."""
_WIDTH = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
_MARKS = ("<pad>", "<s>", "</s>", "<unk>")
PAD, BEGIN, END, _ = range(4)


def library(name: str) -> Any:
    """A library that only these tests need; type checkers need not have it."""
    return import_module(name)


def save_tokenizer(folder: Path, *, marks: str = "{}", padding: bool = True) -> int:
    """A byte-level tokenizer trained on the spot; `marks` is what stands around a text, {} being the text."""
    tokenizers = library("tokenizers")
    pre_tokenizers = tokenizers.pre_tokenizers
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=380, special_tokens=list(_MARKS), initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator([text for text in TEXTS for _ in range(4)], trainer)
    one = [part.replace("{}", "$A:0") for part in marks.split()]
    two = [*one, *[part.replace("{}", "$B:0") for part in marks.split()]]
    ids = [(mark, number) for number, mark in enumerate(_MARKS)]
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single=one, pair=two, special_tokens=ids
    )
    named = {
        "bos_token": "<s>",
        "eos_token": "</s>",
        "unk_token": "<unk>",
        "cls_token": "<s>",
        "sep_token": "</s>",
    }
    if padding:
        named["pad_token"] = "<pad>"
    fast = library("transformers").PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=LENGTH, **named
    )
    fast.save_pretrained(folder)
    return len(fast)


def _saved(model: Any, folder: Path, gain: float = 4) -> Path:
    with library("torch").no_grad():
        for weight in model.parameters():  # fresh ones are so small that all scores would be nearly equal
            weight.mul_(gain)
    model.save_pretrained(folder)
    return folder


def _seeded() -> Any:
    transformers = library("transformers")
    transformers.utils.logging.disable_progress_bar()
    library("torch").manual_seed(3)
    return transformers


def save_classifier(folder: Path, labels: Sequence[str], **settings: Any) -> Path:
    """A BERT with a head of so many labels."""
    library = _seeded()
    vocabulary = save_tokenizer(folder, marks="<s> {} </s>")
    names = dict(enumerate(labels))
    config = library.BertConfig(
        vocab_size=vocabulary,
        max_position_embeddings=LENGTH,
        pad_token_id=PAD,
        id2label=names,
        **_WIDTH,
        **settings,
    )
    return _saved(library.BertForSequenceClassification(config), folder)


def save_encoder(folder: Path) -> Path:
    """A bare BERT."""
    library = _seeded()
    vocabulary = save_tokenizer(folder, marks="<s> {} </s>")
    config = library.BertConfig(
        vocab_size=vocabulary, max_position_embeddings=LENGTH, pad_token_id=PAD, **_WIDTH
    )
    return _saved(library.BertModel(config), folder)


def save_causal(folder: Path, *, marks: str = "{}", padding: bool = False) -> Path:
    """A GPT-2; like the real one it has no padding."""
    library = _seeded()
    vocabulary = save_tokenizer(folder, marks=marks, padding=padding)
    config = library.GPT2Config(
        vocab_size=vocabulary,
        n_positions=LENGTH,
        n_embd=16,
        n_layer=2,
        n_head=2,
        bos_token_id=BEGIN,
        eos_token_id=END,
    )
    return _saved(library.GPT2LMHeadModel(config), folder)


def save_bart(folder: Path) -> Path:
    """A BART, whose texts have marks at both ends."""
    library = _seeded()
    vocabulary = save_tokenizer(folder, marks="<s> {} </s>")
    halves = {
        f"{half}_{name}": size
        for half in ("encoder", "decoder")
        for name, size in (("layers", 1), ("attention_heads", 2), ("ffn_dim", 32))
    }
    marks = {"pad_token_id": PAD, "bos_token_id": BEGIN, "eos_token_id": END, "decoder_start_token_id": END}
    config = library.BartConfig(
        vocab_size=vocabulary,
        d_model=16,
        max_position_embeddings=LENGTH,
        forced_eos_token_id=None,
        **halves,
        **marks,
    )
    return _saved(library.BartForConditionalGeneration(config), folder)


def save_t5(folder: Path) -> Path:
    """A T5, whose texts have a mark at the end, and whose positions are relative."""
    library = _seeded()
    vocabulary = save_tokenizer(folder, marks="{} </s>")
    config = library.T5Config(
        vocab_size=vocabulary, d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2, decoder_start_token_id=PAD,
        pad_token_id=PAD, eos_token_id=END,
    )  # fmt: skip
    return _saved(library.T5ForConditionalGeneration(config), folder, gain=1)


def opened(folder: Path, kind: str) -> tuple[Any, Any]:
    """The tokenizer and the model in a folder, read by the library itself for figures by hand."""
    transformers = library("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    return tokenizer, getattr(transformers, kind).from_pretrained(folder).eval().requires_grad_(False)
