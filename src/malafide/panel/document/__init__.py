"""The agents of the document panel: ROUTER, PLANNER, ANALYST and SUPERVISOR, each with its offline reasoning."""
