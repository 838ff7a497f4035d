"""Requests in, answers out: one module per noun of the HTTP API."""
