"""One file per agent, with its Markdown spec of the same name beside it."""
