"""What agentdebate costs. `python -m benchmarks` runs everything; `python -m benchmarks machinery` one part."""

import sys
from pathlib import Path

# The generated replies that readers are measured on are a package of the tests.
sys.path.append(str(Path(__file__).parents[1] / "tests"))
