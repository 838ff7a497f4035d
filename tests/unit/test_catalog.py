"""The catalog as a file and as numbers: nothing is lost on the way, and corrections come and go exactly."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from malafide.errors import BadCatalog
from malafide.knowledge.catalog import (
    FAMILIES,
    MOST_WEIGHT,
    Catalog,
    Correction,
    Counts,
    Familiar,
    Known,
    Pattern,
    Scale,
    Shot,
    dump,
    load,
    log_odds,
)

_texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
_floats = st.floats(-10, 10, allow_nan=False).map(lambda f: round(f, 4))
_counts = st.builds(Counts, st.integers(0, 10_000), st.integers(0, 10_000))
_tuples = st.lists(_texts, max_size=3).map(tuple)
_sides = st.sampled_from(["spam", "ham"])
_known = st.builds(Known, _counts, _floats)
_patterns = st.builds(
    Pattern,
    pattern_type=_texts,
    family=st.sampled_from(FAMILIES),
    side=_sides,
    description=_texts,
    examples=_tuples,
    phrases=st.dictionaries(_texts, _known, max_size=4),
    support=_counts,
    weight=_floats,
)
_corrections = st.builds(
    Correction,
    case_id=_texts,
    label=_sides,
    source=_texts,
    when=_texts,
    phrases=st.fixed_dictionaries(dict.fromkeys(FAMILIES, _tuples)),
)
_shots = st.lists(st.builds(Shot, _texts, _tuples, _floats), max_size=2).map(tuple)
_catalogs = st.builds(
    Catalog,
    cases=_counts,
    sources=_tuples,
    patterns=st.lists(_patterns, max_size=4).map(tuple),
    bias=_floats,
    unit=_floats,
    scale=st.builds(Scale, _floats, _floats, _floats),
    familiar=st.builds(Familiar, _floats, _floats, _floats),
    calibration=st.fixed_dictionaries({"slope": _floats, "offset": _floats, "cases": _floats}),
    few_shot=st.fixed_dictionaries({"spam": _shots, "ham": _shots}),
    corrections=st.lists(_corrections, max_size=3).map(tuple),
)

CATALOG = Catalog(
    cases=Counts(20, 30),
    sources=("made-up.csv",),
    patterns=(
        Pattern(
            "spam-prize", "content", "spam", "Words of prizes.", ("a prize",),
            {"prize": Known(Counts(10, 0), 2.0), "claim": Known(Counts(8, 2), 1.0)}, Counts(12, 2),
        ),
    ),
    bias=0.1, unit=0.5, scale=Scale(turn=0.0, gain=1.0, shift=0.0), familiar=Familiar(0.1, 0.2, 1.0),
    calibration={"slope": 1.0, "offset": 0.0, "cases": 50.0},
)  # fmt: skip
LABEL = Correction("c1", "ham", "ana", "2026-01-01T00:00:00+00:00", {"content": ("prize",)})


@settings(max_examples=50, deadline=None)
@given(_catalogs)
def test_a_file_holds_the_whole_catalog(catalog: Catalog) -> None:
    text = dump(catalog)
    back = load(text, "here")
    assert dump(back) == text
    assert sorted(back.patterns, key=repr) == sorted(catalog.patterns, key=repr)
    assert (back.corrections, back.few_shot, back.scale) == (
        catalog.corrections,
        catalog.few_shot,
        catalog.scale,
    )


def test_the_file_has_the_shape_of_the_contract() -> None:
    document = json.loads(dump(CATALOG))
    (entry,) = document["spam_patterns"]["content_patterns"]
    assert entry["pattern_type"] == "spam-prize"
    assert entry["indicators"] == ["prize", "claim"]
    assert (entry["weight"], entry["support"]) == (1.0, {"spam": 12, "ham": 2})
    assert document["ham_patterns"] == {"legitimate_characteristics": []}
    assert set(document["few_shot_examples"]) == {"spam", "ham"}
    assert '"prize": [10, 0, 2.0]' in dump(CATALOG)


@settings(max_examples=25, deadline=None)
@given(_catalogs, _corrections)
def test_a_correction_taken_back_leaves_no_trace(catalog: Catalog, correction: Correction) -> None:
    start = replace(catalog, corrections=())
    for one in catalog.corrections:
        start = start.corrected(one)
    start = start.without(correction.case_id)
    changed = load(dump(start.corrected(correction)), "here")
    assert correction in changed.corrections
    assert dump(changed.without(correction.case_id)) == dump(start)


def test_a_correction_moves_the_weight_of_its_phrases_only() -> None:
    before, after = CATALOG.weights("content"), CATALOG.corrected(LABEL).weights("content")
    assert after["prize"][0] < before["prize"][0] == 2.0
    assert after["claim"][0] == before["claim"][0]
    assert CATALOG.corrected(LABEL).without("c1").weights("content") == before


def test_a_newer_label_of_the_same_mail_replaces_the_older() -> None:
    newer = Correction("c1", "spam", "bo", "2026-01-02T00:00:00+00:00", {"content": ("prize",)})
    assert CATALOG.corrected(LABEL).corrected(newer).corrections == (newer,)


@given(_counts, _counts)
def test_log_odds_are_capped_and_lean_to_where_the_phrase_stands(counts: Counts, more: Counts) -> None:
    cases = Counts(counts.spam + more.spam, counts.ham + more.ham)
    odds = log_odds(counts, cases)
    assert -MOST_WEIGHT <= odds <= MOST_WEIGHT
    assert log_odds(Counts(counts.ham, counts.spam), Counts(cases.ham, cases.spam)) == pytest.approx(-odds)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "null", "not json", '{"format": 99}', dump(CATALOG).replace("2.0", "NaN"),
     dump(CATALOG).replace('"family": "content"', '"family": "x"'),
     dump(CATALOG).replace("[10, 0, 2.0]", "[10]"), dump(CATALOG).replace('"cases": {', '"cases": {"x": 1,')],
)  # fmt: skip
def test_what_is_no_catalog_is_refused_with_its_name(text: str) -> None:
    with pytest.raises(BadCatalog, match=r"my\.json"):
        load(text, "my.json")
