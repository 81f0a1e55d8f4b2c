"""What agentdebate costs. `python -m benchmarks` runs everything; `python -m benchmarks machinery` one part."""
