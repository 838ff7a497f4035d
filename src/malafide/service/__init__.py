"""The service: the panels and what they decided, for a team, over HTTP and as a page.

One process answers requests; judge processes beside it judge. What was accepted is in the store before it is answered.
"""
