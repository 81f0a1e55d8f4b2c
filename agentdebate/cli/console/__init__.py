"""Output of the commands: results, progress, warnings, last words."""
