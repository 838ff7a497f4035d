"""Bytes in, Case out. `read_bytes` and `read_text` make a Case of one message; `expand` finds the messages in a path."""

from malafide.intake.folders import expand
from malafide.intake.reading import read_bytes, read_text

__all__ = ["expand", "read_bytes", "read_text"]
