"""One file per voter of the honeypot panel, with its Markdown spec of the same name beside it."""
