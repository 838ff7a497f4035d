"""The bytes of a picture in, `ImageSignals` out: every look this package has, in one call."""

from __future__ import annotations

import numpy as np

from malafide.imaging import ocr
from malafide.imaging.codes import read_codes
from malafide.imaging.decode import decode
from malafide.imaging.likeness import perceptual_hash
from malafide.imaging.marks import marks, probability
from malafide.imaging.signals import ImageSignals
from malafide.imaging.tampering import judge


def examine_image(data: bytes, *, read_text: bool = True) -> ImageSignals:
    """All that can be seen in the picture. Without the extra `ocr` its text stays unread, and a note says so."""
    picture = decode(data)
    upright = picture.upright()
    judgement = judge(picture)
    made = marks(data)
    notes = [*picture.notes, *judgement.notes]
    lines = None
    if read_text and ocr.available():
        lines = ocr.read_text(upright)
    elif read_text:
        notes.append(
            "Text in the picture was not read: that needs the extra 'ocr' (pip install 'malafide[ocr]')."
        )
    if not made:
        notes.append(
            "Nothing in the file says how the picture was made; whether it was generated is unknown."
        )
    return ImageSignals(
        width=picture.width,
        height=picture.height,
        format=picture.format,
        perceptual_hash=perceptual_hash(picture.luma),
        tampered=judgement.tampered,
        tamper_score=judgement.score,
        traces=judgement.traces,
        heat_map=judgement.heat_map,
        ai_generated_probability=probability(made),
        ai_marks=made,
        ocr_text=None if lines is None else "\n".join(line.text for line in lines),
        ocr_lines=lines or (),
        codes=read_codes(upright.mean(axis=2, dtype=np.float32).astype(np.uint8)),
        notes=tuple(notes),
    )
