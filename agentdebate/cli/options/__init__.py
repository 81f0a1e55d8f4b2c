"""Options that several commands share, and what they are in arguments of the library."""
