"""Replies of judges and critics, read: the form that was asked for, JSON, a table of patterns, else a refusal with its reason."""
