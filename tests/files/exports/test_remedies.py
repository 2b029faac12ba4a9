"""Every remedy that a message about an export proposes is run, and does what it says."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from loops import nonempty
from proposals import sites

from agreement_fast.cli import main


class Case(NamedTuple):
    """What is asked of some files, what is said, and what comes of following it.

    Attributes
    ----------
    files : mapping
        Texts, or records that are written as JSON lines.
    ask : str
        The command.
    then : mapping
        By the options that the message proposes: how many items and coders are then
        compared.
    again : str
        The command to which these options are added, if it is another one.
    """

    files: Mapping[str, str | Sequence[Any]]
    ask: str
    then: Mapping[str, tuple[int, int]]
    again: str = ""


def doccano(*labels: str, key: str = "id", text: str = "text") -> list[dict[str, Any]]:
    some = [{"text": f"{text} {i}", "label": [x] if x else []} for i, x in enumerate(labels)]
    return [{key: i, **record} for i, record in enumerate(some)] if key else some


def prodigy(*labels: str, session: str | None = None) -> list[dict[str, Any]]:
    own = {} if session is None else {"_session_id": session}
    return [
        {"text": f"t{i}", "_input_hash": i, "_task_hash": i, "options": [{"id": "x"}, {"id": "y"}],
         "accept": [x], "answer": "accept", "_view_id": "choice", **own}
        for i, x in enumerate(labels)
    ]  # fmt: skip


def inspect(*values: str, epochs: int = 1, model: str | None = "m", **more: Any) -> list[Any]:
    head = {"run_id": "r", "task": "t"} | ({} if model is None else {"model": model})
    samples = [
        {"id": i // epochs, "epoch": 1 + i % epochs, "input": "?", "scores": {"s": {"value": x}}}
        for i, x in enumerate(values)
    ]
    return [{"version": 2, "eval": head, "samples": samples, **more}]


def label_studio(*labels: str, who: int | None, text: str = "t") -> str:
    def result(label: str) -> dict[str, Any]:
        chosen = {"choices": [label]}
        return {"from_name": "c", "to_name": "t", "type": "choices", "value": chosen}

    own = {} if who is None else {"completed_by": who}
    return json.dumps(
        [
            {"id": i, "data": {"text": f"{text}{i}"},
             "annotations": [{"id": hash(labels) + i, "result": [result(x)], **own}]}
            for i, x in enumerate(labels)
        ]
    )  # fmt: skip


def webanno(*stances: str, text: str = "a b") -> str:
    tokens = [
        f"1-{i + 1}\t{2 * i}-{2 * i + 1}\t{text[2 * i]}\t{x}\t" for i, x in enumerate(stances)
    ]
    head = f"#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Stance|value\n\n\n#Text={text}\n"
    return head + "\n".join(tokens) + "\n"


def textgrid(*labels: str, tier: str = "words") -> str:
    intervals = "".join(f'{i}\n{i + 1}\n"{x}"\n' for i, x in enumerate(labels))
    n = len(labels)
    head = f'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n{n}\n<exists>\n1\n'
    return f'{head}"IntervalTier"\n"{tier}"\n0\n{n}\n{n}\n{intervals}'


def potato(*ticks: Sequence[str]) -> list[Any]:
    labels = {
        str(i): [
            [{"schema": "kind", "name": "b"}, "true"],
            *([{"schema": "s", "name": name}, "true"] for name in some),
        ]
        for i, some in enumerate(ticks)
    }
    key = "instance_id_to_label_to_value"
    return [{"user_id": None, "instance_id_ordering": [*labels], key: labels}]


def lm_eval(*numbers: tuple[int, str, float]) -> list[Any]:
    return [
        {"doc_id": i, "doc_hash": h, "doc": {}, "filtered_resps": ["x"], "acc": acc}
        for i, h, acc in numbers
    ]


NER = {"text": "a b", "_task_hash": 1, "answer": "accept", "_view_id": "ner_manual", "tokens": []}
MARKED = [
    {**NER, "_input_hash": 1, "_session_id": f"d-{who}", "text": None,
     "spans": [{"start": 0, "end": end, "label": "X"}]}
    for who, end in (("ann", 1), ("ben", 3))
]  # fmt: skip
XY, SCORES = ("x", "y", "x"), {"ann": 0.0, "ben": 1.0}

CASES = {
    "one file of columns": Case(
        {"t.conll": "The\tO\tO\nold\tB-X\tO\n\nA\tB-X\tB-X\nman\tO\tO\n"},
        "report t.conll --question tags",
        {"--coder-from column": (4, 2)},
    ),
    "a table that looks like one": Case(
        {"t.tsv": "token\tann\tben\nThe\tO\tO\nold\tB-X\tO\nman\tB-X\tB-X\n"},
        "report t.tsv",
        {"--format table": (3, 2)},
    ),
    "a layout is no format": Case(
        {"t.csv": "ann,ben\nx,y\nx,x\ny,y\n"},
        "report t.csv --format wide",
        {"--layout wide": (3, 2)},
        "report t.csv",
    ),
    "another text beside the same document": Case(
        {
            f"{who}/1.{end}": text
            for who, x in (("ann/p", "X"), ("ben/q", "Y"))
            for end, text in (("txt", who), ("ann", f"T1\t{x} 0 1\t{who[0]}\n"))
        },
        "report ann ben --spans exact --coder-from '(ann|ben)/./'",
        {"--document-from folder": (2, 2)},
    ),
    "an example without id": Case(
        {"ann.jsonl": doccano(*XY, key=""), "ben.jsonl": doccano(*"xxx", key="")},
        "report ann.jsonl ben.jsonl",
        {"--item-from text": (3, 2)},
    ),
    "ids of two projects": Case(
        {"ann.jsonl": doccano(*XY), "ben.jsonl": doccano(*"xxx", text="other")},
        "report ann.jsonl ben.jsonl",
        {"--item-from text": (6, 2)},
    ),
    "examples without labels": Case(
        {"ann.jsonl": doccano("x", "", "y"), "ben.jsonl": doccano("x", "y", "")},
        "report ann.jsonl ben.jsonl",
        {"--count-empty": (3, 2)},
    ),
    "one scorer": Case(
        {"a.json": inspect(*"CCIC", epochs=2)},
        "report a.json",
        {"--coder-from epoch": (2, 2)},
    ),
    "two logs of one model": Case(
        {"a.json": inspect(*"CCI"), "b.json": inspect(*"CII")},
        "report a.json b.json",
        {"--coder-from file": (3, 2)},
    ),
    "logs without a model": Case(
        {"a.json": inspect(*"CCI", model=None), "b.json": inspect(*"CII", model=None)},
        "report a.json b.json",
        {"--coder-from file": (3, 2)},
    ),
    "numbers of other documents": Case(
        {
            "a.jsonl": lm_eval((0, "p", 1.0), (1, "q", 0.0)),
            "b.jsonl": lm_eval((1, "p", 1.0), (0, "q", 1.0)),
        },
        "report a.jsonl b.jsonl --question acc",
        {"--item-from doc_hash": (2, 2)},
    ),
    "spans": Case(
        {"a.jsonl": MARKED},
        "report a.jsonl",
        {"--spans exact": (2, 2), "--spans overlapping": (1, 2), "--spans document": (1, 2)},
    ),
    "spans of a document of unknown length": Case(
        {"a.jsonl": MARKED},
        "report a.jsonl --spans '200 characters'",
        {"--spans exact": (2, 2), "--spans overlapping": (1, 2)},
    ),
    "spans of a document without its text": Case(
        {"a.jsonl": MARKED},
        "report a.jsonl --spans line",
        {"--spans exact": (2, 2), "--spans overlapping": (1, 2), "--spans document": (1, 2)},
    ),
    "documents without a coder": Case(
        {"ann/d.tsv": webanno("X", "Y"), "ben/d.tsv": webanno("X", "X")},
        "report ann/d.tsv ben/d.tsv --spans exact",
        {"--coder-from folder": (2, 2)},
    ),
    "other documents without a coder": Case(
        {"ann.tsv": webanno("X", "Y"), "ben.tsv": webanno("X", "X")},
        "report ann.tsv ben.tsv --spans exact",
        {"--coder-from file": (2, 2)},
    ),
    "other texts of one document": Case(
        {
            f"{who}/{name}.tsv": webanno("X", x, text=text)
            for who, x in (("ann", "X"), ("ben", "Y"))
            for name, text in (("d", "a b"), ("e", "c d"))
        },
        "report ann ben --spans exact --coder-from folder",
        {"--document-from file": (4, 2)},
    ),
    "other texts of one document in folders": Case(
        {
            f"{name}/{who}.tsv": webanno("X", x, text=text)
            for who, x in (("ann", "X"), ("ben", "Y"))
            for name, text in (("d", "a b"), ("e", "c d"))
        },
        "report d e --spans exact --coder-from file",
        {"--document-from folder": (4, 2)},
    ),
    "annotations without annotator": Case(
        {"ann.json": label_studio(*XY, who=None), "ben.json": label_studio(*"xxx", who=None)},
        "report ann.json ben.json",
        {"--coder-from file": (3, 2)},
    ),
    "other data of one task": Case(
        {"1.json": label_studio(*XY, who=1), "2.json": label_studio(*"xxx", who=2, text="u")},
        "report 1.json 2.json",
        {"--item-from text": (6, 2)},
    ),
    "judgments without a session": Case(
        {"ann.jsonl": prodigy(*XY), "ben.jsonl": prodigy(*"xxx")},
        "report ann.jsonl ben.jsonl",
        {"--coder-from file": (3, 2)},
    ),
    "sessions without a name": Case(
        {
            "ann.jsonl": prodigy(*XY, session="d-2026-01-01_10-00-00"),
            "ben.jsonl": prodigy(*"xxx", session="d-2026-01-02_10-00-00"),
        },
        "report ann.jsonl ben.jsonl",
        {"--coder-from file": (3, 2)},
    ),
    "one recording of one file": Case(
        {
            "a.TextGrid": textgrid("x", "y", tier="words_ann").replace("<exists>\n1", "<exists>\n2")
            + textgrid("x", "x", tier="words_ben").partition("<exists>\n1\n")[2]
        },
        "report a.TextGrid --spans exact",
        {"--coder-from tier-suffix": (2, 2), "--coder-from tier:words_(.+)": (2, 2)},
    ),
    "one layer of one coder twice": Case(
        {f"{who}/1.TextGrid": textgrid("x", x) for who, x in (("ann", "x"), ("ben", "y"))},
        "report ann ben --spans exact --coder-from file --document-from '([0-9])[.]'",
        {"--coder-from folder": (2, 2)},
    ),
    "one document of one coder twice": Case(
        {f"{who}/1.ann": f"T1\t{x} 0 1\ta\n" for who, x in (("ann", "X"), ("ben", "Y"))},
        "report ann ben --spans exact --coder-from '([0-9])[.]' --document-from file",
        {"--coder-from '(ann|ben)'": (1, 2)},
    ),
    "several questions": Case(
        {f"{who}.jsonl": lm_eval((0, "p", 1.0), (1, "q", acc)) for who, acc in SCORES.items()},
        "report ann.jsonl ben.jsonl",
        {"--question acc": (2, 2), "--question response": (2, 2)},
    ),
    "items without ticks": Case(
        {
            "ann/user_state.json": potato("ab", "", "a"),
            "ben/user_state.json": potato("ab", "a", ""),
        },
        "report ann ben --question s",
        {"--count-empty": (3, 2)},
    ),
    "files are the coders": Case(
        {f"{who}.TextGrid": textgrid("x", x) for who, x in (("ann", "x"), ("ben", "y"))},
        "report ann.TextGrid ben.TextGrid --spans exact",
        {"--coder-from '^(..)'": (2, 2), "--document-from '(TextGrid)'": (2, 2)},
    ),
    "files of different recordings": Case(
        {"1/ann.TextGrid": textgrid("x", "y"), "2/ben.TextGrid": textgrid("x", "x")},
        "report 1 2 --spans exact",
        {"--document-from '(TextGrid)'": (2, 2)},
    ),
    "other texts beside the marks": Case(
        {
            f"{who}/{kind}/1.{end}": text
            for who, x in (("ann", "X"), ("ben", "Y"))
            for kind, word in (("p", "a"), ("q", "b"))
            for end, text in (("txt", word), ("ann", f"T1\t{x} 0 1\t{word}\n"))
        },
        "report ann ben --spans exact --coder-from '(ann|ben)/./'",
        {"--document-from '([pq]/1)'": (2, 2), "--document-from folder": (2, 2)},
    ),
    "files that are not UTF-8": Case(
        {f"{who}.conll": f"\xe4\tO\nold\tB-{x}\n" for who, x in (("ann", "X"), ("ben", "Y"))},
        "report ann.conll ben.conll --question tags --format conll",
        {"--encoding latin-1": (2, 2)},
    ),
    "tokens that are not the same": Case(
        {
            f"{document}/{who}.conll": f"{document}\tO\nold\tB-{x}\n"
            for document in ("d", "e")
            for who, x in (("ann", "X"), ("ben", "Y"))
        },
        "report d e --question tags --format conll",
        {"--coder-from file --document-from folder": (4, 2)},
    ),
}


#: Texts that propose code which no case provokes, by a part of them, and why.
APART = {
    "pass --spans continuum": "what Python says in place of the command units",
    "pass --format": "an export among tables: only the user knows which files belong together",
}


def write(files: Mapping[str, str | Sequence[Any]]) -> None:
    for name, content in files.items():
        Path(name).parent.mkdir(exist_ok=True, parents=True)
        lines = content if isinstance(content, str) else "\n".join(map(json.dumps, content))
        Path(name).write_text(lines, encoding="latin-1")


def answer(argv: Sequence[str], capsys: pytest.CaptureFixture[str]) -> tuple[str, Any]:
    """Return what is said, an error or notes, and the document."""
    main([*argv, "--json"])
    out, err = capsys.readouterr()
    if err:
        return err, None
    document = json.loads(out)
    return "\n".join(document["source"]["notes"]), document


@pytest.mark.parametrize("name", CASES)
def test_what_is_proposed_runs(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    case = CASES[name]
    write(case.files)
    argv = shlex.split(case.ask)
    message, _ = answer(argv, capsys)
    for options, compared in nonempty(list(case.then.items())):
        assert options.split()[0] in message, message
        words = shlex.split(f"{case.again or case.ask} {options}")
        said, document = answer(words, capsys)
        assert document is not None, (options, said)
        (report,) = document["reports"]
        assert (report["n_items"], report["n_coders"]) == compared, options


@pytest.mark.sources
def test_every_proposal_has_a_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    messages = []
    for name, case in CASES.items():
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        write(case.files)
        messages.append(answer(shlex.split(case.ask), capsys)[0])
    missed = [
        site.text
        for site in nonempty(list(sites("files/exports")))
        if not any(map(site.met_by, messages))
    ]
    assert not [part for part in APART if not any(part in text for text in missed)], "met now"
    assert not [text for text in missed if not any(part in text for part in APART)]
