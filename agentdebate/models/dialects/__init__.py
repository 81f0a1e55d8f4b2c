"""Protocols of endpoints, one a file. chat_completions.py is OpenAI's, with dialect.py, wire.py and parameters.toml."""
