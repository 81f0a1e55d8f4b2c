"""Where models are fetched from that are named and not there as a folder."""

import os

HUGGING_FACE = "huggingface.co"


def hub() -> str:
    """The host of the hub: Hugging Face, or the one that the environment's HF_ENDPOINT names."""
    named = os.environ.get("HF_ENDPOINT", "").strip()
    return named.partition("://")[2].partition("/")[0] or HUGGING_FACE
