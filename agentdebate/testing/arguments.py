"""The options of `python -m agentdebate.testing.server`."""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agentdebate.errors import UsageError
from agentdebate.testing.faults import FAULTS
from agentdebate.testing.latency import latency
from agentdebate.testing.prompt_cache import PromptCache

_EXAMPLE = "example: python -m agentdebate.testing.server --fault 429=0.05 --fault hang=0.01 --latency lognormal:0.2,0.5"


def read_arguments(arguments: Sequence[str] | None = None) -> dict[str, Any]:
    """What the options say, as FaultServer takes it. Raises UsageError; argparse ends the process for unknown options."""
    given = _parser().parse_args(arguments)
    numbers = ("seed", "per_token", "honour_n", "retry_after", "drip", "huge", "host", "port")
    limits = ("requests_per_minute", "tokens_per_minute")
    return {
        **{name: getattr(given, name) for name in (*numbers, *limits)},
        "latency": latency(given.latency),
        "faults": _rates(given.fault),
        "prompt_cache": None if given.prompt_cache is None else PromptCache(given.prompt_cache),
        "replies": _replies(given.reply, given.script),
    }


def _parser() -> argparse.ArgumentParser:
    known = "\n".join(f"  {name:17} {about}" for name, about in FAULTS.items())
    parser = argparse.ArgumentParser(
        prog="python -m agentdebate.testing.server",
        description="A chat-completions server for tests. It prints its address as a line of JSON and runs until SIGTERM.",
        epilog=f"faults:\n{known}\n\n{_EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="address to listen at")
    add("--port", type=int, default=0, help="0 for any that is free")
    add("--seed", type=int, default=0, help="decides on faults and latencies")
    add("--fault", action="append", default=[], metavar="NAME=SHARE", help="share of tries that meet it")
    add("--latency", default="0", help="seconds, or uniform:LOW,HIGH, or lognormal:MEDIAN,SIGMA")
    add("--per-token", type=float, default=0.0, help="seconds more for each token of a reply")
    add("--reply", help="reply with this text, whatever is asked")
    add(
        "--script",
        type=Path,
        help="a JSON file with a list of replies; without it they follow from the request",
    )
    add("--no-n", dest="honour_n", action="store_false", help="give one choice, however many are asked for")
    add("--retry-after", type=float, default=1.0, help="seconds that a 429 asks for")
    add("--drip", type=float, default=0.05, help="seconds between the bytes of a drip")
    add("--huge", type=int, default=40 << 20, help="bytes of a huge answer")
    add("--requests-per-minute", type=float, help="the limit beyond which calls are answered with 429")
    add("--tokens-per-minute", type=float, help="the same for tokens")
    add(
        "--prompt-cache",
        type=int,
        metavar="TOKENS",
        help="have a cache of prompts, of at least so many tokens",
    )
    return parser


def _rates(written: Sequence[str]) -> Mapping[str, float]:
    rates = {}
    for one in written:
        name, _, rate = one.partition("=")
        try:
            rates[name] = float(rate)
        except ValueError as error:
            raise UsageError(f"--fault is NAME=SHARE, such as 429=0.05; not {one!r}") from error
    return rates


def _replies(text: str | None, script: Path | None) -> Any:
    if script is None:
        return "hashed" if text is None else lambda _: text
    try:
        found = json.loads(script.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{script}: cannot be read as JSON: {error}") from error
    if not isinstance(found, list) or not all(isinstance(one, str | dict) for one in found):
        raise UsageError(f"{script}: a script is a list of texts, or of whole replies as objects")
    return found
