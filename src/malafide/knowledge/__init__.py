"""What malafide knows before it reads a message: hosts, brands, domains, and what was learned from labelled data."""
