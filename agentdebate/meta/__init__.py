"""What a run's scores are worth: how they are put together, and how well they agree with people's. Nothing here runs
anything: it works on what a run has left behind.
"""
