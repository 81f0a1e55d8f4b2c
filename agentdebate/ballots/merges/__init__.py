"""The merges that come with the package, one a file. They are registered in pyproject.toml as those of others are."""
