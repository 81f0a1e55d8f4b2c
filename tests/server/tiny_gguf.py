"""Make a language model of a few hundred kilobytes with random weights, for tests against a real server.

It speaks nonsense, but it has everything a real model file has: a byte-level tokenizer, a chat template and a
Llama's tensors. Run it with an interpreter that has `gguf` and `numpy`: `python tiny_gguf.py OUT [SEED]`.
"""

import sys
from pathlib import Path

import gguf  # type: ignore[import-not-found,unused-ignore]  # only the server's interpreter needs to have it
import numpy as np  # type: ignore[import-not-found,unused-ignore]

LAYERS, WIDTH, HEADS, HIDDEN, CONTEXT = 2, 64, 4, 128, 8192
CONTROL = ("<pad>", "<s>", "</s>", "<|turn|>", "<|end|>")
MERGED = (("t", "h"), ("th", "e"), ("i", "n"))
TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}<|turn|>{{ message.role }}\n{{ message.content }}<|end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|turn|>assistant\n{% endif %}"
)


def byte_letters() -> list[str]:
    """The letter that stands for each byte in byte-level vocabularies.

    A printable byte is itself; the others get the code points from 256 on, in order.
    """
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    spare = iter(range(256, 512))
    return [chr(byte) if byte in printable else chr(next(spare)) for byte in range(256)]


def add_tokenizer(out: gguf.GGUFWriter) -> int:
    """Write the tokenizer; gives the size of the vocabulary."""
    tokens = [*CONTROL, *byte_letters(), *(left + right for left, right in MERGED)]
    out.add_tokenizer_model("gpt2")
    out.add_tokenizer_pre("gpt-2")
    out.add_token_list(tokens)
    normal = [gguf.TokenType.NORMAL] * (len(tokens) - len(CONTROL))
    out.add_token_types([*[gguf.TokenType.CONTROL] * len(CONTROL), *normal])
    out.add_token_merges([" ".join(pair) for pair in MERGED])
    out.add_pad_token_id(0)
    out.add_bos_token_id(1)
    out.add_eos_token_id(2)
    out.add_eot_token_id(4)
    out.add_chat_template(TEMPLATE)
    return len(tokens)


def add_shape(out: gguf.GGUFWriter, vocabulary: int) -> None:
    """Write the sizes that a Llama is made of."""
    out.add_context_length(CONTEXT)
    out.add_embedding_length(WIDTH)
    out.add_block_count(LAYERS)
    out.add_feed_forward_length(HIDDEN)
    out.add_head_count(HEADS)
    out.add_head_count_kv(HEADS)
    out.add_rope_dimension_count(WIDTH // HEADS)
    out.add_layer_norm_rms_eps(1e-5)
    out.add_vocab_size(vocabulary)


def shapes(vocabulary: int) -> dict[str, tuple[int, ...]]:
    """The name and shape of every tensor."""
    block = {
        "attn_norm": (WIDTH,),
        "attn_q": (WIDTH, WIDTH),
        "attn_k": (WIDTH, WIDTH),
        "attn_v": (WIDTH, WIDTH),
        "attn_output": (WIDTH, WIDTH),
        "ffn_norm": (WIDTH,),
        "ffn_gate": (HIDDEN, WIDTH),
        "ffn_up": (HIDDEN, WIDTH),
        "ffn_down": (WIDTH, HIDDEN),
    }
    every = {f"blk.{layer}.{name}": shape for layer in range(LAYERS) for name, shape in block.items()}
    ends = {"token_embd": (vocabulary, WIDTH), "output_norm": (WIDTH,), "output": (vocabulary, WIDTH)}
    return {**every, **ends}


def add_weights(out: gguf.GGUFWriter, vocabulary: int, seed: int) -> None:
    """Write random weights: norms of one, the rest small around zero."""
    random = np.random.default_rng(seed)
    for name, shape in shapes(vocabulary).items():
        weights = np.ones(shape) if name.endswith("norm") else random.normal(0.0, 0.15, shape)
        out.add_tensor(f"{name}.weight", weights.astype(np.float32))


def write_model(path: Path, seed: int = 7) -> None:
    """Write the whole model file."""
    out = gguf.GGUFWriter(str(path), "llama")
    vocabulary = add_tokenizer(out)
    add_shape(out, vocabulary)
    add_weights(out, vocabulary, seed)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


if __name__ == "__main__":
    write_model(Path(sys.argv[1]), *map(int, sys.argv[2:3]))
