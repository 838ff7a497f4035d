"""One judge process: jobs in on standard input, steps and results out on standard output, until the input ends.

A refusal is a result. Anything else that goes wrong ends the process: the pool starts another, and gives the job to it.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
from typing import IO, Any, Final, Literal

from malafide.errors import MalafideError
from malafide.judging import Step
from malafide.service.chambers import Chambers
from malafide.service.jobs import Job
from malafide.settings import Settings

LENGTH: Final = struct.Struct(">Q")
Kind = Literal["ready", "step", "done", "refused"]
_WARMING: Final = b"From: a@example.com\r\nTo: b@example.com\r\nSubject: Lunch\r\n\r\nSee you at noon.\r\n"


def read_frame(stream: IO[bytes]) -> Any:
    """The next object, or None at the end of the stream."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    return pickle.loads(stream.read(LENGTH.unpack(head)[0]))


def frame(value: Any) -> bytes:
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(data)) + data


def serve(incoming: IO[bytes], outgoing: IO[bytes]) -> None:
    """Does jobs until there are no more."""

    def say(kind: Kind, value: Any) -> None:
        outgoing.write(frame((kind, value)))
        outgoing.flush()

    settings: Settings = read_frame(incoming)
    chambers = Chambers(settings)
    # Everything that the first mail would have to wait for is loaded now; no model is asked.
    chambers.bench("spam")
    Chambers(Settings()).bench("spam").judge(_WARMING)
    say("ready", os.getpid())
    while (given := read_frame(incoming)) is not None:
        job: Job = given[0]
        watched: bool = given[1]

        def tell(step: Step) -> None:
            say("step", step)

        try:
            result = job.do(chambers, tell if watched else None)
        except MalafideError as refusal:
            say("refused", refusal)
        else:
            say("done", result)
    chambers.close()


def main() -> None:
    """Standard output is for results alone: whatever prints, prints on standard error."""
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    # The service decides when a judge ends, by ending its input: a signal to all of its group is not for judges.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        serve(incoming, outgoing)
    except BrokenPipeError:
        sys.exit(0)  # the service is gone


if __name__ == "__main__":
    main()
