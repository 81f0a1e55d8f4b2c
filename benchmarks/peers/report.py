"""A comparison as tables: what everyone took, which aims are met, and what was not run."""

from collections.abc import Sequence
from statistics import median

from benchmarks.aim import Aim, aims_table, table
from benchmarks.peers import peer
from benchmarks.peers.cell import Cell
from benchmarks.peers.comparison import Comparison
from benchmarks.peers.figures import Figures

_HEAD = (
    "at once",
    "",
    "calls/s, 0 ms",
    "CPU us a call, 0 ms",
    "CPU us a call, 200 ms",
    "ideal wall / wall, 200 ms",
    "ideal wall / wall, 2 s",
    "peak MB",
)
_SAME = ((peer.OURS, peer.HTTPX), (peer.OURS_BY_AIOHTTP, peer.AIOHTTP))
"""Ours, and by hand on the same transport."""
_WALLS = (Cell(20, 0.2), Cell(200, 0.2), Cell(1000, 2.0))
"""Where the wall has an aim."""


def comparison_table(made: Comparison) -> list[str]:
    """A row for everyone at each number of debates at once."""
    at_once = sorted({cell.at_once for _, cell in made.passes})
    rows = [_row(made, name, each) for each in at_once for name in made.peers if _there(made, name, each)]
    return table(_HEAD, rows)


def _there(made: Comparison, name: str, at_once: int) -> bool:
    return any(who == name and cell.at_once == at_once for who, cell in made.passes)


def _row(made: Comparison, name: str, at_once: int) -> tuple[str, ...]:
    none, short, long = (made.figures(name, Cell(at_once, latency)) for latency in (0.0, 0.2, 2.0))
    return (
        f"{at_once:,}",
        name,
        f"{none.rate:,.0f}" if none else "",
        f"{none.cpu_us:,.0f}" if none else "",
        f"{short.cpu_us:,.0f}" if short else "",
        f"{short.share:.2f}" if short else "",
        f"{long.share:.2f}" if long else "",
        f"{peak(made, name, at_once):,.0f}",
    )


def peak(made: Comparison, name: str, at_once: int) -> float | None:
    """The most memory at so many debates at once, whatever the latency."""
    cells = [cell for who, cell in made.passes if who == name and cell.at_once == at_once]
    found = [figures for cell in cells if (figures := made.figures(name, cell))]
    return max((one.peak_mb for one in found), default=None)


def aims(made: Comparison) -> list[Aim]:
    """Every aim of the comparison, with its figure where it was measured."""
    at = Cell(200, 0.0)
    found = [
        _cpu(made, at, peer.OURS_BY_AIOHTTP, peer.AIOHTTP, 0.50),
        _cpu(made, at, peer.OURS, peer.HTTPX, 0.60),
        _cpu(made, at, peer.OURS_BY_AIOHTTP, peer.AUTOGEN, 18),
        _cpu(made, at, peer.OURS, peer.AUTOGEN, 18),
    ]
    for cell in _WALLS:
        found += [_wall(made, cell, ours, hand) for ours, hand in _SAME]
    for ours, _ in _SAME:
        what = f"{ours}: peak memory, 1,000 at once"
        found.append(Aim(what, peak(made, ours, 1000), 130, unit=" MB", digits=0))
    return found


def _cpu(made: Comparison, cell: Cell, ours: str, other: str, bound: float) -> Aim:
    """How many calls we make in the CPU time that another needs for one."""
    mine, theirs = made.figures(ours, cell), made.figures(other, cell)
    figure = theirs.cpu_us / mine.cpu_us if mine and theirs else None
    what = f"{ours}: calls in the CPU time of one {_of(other)}, {cell.at_once} at once, 0 ms"
    return Aim(what, figure, bound, least=True)


def _of(other: str) -> str:
    return other if other.startswith("by hand") else f"of {other}"


def _wall(made: Comparison, cell: Cell, ours: str, hand: str) -> Aim:
    """How near we come to the ideal wall, of how near the loop by hand comes."""
    mine, theirs = made.figures(ours, cell), made.figures(hand, cell)
    figure = mine.share / theirs.share if mine and theirs else None
    after = "200 ms" if cell.latency < 1 else "2 s"
    what = f"{ours}: ideal wall / wall, over that {hand}, {cell.at_once:,} at once, {after}"
    return Aim(what, figure, 0.95, least=True)


def caption(made: Comparison) -> str:
    """Where and how it was measured, and what else the machine did."""
    every: Sequence[Figures] = list(made.every)
    words = [_place(made), _passes(made)]
    if every:
        loads = sorted(one.load for one in every)
        held = median(one.disturbed for one in every)
        words.append(f"load averages of {loads[0]:.1f} to {loads[-1]:.1f} as runs began")
        words.append(f"in the median run other processes had the core for {held:.0%} of the wall time")
    return "; ".join(words) + f". {_versions(made)}"


def _place(made: Comparison) -> str:
    about = made.machine
    pinned = "peer and server pinned to a core each" if about["apart"] else "peer and server not pinned"
    return f"Python {about['python']} on {about['system']} with {about['cores']} cores, {pinned}"


def _passes(made: Comparison) -> str:
    least, *_, most = sorted([len(found) for found in made.passes.values()] * 2)
    if most == 1:
        return "one pass"
    return f"medians of {most} passes" if least == most else f"medians of {least} to {most} passes"


def _versions(made: Comparison) -> str:
    known = dict(
        pair for found in made.versions.values() for pair in found.items() if pair[0] != "agentdebate"
    )
    return ", ".join(f"{name} {version}" for name, version in known.items()) + "."


def requests(made: Comparison) -> str:
    """How large everyone's requests were, since all hold the same debate."""
    sizes: dict[str, list[float]] = {name: [] for name in made.peers}
    for (name, _), found in made.passes.items():
        sizes[name] += [one.sent_kb for one in found]
    return "kB a request: " + ", ".join(f"{name} {median(each):.1f}" for name, each in sizes.items()) + "."


def not_run(made: Comparison) -> str:
    """Who was not run, or not everywhere, for the page; the reasons are in the file of the results."""
    return (
        f"Not run: {'; '.join(made.missing)}."
        if made.missing
        else "Nothing failed; blank cells were not asked for."
    )


def parts(made: Comparison) -> dict[str, str]:
    """What goes into the page, by part."""
    measured = "\n\n".join([caption(made), "\n".join(comparison_table(made)), requests(made), not_run(made)])
    return {"peers": measured, "peers-aims": "\n".join(aims_table(aims(made)))}


def shown(made: Comparison) -> str:
    """All of it, and every reason, for a terminal."""
    lines = list(parts(made).values()) if made.passes else []
    lines += [f"NOT RUN: {name}: {reason}" for name, reason in made.missing.items()]
    return "\n\n".join(lines)
