"""Every refusal malafide can give: one class each, with its exit code and HTTP status.

A message says what was wrong, what is allowed and what to do next. Doors turn these into exits; nothing else does.
"""

from __future__ import annotations


class MalafideError(Exception):
    """Base of all refusals."""

    exit_code = 1
    http_status = 500


class UnreadableInput(MalafideError):
    """The input is missing, empty, or of no kind malafide reads."""

    exit_code = 2
    http_status = 422


class InputTooLarge(MalafideError):
    exit_code = 3
    http_status = 413


class UnknownName(MalafideError):
    """No agent, tool, rule or schema of that name."""

    exit_code = 4
    http_status = 404


class BadRule(MalafideError):
    """A rule file that cannot be used."""

    exit_code = 5


class BadSetting(MalafideError):
    """A setting with a value that is not allowed."""

    exit_code = 6
    http_status = 400


class UnwritableOutput(MalafideError):
    """A file that was asked for cannot be written."""

    exit_code = 7


class BrokenStore(MalafideError):
    """A file of what malafide remembers cannot be opened, read or written."""

    exit_code = 8


class BadCatalog(MalafideError):
    """A pattern catalog that cannot be read."""

    exit_code = 9
    http_status = 400


class BadSignal(MalafideError):
    """A signal of a post that is out of range or of the wrong kind."""

    exit_code = 10
    http_status = 422


class Busy(MalafideError):
    """Another process is changing what malafide remembers."""

    exit_code = 11
    http_status = 503


class MissingExtra(MalafideError):
    """What was asked for needs an optional part of the package that is not installed."""

    exit_code = 12
    http_status = 501
