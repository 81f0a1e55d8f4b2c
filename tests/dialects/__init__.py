"""Stand-ins of providers, as strict as their endpoints are known to be, for tests of our adapters and for benchmarks."""
