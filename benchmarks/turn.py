"""What stands around one model call, counted: Python calls by package and function, pydantic's objects, tasks, cancel scopes,
timers, callbacks and texts as JSON; and what each setting takes of the CPU.

`python -m benchmarks turn` prints all settings; `--of engine,aiohttp` some of them. Counts are those of DEBATE, 20 debates at once, on the
thread of the event loop: what 40 debates take less what 20 take, so that opening and closing have no part in them. `--each` lists
every function, `--in TEXT` those that have the text in their name, and `--quick` leaves the clock out.
"""

import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from types import CodeType, FrameType

import agentdebate as ad
from agentdebate.models.base import Model
from agentdebate.models.composition import Around, Limits
from agentdebate.models.registry import model as opened
from agentdebate.project.project import Project
from benchmarks.endpoint import serving
from benchmarks.peers.ours import items
from benchmarks.sample_debate import answer

SETTINGS = ("engine", "stored", "aiohttp", "httpx")
"""A model that is a function, without a store; the same with one; an endpoint called by aiohttp, and by httpx,
both with a store, limits and retries."""
AT_ONCE, FEW, MANY = 20, 20, 40
CALLS = 9
"""Model calls of a debate."""
PASSES = 5
SHOWN = 25
"""Functions that are listed where `--each` is not given."""

_MADE = frozenset(
    (
        "BaseModel.__init__",
        "BaseModel.model_construct",
        "BaseModel.model_validate",
        "BaseModel.model_validate_json",
        "TypeAdapter.validate_json",
        "TypeAdapter.validate_python",
    )
)
_KNOWN = {
    ("pydantic.main", "BaseModel.model_copy"): "pydantic copies",
    ("pydantic.main", "BaseModel.model_dump"): "pydantic dumps",
    ("pydantic.main", "BaseModel.model_dump_json"): "pydantic dumps",
    ("asyncio.base_events", "BaseEventLoop.create_task"): "tasks",
    ("anyio._backends._asyncio", "CancelScope.__init__"): "cancel scopes",
    ("asyncio.base_events", "BaseEventLoop.call_at"): "timers",
    ("asyncio.events", "Handle._run"): "loop callbacks",
    ("jinja2.environment", "Template.render"): "templates",
    ("json", "dumps"): "texts as JSON",
    ("json.encoder", "JSONEncoder.encode"): "texts as JSON",
}
"""What a call of such a function is counted as, besides."""
AIMS: Mapping[str, float] = {
    "Python calls": 330,
    "pydantic constructions": 3,
    "tasks": 2,
    "cancel scopes": 1,
}
"""A model call, at most."""


@dataclass
class Counts:
    """Calls by function, and by what they stand for."""

    functions: Counter[str] = field(default_factory=Counter)
    totals: Counter[str] = field(default_factory=Counter)
    _codes: dict[CodeType, str] = field(default_factory=dict)
    _kinds: dict[CodeType, str] = field(default_factory=dict)

    def note(self, frame: FrameType, event: str, _: object) -> None:
        """Count a call; a coroutine that goes on is one too."""
        if event == "c_call":
            self.totals["C calls"] += 1
        if event != "call":
            return
        code = frame.f_code
        name = self._codes.get(code)
        if name is None:
            name = self._codes[code] = _name(frame)
            self._kinds[code] = _kind(frame)
        self.functions[name] += 1
        if kind := self._kinds[code]:
            self.totals[kind] += 1

    def per_call(self, less: "Counts", calls: int) -> "Shares":
        """Return what is more here than there, a model call."""
        functions = {name: (count - less.functions[name]) / calls for name, count in self.functions.items()}
        totals = {name: (count - less.totals[name]) / calls for name, count in self.totals.items()}
        return Shares({k: v for k, v in functions.items() if abs(v) > 1e-9}, totals)


@dataclass(frozen=True)
class Shares:
    """Counts a model call."""

    functions: Mapping[str, float]
    totals: Mapping[str, float]

    @property
    def packages(self) -> Counter[str]:
        """Calls by package: ours by room, others by their own name."""
        found = Counter[str]()
        for name, count in self.functions.items():
            found[_package(name)] += count  # type: ignore[assignment]  # shares are no whole numbers
        return found

    @property
    def whole(self) -> dict[str, float]:
        """The totals, Python calls first."""
        return {"Python calls": sum(self.functions.values()), **self.totals}


