"""A post's picture in, image signals out, by whoever looks at pictures; what nobody could judge stays unknown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from malafide.errors import MalafideError
from malafide.intake.posts import Post
from malafide.limits import MAX_INPUT_BYTES
from malafide.signals.signal import Signal, Value, unknown

if TYPE_CHECKING:
    from malafide.imaging.signals import ImageSignals

_NAMES: Final = ("image_tampered", "ai_generated_probability", "ocr_text")
Look = Callable[[bytes], "ImageSignals"]
Pictured = tuple["ImageSignals | None", tuple[str, ...], tuple[Signal, ...]]


def picture_signals(post: Post, look: Look | None) -> Pictured:
    """What was seen, what could not be judged, and the signals; no signals at all where there is no picture."""
    if post.image is None:
        return None, (), ()
    if look is None:
        because = "Pictures were not looked at."
        return None, (), tuple(unknown("image_signals", name, "picture", because) for name in _NAMES)
    try:
        if post.image.stat().st_size > MAX_INPUT_BYTES:
            raise OSError(0, f"it is larger than {MAX_INPUT_BYTES:,} bytes")
        seen = look(post.image.read_bytes())
    except OSError as error:
        return _unseen(f"The picture {post.image.name!r} cannot be read: {error.strerror}.")
    except MalafideError as error:
        return _unseen(f"The picture {post.image.name!r} cannot be judged: {error}")
    return seen, seen.notes, (_tampering(seen), _generated(seen), _writing(seen))


def _unseen(because: str) -> Pictured:
    return None, (because,), tuple(unknown("image_signals", name, "picture", because) for name in _NAMES)


def _tampering(seen: ImageSignals) -> Signal:
    because = (
        " ".join(trace.sentence for trace in seen.traces[:2]) or "Nothing in the file allows a judgement."
    )
    return _signal("image_tampered", seen.tampered, "traces of editing", because)


def _generated(seen: ImageSignals) -> Signal:
    because = (
        " ".join(mark.sentence for mark in seen.ai_marks[:2])
        or "No mark says how it was made; that proves nothing."
    )
    return _signal("ai_generated_probability", seen.ai_generated_probability, "marks of a generator", because)


def _writing(seen: ImageSignals) -> Signal:
    words = len((seen.ocr_text or "").split())
    because = "It was not read." if seen.ocr_text is None else f"{words} words were read in the picture."
    return _signal("ocr_text", seen.ocr_text, "text recognition", because)


def _signal(name: str, value: Value, by: str, because: str) -> Signal:
    if value is None:
        return unknown("image_signals", name, by, because)
    return Signal("image_signals", name, value, "measured", by, because)
