"""Case in, opinions out: the agents, how a case is examined for them, and how they are heard."""
