"""The assemblies: which tools, agents and consensus make each panel."""
