"""Rules as data: phrases in a small notation, matched all at once in linear time."""
