"""agentdebate aggregate: the evaluators of a run put together, from the command line."""
