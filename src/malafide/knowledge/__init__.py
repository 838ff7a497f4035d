"""What malafide knows before it reads a message: hosts, brands, domains, and what labelled data taught it."""
