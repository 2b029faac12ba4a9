"""``--matrix`` and ``--tree``: distances between categories, read from a file."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agreement_fast.cli.errors import UsageError
from agreement_fast.cli.options import TREE_DISTANCES, asked_distances
from agreement_fast.cli.wording import in_options
from agreement_fast.terminal import show_label, some_of, spell_label

if TYPE_CHECKING:
    from agreement_fast.distances import Distance


@dataclass(frozen=True)
class OwnDistances:
    """The content of the files of ``--matrix`` and ``--tree``, with labels as text.

    Attributes
    ----------
    matrix : mapping of str to mapping of str to float, optional
    tree : mapping of str to str or None, optional
        From child to parent.
    notes : tuple of str
    """

    matrix: Mapping[str, Mapping[str, float]] | None = None
    tree: Mapping[str, str | None] | None = None
    notes: tuple[str, ...] = ()
    _options: Mapping[str, str] = field(default_factory=dict)

    def resolve(self, names: Sequence[str], labels: Iterable[Any]) -> list[Any]:
        """Replace the names of distances that come from the files by the distances.

        Parameters
        ----------
        names : sequence of str
            The result of `options.asked_distances`.
        labels : iterable
            The labels of the data. All of them must be in the files.
        """
        if self.matrix is None and self.tree is None:
            return list(names)
        known = list(dict.fromkeys(labels))
        if any(isinstance(label, frozenset) for label in known):
            option = "--matrix" if self.matrix is not None else "--tree"
            raise UsageError(
                f"{option} has distances between single labels, but the labels are sets: --distance"
                " masi, jaccard and others compare sets"
            )
        return [self._resolve(name, known) for name in names]

    def _resolve(self, name: str, labels: Sequence[Any]) -> str | Distance:
        from agreement_fast import hierarchy
        from agreement_fast.distances import matrix

        if name == "matrix" and self.matrix is not None:
            spelled = self._spelled("matrix", self.matrix, labels)
            return matrix(
                {
                    spelled.get(a, a): {spelled.get(b, b): value for b, value in others.items()}
                    for a, others in self.matrix.items()
                }
            )
        if name in TREE_DISTANCES and self.tree is not None:
            spelled = self._spelled("tree", self.tree, labels)
            parents = {
                spelled.get(child, child): None if parent is None else spelled.get(parent, parent)
                for child, parent in self.tree.items()
            }
            if name == "path_scaled":
                return hierarchy.path(parents, scaled=True)
            made: Distance = getattr(hierarchy, name)(parents)
            return made
        return name

    def _spelled(self, kind: str, names: Iterable[str], labels: Sequence[Any]) -> dict[str, Any]:
        """Map each name in a file to its label; all labels must be in the file."""
        written = set(names)
        for child in (self.tree or {}).values() if kind == "tree" else ():
            written |= set() if child is None else {child}
        found: dict[str, Any] = {}
        numbers = {number: name for name in written if (number := _number(name)) is not None}
        for label in labels:
            name = spell_label(label)
            if name not in written and isinstance(label, int | float):
                name = numbers.get(float(label), name)
            if name not in written:
                if not written:
                    raise UsageError(f"{self._options[kind]}: the file names no categories")
                some = some_of(sorted(written), 8, 24)
                raise UsageError(
                    f"{self._options[kind]}: label {show_label(label)!r} is not in the file, which"
                    f" has {some}"
                )
            found[name] = label
        return found


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def read_own_distances(arguments: argparse.Namespace) -> OwnDistances:
    """Read the files of ``--matrix`` and ``--tree``."""
    from agreement_fast.files.category_distances import read_distances, read_tree
    from agreement_fast.files.errors import ReadError

    matrix_file, tree_file = arguments.matrix, arguments.tree
    if arguments.set_separator is not None or arguments.duplicates == "set":
        for option, file in (("--matrix", matrix_file), ("--tree", tree_file)):
            if file is not None:
                raise UsageError(
                    f"{option} has distances between single labels, but --set-separator or"
                    " --duplicates set turns labels into sets"
                )
    options = {"matrix": f"--matrix {matrix_file}", "tree": f"--tree {tree_file}"}
    notes = []
    matrix = tree = None
    try:
        place = "--matrix"
        if matrix_file is not None:
            matrix = read_distances(matrix_file)
            notes.append(
                f"distance matrix: of {len(matrix):,} categories, from {show_label(matrix_file)}"
            )
        place = "--tree"
        if tree_file is not None:
            tree = read_tree(tree_file)
            notes.append(_tree_note(tree, tree_file, arguments))
    except ReadError as error:
        raise UsageError(f"{place}: {error}") from None
    return OwnDistances(matrix, tree, tuple(notes), options)


def _tree_note(tree: Mapping[str, str | None], file: str, arguments: argparse.Namespace) -> str:
    from agreement_fast import hierarchy

    with in_options(arguments, f"--tree {file}: "):
        said = repr(hierarchy.tree(tree)).strip("<>")
    used = [name for name in asked_distances(arguments) if name in TREE_DISTANCES]
    chosen = "" if arguments.distance else " (the default)"
    return f"distance {' and '.join(used)}{chosen}: by the {said}, from {show_label(file)}"
