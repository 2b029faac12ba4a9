"""Each export is recognised by its own tool and by no other, and plain tables by none."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.export import TOOLS, recognised


def zipped(**members: str) -> bytes:
    """Write an archive; a double underscore stands for a slash."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/") + ".json", content)
    return stream.getvalue()


HEAD = json.dumps({"version": 2, "eval": {"run_id": "r", "task": "t", "model": "m"}})
EXPORTS = {
    "elan": [b'<?xml version="1.0"?><ANNOTATION_DOCUMENT><HEADER/></ANNOTATION_DOCUMENT>'],
    "textgrid": [
        b'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\n',
        'File type = "ooTextFile"\n"TextGrid"\n0\n'.encode("utf-16"),
        b'{"start": 0, "end": 1, "tiers": {}}',
        b'{"xmin": 0, "xmax": 1, "tiers": []}',
    ],
    "rayyan": [
        b'key,title,notes\n1,x,"RAYYAN-INCLUSION: {""A""=>""Maybe""}"\n',
        b"key,title,authors,journal,year,notes,abstract\n1,x,y,z,2020,,\n",
    ],
    "covidence": [
        b'Reviewer A,Reviewer B,"A Yes, B Yes","A Yes, B No","A No, B Yes","A No, B No"\n',
        b"Covidence #,Study ID,Title,Reviewer Name,Design\n",
        b"Title,Authors,Covidence #,Study,Notes,Tags\n",
    ],
    "mturk": [
        b"HITId,AssignmentId,WorkerId,AssignmentStatus,Input.text,Answer.label\nh,a,w,,t,yes\n",
        b"HITId,WorkerId,Answer.taskAnswers\nh,w,[{}]\n",
    ],
    "appen": [b"_unit_id,_created_at,_golden,_worker_id,tone,text\n1,,false,2,x,y\n"],
    "argilla": [
        b'{"id": "1", "text": "x", "q.responses": [], "q.responses.users": []}\n',
        b'[{"id": "1", "fields": {}, "responses": {}, "suggestions": {}}]',
        b'{"text": "x", "q": [{"user_id": "a", "value": "x", "status": "submitted"}]}\n',
    ],
    "inspect": [
        zipped(header=HEAD, samples__1_epoch_1='{"id": 1}'),
        zipped(start=HEAD, samples__1_epoch_1='{"id": 1}'),
        HEAD.encode(),
    ],
    "conll": [b"Ann B-PER\nmet O\n\nBen B-PER\nran O\n", b"a\t\nb\t\n\nc\t\n"],
    "lm-eval": [b'{"doc_id": 0, "doc": {}, "filtered_resps": ["x"], "acc": 1.0}\n'],
}
NO_EXPORTS = [
    b"",
    b"item,coder,label\n1,a,x\n",
    b"text\tann\tben\nx\tyes\tno\n",
    b"id,worker,answer\n1,a,x\n",
    b"coder,start,end,category\na,1,2,x\n",
    b'{"item": 1, "coder": "a", "label": "x"}\n',
    b'[{"id": 1, "user_id": "a", "value": 1}]',
    b"<html><body>x</body></html>",
    b"\x89PNG\r\n\x1a\n\x00\x00",
    zipped(a='{"item": 1, "coder": "a", "label": "x"}'),
]


@pytest.mark.parametrize(
    ("name", "content"), [(name, one) for name, some in EXPORTS.items() for one in some]
)
def test_one_tool_recognises_its_export(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / "export"
    path.write_bytes(content)
    bundle = Bundle.of([str(path)])
    assert [tool.name for tool in recognised(bundle)] == [name]


@pytest.mark.parametrize("content", NO_EXPORTS)
def test_no_tool_recognises_a_table(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "table"
    path.write_bytes(content)
    bundle = Bundle.of([str(path)])
    assert [tool.name for tool in recognised(bundle)] == []


def test_the_table_names_each_tool_as_it_names_itself() -> None:
    assert {tool.name: tool.load().name for tool in TOOLS} == {t.name: t.name for t in TOOLS}


def test_a_plain_table_imports_the_reader_of_no_tool(tmp_path: Path) -> None:
    """A row without blanks and tabs has no columns of tokens either."""
    path = tmp_path / "table.csv"
    path.write_text("item,coder,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n")
    program = (
        "import sys; import agreement_fast as af; af.read(sys.argv[1]);"
        " print(*(name.rpartition('.')[2] for name in sys.modules if '.exports.' in name))"
    )
    ran = subprocess.run(
        [sys.executable, "-P", "-c", program, path], capture_output=True, text=True, check=True
    )
    others = {"bundle", "contents", "export", "reading", "segments", "streams", "tool", "typed"}
    assert set(ran.stdout.split()) - others == set()
