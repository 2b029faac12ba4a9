"""The list of usual column names that the library and the command share."""

import pandas as pd
import pytest

import agreement_fast as af
from agreement_fast.recognition.names import usual_columns


def test_a_frame_is_read_by_usual_names() -> None:
    frame = pd.DataFrame({"item": [1, 1, 2], "annotator": ["A", "B", "A"], "label": list("xxy")})
    read = af.Annotations.from_frame
    named = read(frame, item="item", coder="annotator", label="label")
    for found in (read(frame), read(frame, coder="annotator")):
        assert list(found.items) == list(named.items)
        assert list(found.coders or ()) == ["A", "B"]
        assert found.to_wide().tolist() == named.to_wide().tolist()
    with pytest.raises(ValueError, match="'rating' or 'code' could be the label: pass label="):
        read(frame.rename(columns={"label": "rating"}).assign(code=1))
    with pytest.raises(ValueError, match="none is known as the coder: name it by coder"):
        read(frame.rename(columns={"annotator": "z"}))


def test_the_most_trusted_group_of_names_wins() -> None:
    assert usual_columns("item", ["id", "text", "item"]) == ["item"]
    assert usual_columns("item", ["id", "text"]) == ["text"]
    assert usual_columns("item", ["id", "score"]) == ["id"]


def test_two_names_of_one_group_are_both_given() -> None:
    assert usual_columns("coder", ["rater", "worker", "model"]) == ["rater", "worker"]


def test_case_punctuation_and_a_final_id_do_not_matter() -> None:
    assert usual_columns("coder", ["Annotator_ID"]) == ["Annotator_ID"]
    assert usual_columns("label", ["label name"]) == ["label name"]
    assert usual_columns("coder", ["annotators of the day"]) == []


def test_the_id_of_a_label_is_no_label() -> None:
    assert usual_columns("label", ["annotation_id", "labelId", "class id", "score"]) == ["score"]
    assert usual_columns("label", ["annotation_id"]) == []
