"""Matching of the objects of several coders."""

from __future__ import annotations

from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array
from agreement_fast.errors import Argument, InputError
from agreement_fast.objects.marked import Objects, checked
from agreement_fast.objects.overlaps import check_threshold, matches
from agreement_fast.reading.frames import Dictionary


def groups(data: Objects, threshold: float) -> Array:
    """Number the objects so that matched objects have the same number.

    Coders are taken in the order of the data (Tschirschwitz et al. 2022). The objects of the next
    coder are matched with those of the first, the rest with those of the second, and so on, if the
    group has none of theirs yet. Objects without a match begin a new group.
    """
    group = np.full(len(checked(data)), -1, np.int64)
    n = 0
    for coder in range(len(data.coders)):
        left = np.flatnonzero(data.coder == coder)
        taken = np.zeros(n, bool)
        for earlier in range(coder):
            free = np.flatnonzero(data.coder == earlier)
            free = free[~taken[group[free]]]
            found = matches(data, free, left, threshold, False)
            group[found.second] = group[found.first]
            taken[group[found.first]] = True
            left = left[group[left] < 0]
        group[left] = n + np.arange(len(left))
        n += len(left)
    return group


def matched(
    data: Objects, threshold: float = 0.5, *, not_marked: Any = "not marked"
) -> Annotations:
    """Match the objects of all coders, and return each coder's label of each object.

    Parameters
    ----------
    data : Objects
        The objects of the coders.
    threshold : float, default 0.5
        The least IoU at which two objects may be matched, above 0.
    not_marked : object, default "not marked"
        The label for coders who saw the image and did not mark the object; None leaves the judgment
        missing.

    Returns
    -------
    Annotations
        Judgments of items (image, number), for coefficients, intervals (pass the images as
        ``cluster=``) and diagnoses.

    Raises
    ------
    ValueError
        If the threshold is outside (0, 1], or `not_marked` is a label of the data.

    Notes
    -----
    α (nominal) of the result is the K-α of Tschirschwitz et al. (2022) over all images together.
    They take the mean of its values for single images; `inference.agreement_by_group` returns
    these. Objects are matched by place alone, so their labels may differ. With three coders or
    more, the groups depend on the order of the coders: an object that is near two others, which are
    not near each other, is matched with the first. Places that no coder marked are not items, so
    there is no agreement on "nothing there", and chance-corrected values are lower. With a single
    label, α is below 0 unless all coders mark the same objects.

    References
    ----------
    Tschirschwitz, D., Klemstein, F., Stein, B. & Rodehorst, V. (2022). A dataset for analysing
    complex document layouts in the digital humanities and its evaluation with Krippendorff's alpha.
    GCPR.

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.objects.Objects.from_boxes(
    ...     ["p1"] * 5, ["Ann", "Ann", "Bob", "Bob", "Bob"],
    ...     [(0, 0, 10, 10), (20, 20, 30, 30), (0, 0, 10, 8), (20, 20, 30, 29), (50, 0, 60, 9)],
    ...     ["car", "dog", "car", "cat", "cat"],
    ... )
    >>> found = af.objects.matched(data)
    >>> found.to_wide().tolist()
    [['car', 'car'], ['dog', 'cat'], ['not marked', 'cat']]
    >>> round(af.alpha(found).value, 3)
    0.231
    """
    threshold = check_threshold(threshold)
    if not_marked is not None and not_marked in checked(data).labels:
        raise InputError(
            (Argument("not_marked", not_marked), " is a label of the data"),
            "pass another label",
            argument="not_marked",
        )
    group = groups(data, threshold)
    n = int(group.max(initial=-1)) + 1
    image = np.zeros(n, np.int64)
    image[group] = data.image
    absent = data.seen[:, image]
    absent[data.coder, group] = False
    who, which = np.nonzero(absent) if not_marked is not None else (group[:0], group[:0])
    # image by image, in the order of the objects' numbers
    order = np.argsort(image, kind="stable")
    rank = np.empty(n, np.int64)
    rank[order] = np.arange(n)
    first = np.searchsorted(image[order], image[order], side="left")
    number = np.arange(n) - first + 1
    names = [
        (data.images[i], k) for i, k in zip(image[order].tolist(), number.tolist(), strict=True)
    ]
    item = rank[np.concatenate([group, which])]
    by_item = np.argsort(item, kind="stable")
    labels = np.concatenate([data.label, np.full(len(which), len(data.labels))])
    kinds = list(data.labels) + ([not_marked] if len(which) else [])
    return Annotations.from_long(
        Dictionary(item[by_item].astype(np.int32), names, False),
        Dictionary(
            np.concatenate([data.coder, who])[by_item].astype(np.int32), list(data.coders), False
        ),
        Dictionary(labels[by_item].astype(np.int32), kinds, False),
    )
