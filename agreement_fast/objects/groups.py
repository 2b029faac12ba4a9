"""Which objects of several coders are one and the same."""

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
    """Number the objects so that those that are matched have one number.

    Coder by coder, in the order of the data (Tschirschwitz et al. 2022): the objects of the next
    one are matched with those of the first, what is left with those of the second, and so on, where
    the group has none of theirs yet. What stays alone begins a group.
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
    """Match the objects of all coders, and give the label that each coder gave each of them.

    Parameters
    ----------
    data : Objects
    threshold : float, default 0.5
        The least IoU at which two objects may be the same one, above 0.
    not_marked : object
        The label of a coder who saw the image and marked nothing there; None leaves it missing.

    Returns
    -------
    Annotations
        Items are (image, number). Whatever takes annotations takes them: coefficients, intervals
        (pass the images as ``cluster=``), diagnoses.

    Raises
    ------
    ValueError
        A threshold outside (0, 1], a label of the data that is `not_marked`.

    Notes
    -----
    α (nominal) of the result is the K-α of Tschirschwitz et al. (2022) over all images together;
    they compute it for each image and take the mean, which `inference.agreement_by_group` gives
    image by image. Objects are matched by place alone, so that labels may differ. With three coders
    or more the groups depend on the order of the coders: an object that is near to two that are not
    near to each other goes to the first. Where nobody marks anything there is no object, so there
    is no agreement on "nothing there", and chance-corrected values are lower for it; with one label
    α is below 0 unless all mark the same.

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
            "name it otherwise",
            argument="not_marked",
        )
    group = groups(data, threshold)
    n = int(group.max(initial=-1)) + 1
    image = np.zeros(n, np.int64)
    image[group] = data.image
    absent = data.seen[:, image]
    absent[data.coder, group] = False
    who, which = np.nonzero(absent) if not_marked is not None else (group[:0], group[:0])
    # image by image, in the order in which the objects are numbered
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
