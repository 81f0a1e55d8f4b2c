"""What the commands print, and where: results, progress, warnings, last words."""
