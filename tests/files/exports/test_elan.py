"""ELAN's .eaf files become units of time."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from damage import blots, cuts, refused
from exported import read, units, write_zip

from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.export import find_tool
from agreement_fast.units import Continuum, u_alpha

MEDIA = '<MEDIA_DESCRIPTOR MEDIA_URL="file:///C:/films/talk.mp4" MIME_TYPE="video/mp4"/>'


def eaf(tiers: str, slots: dict[str, int | None], header: str = "", units: str = "milliseconds"):
    """Write an .eaf as ELAN does, without what is not read."""
    times = "".join(
        f'<TIME_SLOT TIME_SLOT_ID="{key}"'
        + ("" if time is None else f' TIME_VALUE="{time}"')
        + "/>"
        for key, time in slots.items()
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<ANNOTATION_DOCUMENT AUTHOR="" DATE="2024-05-01T10:00:00+01:00" FORMAT="3.0" VERSION="3.0"'
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
        ' xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">'
        f'<HEADER MEDIA_FILE="" TIME_UNITS="{units}">{header}'
        '<PROPERTY NAME="lastUsedAnnotationId">9</PROPERTY></HEADER>'
        f"<TIME_ORDER>{times}</TIME_ORDER>{tiers}"
        '<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="default" TIME_ALIGNABLE="true"/>'
        "</ANNOTATION_DOCUMENT>"
    )


def tier(name: str, *annotations: str, **fields: str) -> str:
    """Write a tier."""
    more = "".join(f' {key}="{value}"' for key, value in fields.items())
    inner = "".join(f"<ANNOTATION>{one}</ANNOTATION>" for one in annotations)
    return f'<TIER LINGUISTIC_TYPE_REF="default" TIER_ID="{name}"{more}>{inner}</TIER>'


def at(key: str, begin: str, end: str, value: str) -> str:
    """Write an annotation between two slots."""
    return (
        f'<ALIGNABLE_ANNOTATION ANNOTATION_ID="{key}" TIME_SLOT_REF1="{begin}"'
        f' TIME_SLOT_REF2="{end}"><ANNOTATION_VALUE>{value}</ANNOTATION_VALUE>'
        "</ALIGNABLE_ANNOTATION>"
    )


def on(key: str, parent: str, value: str, previous: str = "") -> str:
    """Write an annotation of an annotation."""
    before = f' PREVIOUS_ANNOTATION="{previous}"' if previous else ""
    return (
        f'<REF_ANNOTATION ANNOTATION_ID="{key}" ANNOTATION_REF="{parent}"{before}>'
        f"<ANNOTATION_VALUE>{value}</ANNOTATION_VALUE></REF_ANNOTATION>"
    )


SLOTS: dict[str, int | None] = {
    "ts1": 0, "ts2": 1000, "ts3": None, "ts4": None, "ts5": 2500, "ts6": 4000, "ts7": None,
}  # fmt: skip
ONE = eaf(
    tier(
        "gesture_AB",
        at("a1", "ts1", "ts2", "beat"),
        at("a2", "ts2", "ts3", "point"),
        at("a3", "ts3", "ts4", " hold "),
        at("a4", "ts4", "ts5", "return"),
        ANNOTATOR="Ada",
    )
    + tier(
        "gesture_CD",
        at("b1", "ts1", "ts2", "beat"),
        at("b2", "ts2", "ts6", ""),
        ANNOTATOR="Cid",
        PARTICIPANT="P1",
    )
    + tier("hand_AB", on("c1", "a1", "left"), PARENT_REF="gesture_AB")
    + tier("word_AB", on("d2", "a2", "b", "d1"), on("d1", "a2", "a"), on("d3", "a2", "c", "d2"))
    + tier("finger_AB", on("e1", "c1", "index"))
    + tier("notes", at("n1", "ts1", "ts2", "remark")),
    SLOTS,
    MEDIA,
)


@pytest.fixture
def one(tmp_path: Path) -> Path:
    path = tmp_path / "talk.eaf"
    path.write_text(ONE, encoding="utf-8")
    return path


def test_tiers_with_suffixes(one: Path) -> None:
    export = read(one, coder_from="tier-suffix")
    assert export.tool.name == "elan"
    assert export.questions == ("gesture", "hand", "word", "finger")
    # Two slots between 1000 and 2500 are spread evenly.
    assert units(export, "gesture") == [
        ("talk", "AB", 0, 1000, "beat"),
        ("talk", "AB", 1000, 1500, "point"),
        ("talk", "AB", 1500, 2000, "hold"),
        ("talk", "AB", 2000, 2500, "return"),
        ("talk", "CD", 0, 1000, "beat"),
    ]
    assert units(export, "hand") == [("talk", "AB", 0, 1000, "left")]
    assert units(export, "finger") == [("talk", "AB", 0, 1000, "index")]
    # Those that follow each other share the time of their parent, in the order that they name.
    assert units(export, "word") == [
        ("talk", "AB", 1000, 1166, "a"),
        ("talk", "AB", 1166, 1333, "b"),
        ("talk", "AB", 1333, 1500, "c"),
    ]
    result = export.contents
    assert result.unit == "milliseconds"
    assert result.extents == {"talk": (0, 4000)}
    assert dict(result.left_out) == {
        "annotations without text": 1,
        "tiers without a coder in 'tier-suffix'": 1,
    }
    assert any("2 of 3 time slots without a time were spread" in note for note in export.notes())
    assert any("ends at its last time slot" in note for note in export.notes())
    assert any("media files" in note for note in export.notes())


def test_of_whom_an_annotation_has_no_time_did_not_mark_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t.eaf"
    slots = {"s": 0, "t": 900, "u": 2000, "v": None}
    gesture = [
        tier("gesture_A", at("a1", "s", "t", "beat"), at("a2", "u", "v", "lost")),
        tier("gesture_B", at("b1", "s", "t", "beat")),
        tier("gesture_C", at("c1", "t", "u", "beat")),
    ]
    hand = tier("hand_A", on("d1", "a1", "left")) + tier("hand_B")
    path.write_text(eaf("".join(gesture) + hand, slots))
    export = read(path, coder_from="tier-suffix")
    assert units(export, "gesture") == [("t", "B", 0, 900, "beat"), ("t", "C", 900, 2000, "beat")]
    assert units(export, "hand") == [("t", "A", 0, 900, "left")]
    assert export.notes("gesture")[0] == (
        "left out: annotations without a time (1), documents of coders with spans that cannot be"
        " read (1)"
    )
    assert not any(note.startswith("left out") for note in export.notes("hand"))


def test_empty_annotations_may_count(one: Path) -> None:
    export = read(one, coder_from="tier-suffix", count_empty=True)
    assert ("talk", "CD", 1000, 4000, "(empty)") in units(export, "gesture")


@pytest.mark.parametrize(
    ("coder_from", "questions", "coders"),
    [
        ("annotator", ("gesture_AB", "gesture_CD"), {"Ada", "Cid"}),
        ("participant", ("gesture_CD",), {"P1"}),
        ("file",
         ("gesture_AB", "gesture_CD", "hand_AB", "word_AB", "finger_AB", "notes"), {"talk"}),
        ("tier:_(AB|CD)$", ("gesture", "hand", "word", "finger"), {"AB", "CD"}),
        ("tier:^(.)", ("esture_AB", "esture_CD", "and_AB", "ord_AB", "inger_AB", "otes"),
         {"g", "h", "w", "f", "n"}),
    ],
)  # fmt: skip
def test_where_the_coder_is_read(
    one: Path, coder_from: str, questions: tuple[str, ...], coders: set[str]
) -> None:
    export = read(one, coder_from=coder_from)
    assert export.questions == questions
    assert {coder for spans in export.contents.spans.values() for _, coder in spans.seen} == coders


def test_a_tier_loses_the_name_of_its_annotator(tmp_path: Path) -> None:
    path = tmp_path / "t.eaf"
    tiers = tier("ada@gesture", at("a", "s", "t", "x"), ANNOTATOR="Ada") + tier(
        "gesture_Cid", ANNOTATOR="Cid"
    )
    path.write_text(eaf(tiers, {"s": 1, "t": 2}))
    export = read(path, coder_from="annotator")
    assert export.questions == ("gesture",)
    assert export.contents.spans["gesture"].seen == {("t", "Ada"): None, ("t", "Cid"): None}


def test_one_file_does_not_say_who_coded_it(one: Path) -> None:
    with pytest.raises(ReadError, match="--coder-from tier-suffix"):
        read(one)


def simple(value: str, end: int, header: str = "") -> str:
    """Write one annotation on one tier."""
    return eaf(tier("gesture", at("a1", "s", "t", value)), {"s": 0, "t": end}, header)


def test_files_are_coders_and_media_are_documents(tmp_path: Path) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    (folder / "talk_AB.eaf").write_text(simple("beat", 1500, MEDIA))
    (folder / "talk_CD.EAF").write_text(simple("point", 1000, MEDIA))
    (folder / "talk.mp4").write_bytes(b"\x00" * 10)
    export = read(folder)
    assert units(export) == [
        ("talk", "talk_AB", 0, 1500, "beat"),
        ("talk", "talk_CD", 0, 1000, "point"),
    ]
    assert export.contents.extents == {"talk": (0, 1500)}
    assert (
        "files of one recording end at different times (1 recordings, such as 'talk': 1000 to"
        " 1500): the latest end is used for all"
    ) in export.notes()
    assert export.contents.left_out["files other than .eaf"] == 1


@pytest.mark.parametrize(
    ("names", "coder_from", "expected"),
    [
        (["talk_A.eaf", "talk_B.eaf"], r"_([AB])\.eaf$", [("talk", "A"), ("talk", "B")]),
        (["A/talk.eaf", "B/talk.eaf"], "folder", [("talk", "A"), ("talk", "B")]),
        (["x/A/talk.eaf", "x/B/talk.eaf"], "folder", [("x/talk", "A"), ("x/talk", "B")]),
        (["talk/A.eaf", "talk/B.eaf"], None, [("talk", "A"), ("talk", "B")]),
        (["A.eaf", "B.eaf"], None, [("recording", "A"), ("recording", "B")]),
        (["a.eaf", "b.eaf"], "tier:(gesture)", [("a", "gesture"), ("b", "gesture")]),
    ],
)
def test_what_the_path_says_beside_the_coder_is_the_document(
    tmp_path: Path, names: list[str], coder_from: str | None, expected: list[tuple[str, str]]
) -> None:
    path = write_zip(tmp_path / "all.zip", {name: simple("beat", 1000) for name in names})
    export = read(path, coder_from=coder_from)
    (layer,) = export.questions
    assert list(export.contents.spans[layer].seen) == expected


def test_files_of_different_recordings_are_not_the_coders(tmp_path: Path) -> None:
    content = {
        f"{name}.eaf": simple("beat", 1000, MEDIA.replace("talk", name)) for name in ("one", "two")
    }
    path = write_zip(tmp_path / "all.zip", content)
    with pytest.raises(ReadError, match="no two files are about the same recording"):
        read(path)
    assert len(units(read(path, document_from="(e)af"))) == 2
    assert read(path, coder_from="file").contents.extents == {"one": (0, 1000), "two": (0, 1000)}


def test_two_tiers_cannot_be_one_layer(tmp_path: Path) -> None:
    path = tmp_path / "t.eaf"
    path.write_text(eaf(tier("g_A") + tier("g@A"), {}))
    with pytest.raises(ReadError, match="are both layer 'g' of coder 'A' on 't'"):
        read(path, coder_from="tier-suffix")


def test_coders_who_marked_nothing_left_gaps(tmp_path: Path) -> None:
    path = tmp_path / "t.eaf"
    path.write_text(eaf(tier("g_A", at("a", "s", "t", "x")) + tier("g_B"), {"s": 0, "t": 9}))
    assert read(path, coder_from="tier-suffix").units(None).everyone == ("A", "B")


def test_the_coefficient_is_that_of_the_units(tmp_path: Path) -> None:
    def coder(name: str, *ends: int) -> str:
        marked = [at(f"{name}{i}", f"s{a}", f"s{b}", "ab"[i % 2])
                  for i, (a, b) in enumerate(pairwise(ends))]  # fmt: skip
        return tier(f"g_{name}", *marked)

    path = tmp_path / "t.eaf"
    path.write_text(
        eaf(coder("A", 0, 40, 70, 90) + coder("B", 0, 45, 70, 100),
            {f"s{n}": n for n in (0, 40, 45, 70, 90, 100)})
    )  # fmt: skip
    export = read(path, coder_from="tier-suffix")
    result = export.units(None)
    ours = Continuum.from_rows(
        result.coders,
        result.starts,
        result.ends,
        result.categories,
        result.documents,
        extents=result.extents,
        all_coders=result.everyone,
    )
    byhand = Continuum.from_rows(
        ["A", "A", "A", "B", "B", "B"], [0, 40, 70, 0, 45, 70], [40, 70, 90, 45, 70, 100],
        ["a", "b", "a", "a", "b", "a"], extents=100,
    )  # fmt: skip
    assert result.extents == {"t": (0, 100)}
    assert u_alpha(ours).value == u_alpha(byhand).value


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (ONE[:-30], "not well-formed XML"),
        (ONE.replace('TIME_SLOT_REF2="ts2"', 'TIME_SLOT_REF2="ts99"'), "no time slot 'ts99'"),
        (ONE.replace('TIME_SLOT_REF2="ts2"', ""), "'a1' has no 'TIME_SLOT_REF2'"),
        (ONE.replace('ANNOTATION_REF="a1"', ""), "'hand_AB': REF_.* has no 'ANNOTATION_REF'"),
        (ONE.replace('"1000"', '"1000.5"'), "'ts2': 'TIME_VALUE' must be .* got '1000.5'"),
        (ONE.replace('"1000"', '"-1"'), "got '-1'"),
        (ONE.replace('ANNOTATION_ID="b1"', 'ANNOTATION_ID="a1"'), "two annotations 'a1'"),
        (ONE.replace('TIER_ID="notes"', ""), "TIER has no 'TIER_ID'"),
        (ONE.replace('"milliseconds"', '"PAL-frames"'), "counts time in 'PAL-frames'"),
        (ONE.replace("<ANNOTATION_DOCUMENT", '<!DOCTYPE x [<!ENTITY a "b">]><ANNOTATION_DOCUMENT'),
         "declares a document type"),
        (ONE.replace("<TIER ", "<x>" * 2000 + "<TIER ", 1), "nested more than"),
        ("<other/>", "its root is <other>"),
        ("", "not well-formed XML"),
    ],
)  # fmt: skip
def test_errors_are_one_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "t.eaf"
    path.write_text(content)
    with pytest.raises(ReadError, match=message) as caught:
        read(path, format="elan", coder_from="tier-suffix")
    assert "t.eaf" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_parents_in_a_circle_have_no_time(tmp_path: Path) -> None:
    path = tmp_path / "t.eaf"
    circle = tier("g_A", on("a", "b", "x"), on("b", "a", "y"), on("c", "c", "z"), on("d", "?", "z"))
    path.write_text(eaf(circle, {}))
    export = read(path, coder_from="tier-suffix")
    assert export.contents.left_out["annotations without a time"] == 4


def test_times_that_run_backwards(tmp_path: Path) -> None:
    path = tmp_path / "t.eaf"
    marked = tier("g_A", at("a", "t", "u", "x"), at("b", "u", "s", "y"), at("c", "t", "s", "z"))
    path.write_text(eaf(marked, {"s": 1, "t": 5, "u": None}))
    export = read(path, coder_from="tier-suffix")
    assert export.contents.left_out == {
        "annotations without a time": 2, "annotations that end before they begin": 1,
        "documents of coders with spans that cannot be read": 1,
    }  # fmt: skip


def test_slots_in_a_circle_have_no_time(tmp_path: Path) -> None:
    path = tmp_path / "t.eaf"
    circle = tier("g_A", at("a", "s", "t", "x"), at("b", "t", "u", "y"), at("c", "u", "t", "z"))
    path.write_text(eaf(circle, {"s": 1, "t": None, "u": None}))
    export = read(path, coder_from="tier-suffix")
    assert export.contents.left_out["annotations without a time"] == 3


@pytest.mark.breadth
def test_broken_files_raise_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "t.eaf"
    good = 0
    for content in (*cuts(ONE.encode()), *blots(ONE.encode(), 800)):
        path.write_bytes(content)
        good += refused(path, format="elan", coder_from="tier-suffix") is None
    assert good > 40


@pytest.mark.parametrize(
    "content", ["", "<a/>", "<html></html>", "item,coder,label\n1,a,x\n", "{}", "[1]", "\x00\xff"]
)
def test_other_files_are_not_recognised(tmp_path: Path, content: str) -> None:
    path = tmp_path / "t.eaf"
    path.write_text(content)
    assert find_tool(Bundle.of([str(path)]), None) is None
