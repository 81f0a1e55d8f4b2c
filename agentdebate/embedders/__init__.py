"""Embedders: what turns roles into vectors. One embedder a file; base.py says what one is."""
