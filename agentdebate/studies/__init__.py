"""What runs and then analyses: runs side by side, with their controls."""
