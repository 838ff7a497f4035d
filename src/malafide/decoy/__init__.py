"""Keeps a scammer talking: an invented, harmless person answers. What it may never say is code, in `safety`."""
