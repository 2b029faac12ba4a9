"""UIMA CAS, as XMI with a type system or as JSON, through dkpro-cassis."""

from __future__ import annotations

import io
import warnings
from typing import Any

from agreement_fast.exports.bundle import Member
from agreement_fast.exports.tools.shared.layers import Annotated, Mark, is_structure
from agreement_fast.exports.xml import check_xml
from agreement_fast.files.errors import ReadError, show

__all__ = ["read_cas_json", "read_cas_xmi"]

_ANNOTATION, _TOP = "uima.tcas.Annotation", "uima.cas.AnnotationBase"
_LENGTH = 200


def read_cas_json(member: Member) -> Annotated:
    """Read a CAS in JSON.

    Raises
    ------
    ReadError
        If cassis cannot read the file or is not installed, or if a position is outside the text.
    """
    cassis = _cassis()
    content = member.read_text()
    return _annotated(member, lambda: cassis.load_cas_from_json(content))


def read_cas_xmi(member: Member, types: Member | None) -> Annotated:
    """Read a CAS in XMI with its type system.

    Raises
    ------
    ReadError
        As `read_cas_json`; if `check_xml` refuses the XML; if there is no type system.
    """
    cassis = _cassis()
    if types is None:
        raise ReadError(
            f"{member.shown}: a CAS in XMI needs its type system in the same folder, in a file"
            " such as TypeSystem.xml: export it again, or as UIMA CAS JSON"
        )
    check_xml(types)
    check_xml(member)

    def load() -> Any:
        system = cassis.load_typesystem(io.BytesIO(types.read()))
        # Unsafe XML was refused above; the only thing trusted here is long texts.
        return cassis.load_cas_from_xmi(io.BytesIO(member.read()), system, trusted=True)

    return _annotated(member, load)


def _cassis() -> Any:
    try:
        import cassis
    except ModuleNotFoundError:
        raise ReadError('UIMA CAS needs dkpro-cassis: pip install "agreement-fast[uima]"') from None
    return cassis


def _annotated(member: Member, load: Any) -> Annotated:
    """Load a CAS; errors of the library become an error of one line."""
    try:
        with warnings.catch_warnings():
            # cassis warns of positions outside the text and continues.
            warnings.simplefilter("error")
            return _marks(load(), member)
    except (ReadError, MemoryError):
        raise
    except Exception as error:
        lines = str(error).splitlines()
        said = f"{type(error).__name__}: {lines[0][:_LENGTH] if lines else ''}"
        raise ReadError(f"{member.shown} cannot be read as a UIMA CAS ({show(said)})") from None


def _marks(cas: Any, member: Member) -> Annotated:
    system = cas.typesystem
    text = cas.sofa_string or ""
    annotated = Annotated("CAS", len(text), text)
    kinds: dict[str, tuple[str, list[str], list[str], list[str]]] = {}
    for one in cas.select_all_fs():
        name = one.type.name
        if name not in kinds:
            kinds[name] = _kind(system, one.type)
        kind, single, several, links = kinds[name]
        if kind == "structure":
            continue
        if kind != "mark":
            annotated.left_out[kind] += 1
            continue
        place = None
        if system.subsumes(_ANNOTATION, name):
            place = one.begin, one.end
            if not (isinstance(one.begin, int) and isinstance(one.end, int)):
                raise ReadError(f"{member.shown}: an annotation of {show(name)} has no position")
            if not 0 <= one.begin <= one.end <= len(text):
                raise ReadError(
                    f"{member.shown}: an annotation of {show(name)} at {one.begin}-{one.end} is not"
                    f" within the text of {len(text):,} characters"
                )
        features = {feature: _scalar(one[feature], feature, member) for feature in single}
        for feature in several:
            values = _list(one[feature])
            features[feature] = tuple(_scalar(value, feature, member) for value in values)
        for feature in links:
            annotated.left_out["links between annotations"] += bool(_list(one[feature]))
        annotated.marks.append(Mark(name, features, place))
    return annotated


def _kind(system: Any, type_: Any) -> tuple[str, list[str], list[str], list[str]]:
    """Return what annotations of a type are, and which features hold values, lists and links."""
    if is_structure(type_.name) or not system.subsumes(_TOP, type_.name):
        return "structure", [], [], []
    features = {f.name: f.rangeType for f in type_.all_features}
    if {"Governor", "Dependent"} <= features.keys():
        return "relations", [], [], []
    if "first" in features and not system.subsumes(_ANNOTATION, type_.name):
        return "structure", [], [], []  # the head of a chain, whose links are counted
    if "next" in features and features["next"].name == type_.name:
        return "links of chains", [], [], []
    own = [n for n in features if n not in ("sofa", "begin", "end") and not n.startswith("i7n_")]
    single = [name for name in own if system.is_primitive(features[name])]
    several = [name for name in own if system.is_primitive_array(features[name])]
    links = [name for name in own if features[name].name == "uima.cas.FSArray"]
    return "mark", single, several, links


def _list(value: Any) -> list[Any]:
    elements = getattr(value, "elements", value)
    return list(elements) if isinstance(elements, list | tuple) else []


def _scalar(value: Any, feature: str, member: Member) -> Any:
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise ReadError(
        f"{member.shown}: feature {show(feature)} must be a text or a number, got"
        f" {type(value).__name__}"
    )
