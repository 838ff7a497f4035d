"""Posts in, signals out: what text, account, links and picture say, each with where it came from."""
