"""``--matrix`` and ``--tree``: distances between categories, read from a file."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agreement_fast.cli.options import TREE_DISTANCES, chosen_distances, finite
from agreement_fast.cli.wording import UsageError, in_options
from agreement_fast.present.terminal import show_label, some_of, spell_label

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agreement_fast.distances import Distance


def written_labels(
    names: Sequence[str], option: str, arguments: argparse.Namespace, values: NDArray[Any]
) -> list[Any]:
    """Give texts as the kind of value that the labels are.

    Parameters
    ----------
    names : sequence of str
    option : str
        What errors name, such as ``--categories``.
    arguments : Namespace
        Of the command: they say which labels are sets.
    values : ndarray
        The distinct labels that were read.

    Returns
    -------
    list
        One value for each name.
    """
    from agreement_fast.files.tables import is_number

    if values.dtype.kind == "b" and set(names) <= {"true", "false"}:
        return [name == "true" for name in names]
    if values.dtype.kind in "iuf":
        bad = next((name for name in names if not is_number(name)), None)
        if bad is not None:
            some = some_of(values.tolist(), 5)
            raise UsageError(
                f"{option} names {bad!r}, but the labels are numbers ({some}): pass --text to take"
                " them as text"
            )
        return [int(name) if re.fullmatch(r"[+-]?\d+", name) else float(name) for name in names]
    if arguments.set_separator is not None:
        from agreement_fast.reading.labels import split_set

        with in_options(arguments):
            return [
                frozenset()
                if name == arguments.empty_set
                else split_set(name, arguments.set_separator)
                for name in names
            ]
    # Labels may be of several kinds.
    known = {spell_label(value): value for value in values.tolist()}
    if not any(isinstance(value, frozenset) for value in values.tolist()):
        return [known.get(name, name) for name in names]

    def as_set(name: str) -> Any:
        inner = name[1:-1] if name.startswith("{") and name.endswith("}") else name
        elements = [entry.strip() for entry in inner.split(",")] if inner else []
        return known.get(f"{{{inner}}}", frozenset(elements))

    return [as_set(name) for name in names]


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
            The result of `options.chosen_distances`.
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
        from agreement_fast.distances import matrix, trees

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
            if name == "tree_path_scaled":
                return trees.tree_path(parents, scaled=True)
            made: Distance = getattr(trees, name)(parents)
            return made
        return name

    def _spelled(self, kind: str, names: Iterable[str], labels: Sequence[Any]) -> dict[str, Any]:
        """Map each name in a file to its label; all labels must be in the file."""
        written = set(names)
        for child in (self.tree or {}).values() if kind == "tree" else ():
            written |= set() if child is None else {child}
        result: dict[str, Any] = {}
        numbers = {number: name for name in written if (number := finite(name)) is not None}
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
            result[name] = label
        return result


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
    from agreement_fast.distances import trees

    with in_options(arguments, f"--tree {file}: "):
        labels = repr(trees.tree(tree)).strip("<>")
    used = [name for name in chosen_distances(arguments) if name in TREE_DISTANCES]
    chosen = "" if arguments.distance else " (the default)"
    return f"distance {' and '.join(used)}{chosen}: by the {labels}, from {show_label(file)}"
