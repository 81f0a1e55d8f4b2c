"""An endpoint of decision models: it gives every question the same distribution, in either protocol."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import httpx


def answered(wire: str, questions: Sequence[Mapping[str, Any]], shares: Sequence[float]) -> dict[str, Any]:
    """A reply to questions, each with its name, in which the answers have these probabilities."""
    usage = {"input_tokens": 120, "output_tokens": 4}
    if wire == "systemone":
        return {
            "model": "jev-1",
            "answers": {one["name"]: _of_system_one(one, shares) for one in questions},
            "usage": usage,
        }
    details = {
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    answers = [{"name": one["name"], **_of_openai(one, shares)} for one in questions]
    return {"model": "tiny-1", "answers": answers, "usage": {**usage, **details, "total_tokens": 124}}


def _of_openai(question: Mapping[str, Any], shares: Sequence[float]) -> dict[str, Any]:
    match question["type"]:
        case "predicate":
            return {"type": "predicate", "probability": shares[-1]}
        case "choice":
            values = [one["value"] for one in question["choices"]]
            each = [{"value": one, "probability": share} for one, share in zip(values, shares, strict=False)]
            return {"type": "choice", "choice": values[0], "confidence": 0.5, "probabilities": each}
    labels = [one["label"] for one in question["levels"]]
    each = [
        {"label": label, "value": at, "probability": share}
        for at, (label, share) in enumerate(zip(labels, shares, strict=False))
    ]
    return {"type": "score", "score": 1.5, "confidence": 0.5, "probabilities": each}


def _of_system_one(question: Mapping[str, Any], shares: Sequence[float]) -> dict[str, Any]:
    match question["type"]:
        case "noul":
            return {"type": "noul", "noul": shares[-1]}
        case "choice":
            each = dict(zip(question["criteria"], shares, strict=False))
            return {"type": "choice", "choice": next(iter(each)), "confidence": 0.5, "probabilities": each}
    legend = {str(at): told for at, told in enumerate(question["criteria"])}
    each = dict(zip(legend, shares, strict=False))
    return {"type": "score", "score": 1.5, "confidence": 0.5, "legend": legend, "probabilities": each}


class Decider:
    """Answers each question with these probabilities, but for those that it declines. `bodies` are what it was sent."""

    def __init__(self, shares: Sequence[float], declines: Sequence[str] = ()) -> None:
        self.shares, self.declines = shares, declines
        self.bodies: list[dict[str, Any]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.bodies.append(json.loads(request.content))
        wire = request.url.path.rpartition("/")[2]
        reply = answered(wire, self.questions, self.shares)
        for name in self.declines:
            if wire == "systemone":
                del reply["answers"][name]
            else:
                refused = [{"type": "refusal", "name": name}]
                kept = [one for one in reply["answers"] if one["name"] != name]
                reply["answers"] = kept + refused
        return httpx.Response(200, json=reply)

    @property
    def questions(self) -> list[dict[str, Any]]:
        """The questions of the last request, each with its name."""
        found = self.bodies[-1]["questions"]
        return found if isinstance(found, list) else [{"name": name, **one} for name, one in found.items()]
