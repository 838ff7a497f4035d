"""Pictures of posts: what is seen becomes signals, writing becomes text, and a picture told two ways is noticed."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from malafide.benches.post import PostExaminer, PostVerdict
from malafide.imaging.drawing import marked_png
from malafide.imaging.examine import examine_image
from malafide.imaging.signals import ImageSignals
from malafide.intake.posts import read_post
from malafide.render.html_post import Page, post_page


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    noise = np.random.default_rng(1).normal(0, 12, (240, 320, 3))
    scene = np.linspace(40, 200, 320)[None, :, None] + noise
    path = tmp_path / "photo.jpg"
    Image.fromarray(np.clip(scene, 0, 255).astype(np.uint8)).save(path, quality=88)
    return path


def seen(data: bytes) -> ImageSignals:
    """What the real look sees, with writing in it that no test needs a reader for."""
    return replace(examine_image(data, read_text=False), ocr_text="The tram is closed on 3 May")


def test_what_is_seen_becomes_signals_with_their_origin(photo: Path) -> None:
    post = read_post({"post_id": "a", "text": "", "image": photo.name}, folder=photo.parent)
    found = PostExaminer(look=seen).judge(post)
    signals = {signal.name: signal for signal in found.signals if signal.group == "image_signals"}
    assert signals["ocr_text"].value == "The tram is closed on 3 May"
    assert signals["ai_generated_probability"].origin == "unknown"
    assert found.group("nlp_signals")["extracted_claim"] == "The tram is closed on 3 May"
    assert any(line.startswith("ImageAgent: OCR text of 27 characters") for line in found.trace)
    assert all(e.holds_in(found.post.case) for signal in found.signals for e in signal.evidence)


def test_given_image_signals_are_used_as_they_are(photo: Path) -> None:
    document = {
        "text": "A bridge.",
        "image": str(photo),
        "image_signals": {"tampered": True, "ocr_text": "x"},
    }
    found = PostExaminer(look=partial(examine_image, read_text=False)).judge(read_post(document))
    assert found.group("image_signals")["image_tampered"] is True
    assert found.decision.agents[1] == pytest.approx(0.2)


def test_one_picture_with_two_stories_is_noted(photo: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.png"
    Image.open(photo).resize((280, 210)).save(again)
    look = partial(examine_image, read_text=False)
    texts = ("The flood in Northbridge last night.", "Quake ruins in Southhaven this morning.")
    posts = [
        read_post({"post_id": name, "text": text, "image": str(path)})
        for name, text, path in (("a", texts[0], photo), ("b", texts[1], again), ("c", texts[0], photo))
    ]
    notes = [v.limitations[0] for v in PostExaminer(look=look).judge_all(posts) if isinstance(v, PostVerdict)]
    assert notes[0] == "The same picture stands with another text in b."
    assert notes[1] == "The same picture stands with another text in a, c."


@pytest.mark.parametrize("data", [b"", b"not a picture", b"\x89PNG\r\n\x1a\n" + b"\0" * 40])
def test_what_is_no_picture_stays_unknown(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.png"
    path.write_bytes(data)
    found = PostExaminer(look=examine_image).judge(read_post({"text": "A bridge.", "image": str(path)}))
    assert set(found.group("image_signals").values()) == {None}
    assert found.decision.agents[1] == 0.5


def test_the_page_shows_the_picture_and_allows_nothing_else(photo: Path) -> None:
    found = PostExaminer(look=seen).judge(read_post({"text": "A bridge.", "image": str(photo)}))
    assert found.picture is not None
    marked = marked_png(photo.read_bytes(), found.picture)
    assert Image.open(io.BytesIO(marked)).format == "PNG"
    page = post_page([Page("a", found, picture=marked)])
    assert 'src="data:image/png;base64,' in page and "img-src data:" in page
    assert "img-src" not in post_page([Page("a", found)])
