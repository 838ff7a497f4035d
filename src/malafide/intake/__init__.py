"""Bytes in, Case out: `read_bytes` and `read_text` read one message, `expand` finds those in a path."""

from malafide.intake.folders import expand
from malafide.intake.reading import read_bytes, read_text

__all__ = ["expand", "read_bytes", "read_text"]
