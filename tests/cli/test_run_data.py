"""agentdebate run: published datasets, further fields, evidence from elsewhere."""
