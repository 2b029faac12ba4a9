"""The list of usual column names that the library and the command share."""

import pandas as pd
import pytest
from loops import nonempty

import agreement_fast as af
from agreement_fast.reading.recognition.names import role_of_name, usual_columns


def test_a_frame_is_read_by_usual_names() -> None:
    frame = pd.DataFrame({"item": [1, 1, 2], "annotator": ["A", "B", "A"], "label": list("xxy")})
    read = af.Annotations.from_frame
    named = read(frame, item="item", coder="annotator", label="label")
    for result in (read(frame), read(frame, coder="annotator")):
        assert list(result.items) == list(named.items)
        assert list(result.coders or ()) == ["A", "B"]
        assert result.to_wide().tolist() == named.to_wide().tolist()
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


#: Names of columns in the tables of people and of their tools, by what they are about.
NAMES = {
    "comment": """comments note notes remark remarks rationale reasoning explanation justification
        feedback memo memos Bemerkung Bemerkungen Kommentar Kommentare Anmerkung Anmerkungen""",
    "gold": """gold goldstandard truth groundtruth reference consensus adjudicated adjudication
        curated curation resolved Endentscheidung adjudicator curator Musterlösung Lösung solution
        Referenz true correct final true_label final_code correctClass true-category
        correct_answer final_decision true_score""",
    "total": """total mean average avg median majority agree agreed agreement disagree disagreement
        std stdev variance entropy Mittelwert Summe Gesamt Durchschnitt sum mode match same
        difference diff all sd all_raters all_coders all_annotators all_judges all_votes sum_score
        sum_scores abs_diff absolute_difference n_match Moyenne Promedio accord acuerdo""",
    "result": """decision Resolution verdict prediction predicted_label outcome result Urteil
        décision résultat resultado""",
    "weights": "weight weights frequency freq count counts",
    "attribute": """date timestamp datetime url uri duration confidence conf certainty created
        updated submitted time link age gender language lang country split sex created_at
        updated_on lead_time""",
    "group": """genre speaker source group week session block condition page batch round wave site
        cluster fold topic domain corpus dataset project month year day target rank order version
        position Rang Reihenfolge ordre versión""",
    "item": """item unit task instance example subject sample question document doc text sentence
        segment hit case patient record post tweet comment object image unit_id item_nr
        item_no item_num item_number index index_idx item_key name item_uid uuid guid row line entry
        unnamed column essay abstract paper article title video audio recording clip file filename
        path utterance phrase paragraph passage prompt statement claim review word token respondent
        participant person student child client interview transcript message turn study slide scan
        photo picture product event trial specimen species span content body headline""",
}


@pytest.mark.parametrize("role", NAMES)
def test_names_of_columns_that_are_no_coders(role: str) -> None:
    assert {name: role_of_name(name) for name in NAMES[role].split()} == dict.fromkeys(
        NAMES[role].split(), role
    )


@pytest.mark.parametrize(
    ("role", "names"),
    [
        ("item", """unit task instance example subject sample question document doc text sentence
            segment hit case patient record post tweet comment object target image"""),
        ("coder", """annotator rater worker judge labeler labeller reviewer reader observer expert
            assessor grader user participant respondent model completed_by created_by"""),
        ("label", """annotation judgment judgement rating category code class score answer value
            response choice decision grade vote tag"""),
        ("start", "start begin onset from start_char"),
        ("end", "end stop offset to end_char"),
        ("category", "category label type tag class code annotation"),
        ("document", "document doc text file filename recording video audio session"),
        ("mention", "mention markable expression anaphor"),
        ("antecedent", "antecedent referent refers_to link target"),
        ("marks", "marks segmentation boundaries"),
        ("lengths", "lengths segment_lengths masses"),
    ],
)  # fmt: skip
def test_usual_names_of_each_role(role: str, names: str) -> None:
    for name in nonempty(names.split()):
        assert usual_columns(role, ["seconds", name]) == [name]


NUMBERING = "id ids nr no num number index idx key uid"


@pytest.mark.parametrize("word", NUMBERING.split())
def test_numbers_of_comments_are_no_comments(word: str) -> None:
    assert role_of_name(f"comments_{word}") is None
    assert role_of_name(f"patient_{word}") == "item"
