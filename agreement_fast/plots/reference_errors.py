"""The error of the majority by the coders' reliability (Antoine et al. 2014, section 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from agreement_fast.plots._canvas import STYLES, check_kind, new_axes, percent_axis, say_empty

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.simulation import ReferenceErrors


def reference_errors(
    errors: ReferenceErrors, *, target: float | None = None, ax: Axes | None = None
) -> Axes:
    """Draw how often the majority of the coders is wrong, by their reliability.

    Parameters
    ----------
    errors : ReferenceErrors
        The result of `agreement_fast.simulation.reference_errors`.
    target : float, optional
        The largest tolerable error, between 0 and 1, drawn as a horizontal line.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        The share of items whose majority label is wrong, by reliability, with a line for each
        number of coders. The bands contain the errors of 95% of the simulated sets of coders.

    Raises
    ------
    ValueError
        If `target` is not between 0 and 1.

    Examples
    --------
    >>> from agreement_fast import plots, simulation
    >>> table = simulation.reference_errors({"yes": 1, "no": 1}, n_coders=[1, 5], rng=1)
    >>> ax = plots.reference_errors(table, target=0.05)
    >>> [line.get_label() for line in ax.get_lines()]
    ['1 coder', '5 coders', 'target: 5%']
    """
    from agreement_fast.options import check_share
    from agreement_fast.simulation import ReferenceErrors

    check_kind(errors, ReferenceErrors, "simulation.reference_errors")
    if target is not None:
        check_share("target", target)
    ax = new_axes(ax)
    order = np.argsort(errors.reliability)
    x = errors.reliability[order]
    for place, j in enumerate(np.argsort(errors.n_coders).tolist()):
        n = int(errors.n_coders[j])
        style = STYLES[place % len(STYLES)]
        ax.fill_between(
            x,
            errors.low[order, j],
            errors.high[order, j],
            color=style["color"],
            alpha=0.12,
            linewidth=0,
        )
        name = "1 coder" if n == 1 else f"{n} coders"
        ax.plot(x, errors.error[order, j], label=name, linewidth=1.6, markersize=5, **style)
    if target is not None:
        ax.axhline(target, color="0.4", linewidth=0.9, label=f"target: {target * 100:.3g}%")
    distance = "" if errors.distance == "nominal" else f" ({errors.distance})"
    ax.set_xlabel(f"reliability{distance}")
    ax.set_ylabel("items with a wrong majority label")
    percent_axis(ax)
    ax.grid(axis="y", color="0.85", linewidth=0.8)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    if np.isnan(errors.error).all():
        say_empty(ax, "no item has a true label")
    else:
        ax.legend(frameon=False)
    return ax
