"""From reliability to the error of the majority, as Antoine et al. (2014, section 6) plan it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from agreement_fast.plots._canvas import STYLES, check_kind, new_axes, percent_axis, say_empty

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.simulation import ReferenceErrors

__all__ = ["reference_errors"]


def reference_errors(
    errors: ReferenceErrors, *, wanted: float | None = None, ax: Axes | None = None
) -> Axes:
    """Draw how often the majority of some coders errs, by their reliability.

    Parameters
    ----------
    errors : ReferenceErrors
        From `agreement_fast.simulation.reference_errors`.
    wanted : float, optional
        The largest error that is tolerated, between 0 and 1: a line across.
    ax : matplotlib Axes, optional
        Where to draw; a new figure where absent.

    Returns
    -------
    Axes
        Reliability against the share of items whose majority is not the truth, one line for each
        number of coders. The bands hold the errors of 95% of the sets of so many coders.

    Examples
    --------
    >>> from agreement_fast import plots, simulation
    >>> table = simulation.reference_errors({"yes": 1, "no": 1}, n_coders=[1, 5], rng=1)
    >>> ax = plots.reference_errors(table, wanted=0.05)
    >>> [line.get_label() for line in ax.get_lines()]
    ['1 coder', '5 coders', '5% wanted']
    """
    from agreement_fast.options import check_share
    from agreement_fast.simulation import ReferenceErrors

    check_kind(errors, ReferenceErrors, "simulation.reference_errors")
    if wanted is not None:
        check_share("wanted", wanted)
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
    if wanted is not None:
        ax.axhline(wanted, color="0.4", linewidth=0.9, label=f"{wanted * 100:.3g}% wanted")
    distance = "" if errors.distance == "nominal" else f" ({errors.distance})"
    ax.set_xlabel(f"reliability{distance}")
    ax.set_ylabel("items whose majority is not the truth")
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
