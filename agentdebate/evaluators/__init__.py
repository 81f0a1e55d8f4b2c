"""Assistant evaluators: what scores a text without a debate. One evaluator a file; base.py says what one is."""
