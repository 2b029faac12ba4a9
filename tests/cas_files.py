"""UIMA CAS and WebAnno TSV written by hand, as INCEpTION writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

DKPRO = "de.tudarmstadt.ukp.dkpro.core.api."
STANCE, NOTE, TOPIC = "webanno.custom.Stance", "webanno.custom.Note", "webanno.custom.Topic"


def feature(kind: str = "String", **more: Any) -> dict[str, Any]:
    return {"%RANGE": f"uima.cas.{kind}", **more}


TYPES: dict[str, Any] = {
    DKPRO + "segmentation.type.Token": {
        "%NAME": DKPRO + "segmentation.type.Token", "%SUPER_TYPE": "uima.tcas.Annotation"},
    STANCE: {
        "%NAME": STANCE, "%SUPER_TYPE": "uima.tcas.Annotation",
        "value": feature(), "strength": feature("Integer"),
        "reasons": {"%RANGE": "uima.cas.String[]"}, "targets": {"%RANGE": "uima.cas.TOP[]"}},
    NOTE: {"%NAME": NOTE, "%SUPER_TYPE": "uima.tcas.Annotation"},
    TOPIC: {"%NAME": TOPIC, "%SUPER_TYPE": "uima.cas.AnnotationBase", "label": feature()},
    "webanno.custom.Arrow": {
        "%NAME": "webanno.custom.Arrow", "%SUPER_TYPE": "uima.tcas.Annotation",
        "Governor": {"%RANGE": "uima.tcas.Annotation"},
        "Dependent": {"%RANGE": "uima.tcas.Annotation"}},
    "webanno.custom.CorefLink": {
        "%NAME": "webanno.custom.CorefLink", "%SUPER_TYPE": "uima.tcas.Annotation",
        "next": {"%RANGE": "webanno.custom.CorefLink"}, "referenceType": feature()},
    "webanno.custom.CorefChain": {
        "%NAME": "webanno.custom.CorefChain", "%SUPER_TYPE": "uima.cas.AnnotationBase",
        "first": {"%RANGE": "webanno.custom.CorefLink"}},
}  # fmt: skip


def cas_json(text: str, structures: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Write a CAS; positions are UTF-16 units, as in the file."""
    sofa = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaNum": 1, "sofaID": "_InitialView",
            "mimeType": "text", "sofaString": text}  # fmt: skip
    rows = [one if "%ELEMENTS" in one else {"@sofa": 1, **one} for one in _numbered(structures)]
    members = [one["%ID"] for one in rows if "%ELEMENTS" not in one]
    return {
        "%TYPES": TYPES,
        "%FEATURE_STRUCTURES": [sofa, *rows],
        "%VIEWS": {"_InitialView": {"%SOFA": 1, "%MEMBERS": members}},
    }


def _numbered(structures: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"%ID": number, **one} for number, one in enumerate(structures, 2)]


TYPE_SYSTEM = f"""<?xml version="1.0" encoding="UTF-8"?>
<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier"><types>
  <typeDescription><name>{STANCE}</name><description/>
    <supertypeName>uima.tcas.Annotation</supertypeName>
    <features>
      <featureDescription><name>value</name><description/>
        <rangeTypeName>uima.cas.String</rangeTypeName></featureDescription>
    </features>
  </typeDescription>
</types></typeSystemDescription>
"""


def cas_xmi(text: str, stances: Sequence[tuple[int, int, str | None]]) -> str:
    """Write a CAS with annotations of one layer."""
    rows, members = [], []
    for number, (begin, end, value) in enumerate(stances, 2):
        said = "" if value is None else f" value={quoteattr(value)}"
        rows.append(
            f'<custom:Stance xmi:id="{number}" sofa="1" begin="{begin}" end="{end}"{said}/>'
        )
        members.append(str(number))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<xmi:XMI xmlns:xmi="http://www.omg.org/XMI"'
        ' xmlns:cas="http:///uima/cas.ecore" xmlns:custom="http:///webanno/custom.ecore"'
        f' xmi:version="2.0"><cas:NULL xmi:id="0"/>{"".join(rows)}<cas:Sofa xmi:id="1" sofaNum="1"'
        f' sofaID="_InitialView" mimeType="text" sofaString={quoteattr(text)}/>'
        f'<cas:View sofa="1" members="{" ".join(members)}"/></xmi:XMI>\n'
    )


#: A file with everything that the format has; the text is "Hi 😀 you.\nA_b so".
TSV = "\n".join(
    [
        "#FORMAT=WebAnno TSV 3.3",
        "#T_SP=" + DKPRO + "segmentation.type.Sentence|sort",
        "#T_SP=webanno.custom.Stance|value|strength",
        "#T_SP=webanno.custom.Note|",
        "#T_SP=webanno.custom.Host|ROLE_webanno.custom.Host:to_webanno.custom.HostToLink|uima.tcas.Annotation",
        "#T_CH=webanno.custom.CorefLink|referenceType|referenceRelation",
        "#T_RL=webanno.custom.Arrow|kind|BT_webanno.custom.Stance",
        "",
        "",
        "#Text=Hi 😀 you.",
        r"1-1	0-2	Hi	_	for[1]|against[2]	*[1]|2[2]	_	_	_	_	_	_	_	",
        r"1-2	3-5	😀	_	for[1]	*[1]	*[3]	a;b	1-3;1-1[1]	_	_	_	_	",
        r"1-3	6-9	you	_	\_	\*	*[3]	_	_	*	*->1-1	_	_	",
        r"1-3.1	7-9	ou	_	a\|b\[1\]\\	_	_	_	_	_	_	_	_	",
        r"1-4	9-10	.	_	_	_	_	c	1-1[1]	_	_	_	_	",
        "",
        "#Sentence.id=second",
        r"#Text=A_b so",
        r"2-1	11-14	A_b	_	*	*	_	_	_	*	*->1-2	near	1-3	",
        r"2-2	15-17	so	_	_	_	_	_	_	_	_	_	_	",
        "",
    ]
)
