"""The same debate by hand, here, in AutoGen and in LangGraph: CPU, calls a second, wall and memory.

    python -m benchmarks peers [--quick] [--peers NAME ...] [--at-once N ...] [--latency S ...] [--passes N] [--add] [--write]

Every peer gets a virtual environment of its own, made by pip from the index that is configured and kept in build/peers; who
cannot be installed is named and left out. Peer and endpoint have a core each. All figures, every pass, are written to
build/peers.json as they come: --add goes on with them, one peer or pass at a time, and --from FILE shows such a file and
measures nothing. Everything takes about an hour, --quick three minutes.
"""

import argparse
import sys
from collections.abc import Sequence
from itertools import dropwhile
from pathlib import Path

from benchmarks.page import SPEED, write_parts
from benchmarks.peers.cell import AT_ONCE, LATENCIES, Plan, plan, quick
from benchmarks.peers.comparison import Comparison, compare
from benchmarks.peers.environment import CHECKOUT
from benchmarks.peers.peer import PEERS, USUAL
from benchmarks.peers.report import parts, shown

RESULTS = CHECKOUT / "build" / "peers.json"
PASSES = 3


def main(words: Sequence[str] | None = None) -> int:
    """Compare, and print. The options are those after the names of benchmarks. 1 where nobody could be run."""
    given = dropwhile(lambda word: not word.startswith("-"), sys.argv[1:])
    options = _parser().parse_args(list(given) if words is None else words)
    if options.shown is not None:
        made = Comparison.from_json(options.shown.read_text(encoding="utf-8"))
    else:
        passes = options.passes or (1 if options.quick else PASSES)
        made = compare(planned(options), passes, options.results, add=options.add)
        print(f"every figure: {options.results}")
    print(f"\n{shown(made)}")
    if options.write and made.passes:
        write_parts(SPEED, "peers", parts(made))
    return 0 if made.passes else 1


def planned(options: argparse.Namespace) -> Plan:
    """Who is measured where: what is named, or what is quick."""
    peers = [PEERS[name] for name in options.peers]
    if options.quick and not options.at_once and not options.latency:
        return quick(peers)
    return plan(peers, options.at_once or AT_ONCE, options.latency or LATENCIES)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks peers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--quick", action="store_true", help="one pass of 200 at once, and 20 with replies after 200 ms"
    )
    parser.add_argument(
        "--peers", nargs="+", choices=tuple(PEERS), default=USUAL, metavar="NAME", help=", ".join(PEERS)
    )
    parser.add_argument("--at-once", nargs="+", type=int, metavar="N", help="debates at once (20 200 1000)")
    parser.add_argument(
        "--latency", nargs="+", type=float, metavar="S", help="seconds until a reply (0 0.2 2)"
    )
    parser.add_argument(
        "--passes", type=int, metavar="N", help=f"how often everything is measured ({PASSES})"
    )
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FILE", help="where the figures go")
    parser.add_argument("--add", action="store_true", help="go on with the figures that are there")
    parser.add_argument("--from", dest="shown", type=Path, metavar="FILE", help="show these figures")
    parser.add_argument("--write", action="store_true", help=f"write the tables into {SPEED.name}")
    return parser