def _name(frame: FrameType) -> str:
    code = frame.f_code
    module = frame.f_globals.get("__name__") or "(template)"
    qualname = code.co_qualname
    if code.co_filename == "<string>" and "self" in frame.f_locals:  # what dataclasses write
        qualname = f"{type(frame.f_locals['self']).__qualname__}.{code.co_name}"
    return f"{module}:{qualname}"


def _kind(frame: FrameType) -> str:
    module, qualname = frame.f_globals.get("__name__") or "", frame.f_code.co_qualname
    if module in ("pydantic.main", "pydantic.type_adapter") and qualname in _MADE:
        return "pydantic constructions"
    return _KNOWN.get((module, qualname), "")


def _package(name: str) -> str:
    module = name.partition(":")[0]
    return ".".join(module.split(".")[: 2 if module.startswith("agentdebate") else 1])


async def hold(setting: str, url: str, folder: Path, debates: int, counts: Counts | None = None) -> float:
    """Hold so many debates in a setting; the CPU seconds from the first to the last."""
    model, close = _model(setting, url)
    async with ad.evaluate(
        items(debates),
        ad.strategy("debate", project=Project()),
        model=model,
        aspects="coherence",
        concurrency=AT_ONCE,
        store=None if setting == "engine" else folder / f"{time.monotonic_ns()}.db",
        project=Project(),
    ) as run:
        spent = time.process_time()
        if counts is not None:
            sys.setprofile(counts.note)
        try:
            async for record in run:
                assert record.usage.calls == CALLS, record.failure
        finally:
            sys.setprofile(None)
        spent = time.process_time() - spent
    if close:
        await model.aclose()
    return spent


def _model(setting: str, url: str) -> tuple[Model, bool]:
    if not url:
        return ad.Function("instant", answer), False
    around = Around(Limits(in_flight=AT_ONCE))
    return opened("openai/any", around=around, base_url=url, connections=AT_ONCE, client=setting), True


def counted(setting: str, *, clock: bool = True) -> tuple[Shares, float]:
    """Return what a model call takes in a setting: counts, and microseconds of CPU (0 without the clock)."""
    endpoint = serving(0.0, core=1) if setting in ("aiohttp", "httpx") else nullcontext("")
    with endpoint as url, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asyncio.run(hold(setting, url, folder, MANY))
        few, many = Counts(), Counts()
        asyncio.run(hold(setting, url, folder, FEW, few))
        asyncio.run(hold(setting, url, folder, MANY, many))
        shares = many.per_call(few, (MANY - FEW) * CALLS)
        size = 5 * MANY
        spent = [asyncio.run(hold(setting, url, folder, size)) for _ in range(PASSES if clock else 0)]
    return shares, median(spent) / size / CALLS * 1e6 if spent else 0.0


def show(setting: str, shares: Shares, microseconds: float) -> None:
    """Print the figures of a setting."""
    print(f"-- {setting}" + (f": {microseconds:.0f} us of CPU a model call" if microseconds else ""))
    for name, count in shares.whole.items():
        print(f"{name:<24}{count:9.2f}" + (f"   (aim {AIMS[name]:g})" if name in AIMS else ""))
    for name, count in shares.packages.most_common():
        if count >= 0.5:
            print(f"    {name:<40}{count:9.2f}")
    wanted = _option("--in", "")
    found = [one for one in sorted(shares.functions.items(), key=lambda one: -one[1]) if wanted in one[0]]
    for name, count in found if "--each" in sys.argv or wanted else found[:SHOWN]:
        print(f"        {count:8.2f}  {name}")


def _option(name: str, otherwise: str) -> str:
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else otherwise


def main() -> None:
    """Count each setting that is asked for."""
    for setting in _option("--of", ",".join(SETTINGS)).split(","):
        show(setting, *counted(setting, clock="--quick" not in sys.argv))
