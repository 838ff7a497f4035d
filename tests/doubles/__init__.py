"""Stand-ins that behave, or misbehave, exactly as the real thing does on the wire."""
