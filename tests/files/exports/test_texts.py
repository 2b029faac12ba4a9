"""Texts of items: every format that has them gives them, and spans show what is around them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from exported import read, write_lines

import agreement_fast as af

#: A format, its files, the options, and the texts of the items.
FORMATS: dict[str, tuple[dict[str, Any], dict[str, Any], dict[Any, str]]] = {
    "argilla": (
        {
            "a.json": [
                {
                    "id": "r1",
                    "text": "Fine.",
                    "title": "T",
                    "metadata": "{}",
                    "status": "completed",
                    "tone.responses": ["x", "y"],
                    "tone.responses.users": ["u", "v"],
                    "tone.responses.status": ["submitted", "submitted"],
                    "tone.suggestion": "x",
                }
            ]
        },
        {},
        {"r1": "text: Fine.\ntitle: T"},
    ),
    "argilla with chats": (
        {
            "a.json": [
                {
                    "id": "r1",
                    "fields": {"chat": [{"role": "user", "content": "Hi"}, {"role": "bot"}]},
                    "suggestions": {},
                    "responses": {"q": [{"user_id": "u", "value": "x", "status": "submitted"}]},
                }
            ]
        },
        {},
        {"r1": "user: Hi"},
    ),
    "inspect": (
        {
            "log.json": {
                "eval": {"run_id": "r", "model": "m", "task": "t"},
                "samples": [
                    {"id": 1, "epoch": 1, "input": "2 + 2?", "scores": {"s": {"value": "C"}}}
                ],
            }
        },
        {},
        {1: "2 + 2?"},
    ),
    "lm-eval": (
        {
            "m/samples_t.jsonl": [
                {"doc_id": 3, "doc": {"q": "Why?", "n": 1}, "filtered_resps": ["x"], "acc": 1.0}
            ]
        },
        {},
        {3: "Why?"},
    ),
    "prodigy": (
        {
            "p.jsonl": [
                {
                    "text": "Good",
                    "_input_hash": 5,
                    "_task_hash": 6,
                    "_view_id": "classification",
                    "label": "POS",
                    "answer": "accept",
                    "_annotator_id": "ann",
                }
            ]
        },
        {},
        {"5": "Good"},
    ),
    "potato": (
        {
            "ann/annotated_instances.jsonl": [
                {
                    "id": "i1",
                    "displayed_text": "<b>Hm</b>",
                    "label_annotations": {"tone": {"pos": "true"}},
                }
            ]
        },
        {},
        {"i1": "<b>Hm</b>"},
    ),
    "mturk": (
        {
            "m.csv": "HITId,WorkerId,Input.text,Input.url,Answer.q\n"
            "h1,w1,Fine,u1,x\nh1,w2,Fine,u1,y\n"
        },
        {},
        {"h1": "text: Fine\nurl: u1"},
    ),
    "mturk with numbered inputs": (
        {
            "m.csv": "HITId,WorkerId,Input.id1,Input.id2,Answer.q1,Answer.q2\n"
            "h1,w1,a.png,b.png,x,y\nh1,w2,a.png,b.png,y,y\n"
        },
        {},
        {"a.png": "a.png", "b.png": "b.png"},
    ),
    "appen": (
        {
            "a.csv": "_unit_id,_worker_id,tone,text\n"
            "1,w1,neg,A\n1,w2,pos,A\n2,w1,pos,B\n2,w2,pos,B\n"
        },
        {},
        {"1": "A", "2": "B"},
    ),
    "rayyan": (
        {
            "articles.csv": "key,title,authors,abstract,notes\n"
            'k1,On tea,A.,We drank.,"RAYYAN-INCLUSION: {""Kofi""=>""Included""}"\n'
        },
        {},
        {"k1": "title: On tea\nabstract: We drank."},
    ),
    "covidence": (
        {
            "c.csv": "Covidence #,Reviewer Name,Title,Design\n"
            "#1,Ann,On tea,RCT\n#1,Ben,On tea,cohort\n"
        },
        {},
        {"#1": "On tea"},
    ),
    "label-studio": (
        {
            "l.json": [
                {
                    "id": 1,
                    "data": {"image": "a.png", "caption": "A cat"},
                    "annotations": [
                        {
                            "completed_by": 1,
                            "result": [
                                {
                                    "type": "choices",
                                    "from_name": "q",
                                    "to_name": "image",
                                    "value": {"choices": ["yes"]},
                                }
                            ],
                        }
                    ],
                }
            ]
        },
        {},
        {"1": "image: a.png\ncaption: A cat"},
    ),
    "doccano": (
        {f"{who}.jsonl": [{"id": 1, "text": "Fine", "label": ["x"]}] for who in ("ann", "ben")},
        {},
        {1: "Fine"},
    ),
    "conll": (
        {"ann.conll": "Ann\tN\nsings\tV\n\n", "ben.conll": "Ann\tN\nsings\tN\n\n"},
        {},
        {"1.1 Ann": "[Ann] sings", "1.2 sings": "Ann [sings]"},
    ),
}


@pytest.mark.parametrize("name", FORMATS)
def test_formats_that_have_texts_give_them(tmp_path: Path, name: str) -> None:
    files, options, texts = FORMATS[name]
    for path, content in files.items():
        place = tmp_path / "e" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            place.write_text(content)
        elif place.suffix == ".jsonl":
            write_lines(place, content)
        else:
            place.write_text(json.dumps(content))
    said = {"format": name.split()[0], **options}
    assert read(tmp_path / "e", keep_texts=True, **said).contents.texts == texts
    assert not read(tmp_path / "e", **said).contents.texts


def test_spans_show_the_text_around_them(tmp_path: Path) -> None:
    text = "x" * 80 + " Ann met Ben in Bonn. " + "y" * 80
    at = text.index("Ben")
    (tmp_path / "d.txt").write_text(text)
    for coder, kind in (("ann", "Person"), ("ben", "Place")):
        (tmp_path / coder).mkdir()
        (tmp_path / coder / "d.txt").write_text(text)
        (tmp_path / coder / "d.ann").write_text(
            f"T1\t{kind} {at} {at + 3};{at + 7} {at + 11}\tBen Bonn\n"
        )
    (tmp_path / "d.txt").unlink()
    with pytest.warns(af.ReadHint, match="items are"):
        data = af.read(tmp_path, spans="exact", texts=True)
    with pytest.warns(af.ReadHint, match="items are"):
        whole = af.read(tmp_path, spans="document", texts=True)
    assert isinstance(data, af.Annotations)
    (worst,) = af.diagnostics.disagreements(data)[:5]
    assert worst.text == f"…{'x' * 51} Ann met [Ben] in [Bonn]. {'y' * 58}…"
    assert isinstance(whole, af.Annotations)
    assert whole.texts[whole.items[0]] == text


def test_tokens_are_around_spans_of_tokens(tmp_path: Path) -> None:
    for coder, tag in (("ann", "PER"), ("ben", "LOC")):
        (tmp_path / f"{coder}.conll").write_text(
            f"Hey\tO\nAnn\tB-{tag}\nLee\tI-{tag}\nsings\tO\n\n"
        )
    export = read(tmp_path, keep_texts=True)
    export.table("spans", "exact")
    assert export.contents.texts["1-3"] == "Hey [Ann Lee] sings"
