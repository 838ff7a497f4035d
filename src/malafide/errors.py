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


class Unjudgeable(MalafideError):
    """An input that ends every judge that takes it up, or takes longer than any may."""

    exit_code = 13
    http_status = 422


class NotAllowed(MalafideError):
    """The one who asks is known and may not do this, or did not ask from where they may."""

    exit_code = 14
    http_status = 403


class NotKnown(MalafideError):
    """Nobody may ask without a token here, and none, or none that counts, was shown."""

    exit_code = 15
    http_status = 401


class TooOften(MalafideError):
    """More requests than the token allows."""

    exit_code = 16
    http_status = 429


class OutOfOrder(MalafideError):
    """What was asked for does not fit the state things are in."""

    exit_code = 17
    http_status = 409


class BadAddress(MalafideError):
    """A request to a name that is not this service's."""

    exit_code = 18
    http_status = 421


class CannotResume(MalafideError):
    """A batch that was begun cannot go on: its input or its settings are others now."""

    exit_code = 19
    http_status = 409


class Unreachable(MalafideError):
    """A service that was asked does not answer."""

    exit_code = 19
    http_status = 502
