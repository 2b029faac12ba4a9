"""The coders of tiers, for tools that write one file of tiers per recording."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.contents import Contents
from agreement_fast.files.exports.tool import Options, part_of_path, place_in_path
from agreement_fast.files.paths import group_of

#: The name of the document if the paths name only the coder.
RECORDING = "recording"

_SEPARATORS = "_@-"
_SUFFIX = re.compile(rf"(.+)[{_SEPARATORS}]([^{_SEPARATORS}]+)")
_TIER = "tier:"


@dataclass(frozen=True)
class Place:
    """The coder, document and layer of a tier."""

    document: str
    coder: str
    layer: str


class Tiers:
    """Finds the coder of each tier."""

    def __init__(
        self, bundle: Bundle, suffix: str, options: Options, fields: Sequence[str] = ()
    ) -> None:
        self.options = options
        #: The files with the suffix, or all.
        self.members = bundle.ending(suffix) or bundle.members
        #: Attributes of a tier that may name its coder.
        self.fields = fields
        self._taken: dict[Place, str] = {}
        self._ends: dict[str, set[float]] = defaultdict(set)
        #: How to find the coder's name: the user's option, or the file if there are several. It is
        #: "file", "folder", "tier-suffix", "tier:REGEX", one of `fields`, or a regular expression
        #: that is searched in the path.
        self.coder_from = options.coder_from or "file"
        if options.coder_from is None and len(self.members) < 2:
            raise ReadError(
                f"{self.members[0].shown} is one file that does not say who coded it: pass"
                f" --coder-from {self._ways()} or file",
                argument="coder_from",
            )

    def place(
        self, member: Member, tier: str, fields: Mapping[str, str | None], media: str | None = None
    ) -> Place | None:
        """Return the place of a tier; None if it does not name its coder.

        Raises ReadError if two tiers would be the same layer of the same coder.
        """
        how = self.coder_from
        owner = self._of_tier(tier, how, fields)
        if owner is None:
            return None
        coder, layer = owner
        cut: tuple[int, int] | None = None
        if coder == "":
            cut = place_in_path(member, how, "--coder-from")
            coder = member.name[slice(*cut)]
        if self.options.document_from is not None:
            document = part_of_path(member, self.options.document_from, "--document-from")
        else:
            document = media or _rest(member, cut)
        place = Place(document, coder, layer)
        here = f"tier {show(tier)} of {member.shown}"
        if place in self._taken:
            raise ReadError(
                f"{here} and {self._taken[place]} are both layer {show(layer)} of coder"
                f" {show(coder)} on {show(document)}: rename one, or pass --coder-from or"
                " --document-from"
            )
        self._taken[place] = here
        return place

    def end(self, document: str, end: float) -> None:
        """Record where a recording ends according to a file."""
        self._ends[document].add(end)

    def tell(self, out: Contents) -> None:
        """Add notes on defaults that were used.

        Raises ReadError if files are the coders, but no two files are about the same recording.
        """
        apart = [name for name, ends in self._ends.items() if len(ends) > 1]
        if apart:
            ends = self._ends[apart[0]]
            out.note(
                f"files of one recording end at different times ({len(apart):,} recordings, such"
                f" as {show(apart[0])}: {min(ends):g} to {max(ends):g}): the latest end is used"
                " for all"
            )
        if self.options.coder_from is not None:
            return
        coders: dict[str, set[str]] = defaultdict(set)
        for place in self._taken:
            coders[place.document].add(place.coder)
        if coders and max(map(len, coders.values())) == 1:
            raise ReadError(
                "no two files are about the same recording, so files are not the coders: pass"
                f" --coder-from {self._ways()}, or name the recordings with --document-from",
                argument="coder_from",
            )
        out.note("each file is read as one coder: --coder-from changes that")
        if RECORDING in coders and self.options.document_from is None:
            out.note("all files are read as one recording: --document-from changes that")

    def _ways(self) -> str:
        return ", ".join(("tier-suffix (gesture_AB)", "tier:REGEX", *self.fields))

    def _of_tier(
        self, tier: str, how: str, fields: Mapping[str, str | None]
    ) -> tuple[str, str] | None:
        """Return the coder and the layer of a tier; ("", layer) if the path names the coder."""
        if how in self.fields:
            coder = (fields[how] or "").strip()
            return (coder, _without(tier, coder)) if coder else None
        if how == "tier-suffix":
            match = _SUFFIX.fullmatch(tier)
            return None if match is None else (match[2], match[1])
        if how.startswith(_TIER):
            pattern, group = group_of(how.removeprefix(_TIER), "--coder-from", how)
            match = pattern.search(tier)
            if match is None or not match[group]:
                return None
            rest = (tier[: match.start(group)] + tier[match.end(group) :]).strip(" " + _SEPARATORS)
            return match[group], rest or "tiers"
        return "", tier


def _without(tier: str, coder: str) -> str:
    """Remove the coder's name from the beginning or the end of a tier's name."""
    name = re.escape(coder)
    bare = re.sub(
        rf"^{name}[{_SEPARATORS}]+|[{_SEPARATORS}]+{name}$", "", tier, flags=re.IGNORECASE
    )
    return bare or tier


def _rest(member: Member, cut: tuple[int, int] | None) -> str:
    """Return the part of a path that does not name the coder."""
    begin, end = cut or (0, 0)
    name = member.name[:begin] + member.name[end:]
    folder, slash, base = name.rpartition("/")
    path = folder + slash + base.rpartition(".")[0] if "." in base else name
    return re.sub("/{2,}", "/", path).strip("/. " + _SEPARATORS) or RECORDING
