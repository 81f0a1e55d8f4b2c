"""What people look at: tables, plots and pages, made of what a run has left behind."""
