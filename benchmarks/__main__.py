"""python -m benchmarks [imports] [machinery] [memory] [reading] [roles] [soak] [strategies] [summeval]: run the named parts, or all."""

import sys

from benchmarks import imports, machinery, memory, reading, roles, soak, strategies, summeval

PARTS = {
    "imports": imports.main,
    "machinery": machinery.main,
    "memory": memory.main,
    "reading": reading.main,
    "roles": roles.main,
    "soak": soak.main,
    "strategies": strategies.main,
    "summeval": summeval.main,
}


def main() -> None:
    """Run the parts named on the command line."""
    for name in sys.argv[1:] or list(PARTS):
        print(f"== {name}")
        PARTS[name]()


if __name__ == "__main__":
    main()
