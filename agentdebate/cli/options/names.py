"""What the arguments that errors and captions name are called on the command line."""

import re
import shlex
from collections.abc import Mapping

OPTIONS: Mapping[str, str] = {
    "agents": "--agents",
    "allow_code": "--allow-code",
    "allow_endpoints": "--allow-endpoint",
    "also": "--also",
    "annotators": "--annotators",
    "anyway": "--anyway",
    "api_key_env": "--api-key-env",
    "aspects": "--aspects",
    "base_url": "--base-url",
    "bootstrap_seed": "--bootstrap-seed",
    "by": "--by",
    "cache_mode": "--cache",
    "calibration": "--calibration",
    "cast": "--cast",
    "ceiling": "--ceiling",
    "choice": "--choice",
    "concurrency": "--concurrency",
    "compare": "--compare",
    "confidences": "--confidences",
    "control": "--control",
    "control_temperature": "--control-temperature",
    "convention": "--convention",
    "data": "--data",
    "dataset": "--as",
    "deadline": "--deadline",
    "evidence": "--evidence",
    "fields": "--field",
    "folds": "--folds",
    "form": "--form",
    "format": "--format",
    "grades": "--grades",
    "group": "--group",
    "how": "--how",
    "human": "--human",
    "human_scale": "--human-scale",
    "ids": "--id",
    "in_flight": "--in-flight",
    "join": "--join",
    "labels": "--labels",
    "level": "--level",
    "limit": "--limit",
    "max_tokens": "--max-tokens",
    "missing": "--missing",
    "model": "--model",
    "models": "--agent-model",
    "of": "--of",
    "on": "--on",
    "options": "--set",
    "orders": "--orders",
    "patience": "--patience",
    "per": "--per",
    "prices": "--prices",
    "project": "--project",
    "queue": "--queue",
    "range": "--range",
    "rater": "--rater",
    "read": "--read",
    "reliability": "--reliability",
    "replies": "--replies",
    "reply": "--reply",
    "requests_per_minute": "--requests-per-minute",
    "resamples": "--resamples",
    "retry_failed": "--retry-failed",
    "risk": "--risk",
    "sample": "--sample",
    "scale": "--scale",
    "score": "--score",
    "scores": "--scores",
    "set": "--set",
    "statistic": "--statistic",
    "store": "--store",
    "subset": "--subset",
    "system": "--system",
    "task": "--task",
    "temperature": "--temperature",
    "test": "--test",
    "tokens_per_minute": "--tokens-per-minute",
    "train": "--train",
    "unreadable": "--unreadable",
    "value": "--value",
    "vary": "--vary",
    "where": "--where",
    "with_judge": "--with-judge",
    "within": "--within",
}
"""Each argument of the library with the option that gives it."""

_ARGUMENT = re.compile(rf"(?<![\w.:])({'|'.join(OPTIONS)})=(?:\.\.\.|True\b|'([^']*)')")
"""An argument as the library's sentences have it: store=..., subset=True, missing='wrong'."""


def in_options(text: str) -> str:
    """The sentence with options in the place of the arguments that it names: --store, --subset, --missing wrong."""
    return _ARGUMENT.sub(_option, text)


def _option(found: re.Match[str]) -> str:
    name, value = OPTIONS[found[1]], found[2]
    if value is None:
        return name
    return f"{name} {shlex.quote(value)}"
