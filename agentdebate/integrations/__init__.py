"""Doors to tools that people already use, each a thin layer over `Judge`."""
