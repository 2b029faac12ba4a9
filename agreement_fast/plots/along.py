"""The agreement of coders along their own sequences of judgments."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from agreement_fast.errors import InputError
from agreement_fast.plots._canvas import STYLES, check_kind, new_axes, say_empty
from agreement_fast.terminal import show_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.diagnostics import Drift


#: The number of coders that are drawn by default.
MOST = 5


def coder_drift(
    result: Drift, *, coders: Iterable[Any] | None = None, ax: Axes | None = None
) -> Axes:
    """Draw each coder's agreement window by window, with the line of the trend.

    Parameters
    ----------
    result : Drift
        The result of `diagnostics.drift`.
    coders : iterable of names, optional
        The coders to draw; by default the five who change most, as the plot then states.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        Markers are windows, at the middle of their judgments. Vertical lines are their intervals,
        and thin lines are the trends. An asterisk in the legend marks coders who drift.

    Raises
    ------
    ValueError
        If a name is not one of the coders.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement_fast import diagnostics, plots
    >>> frame = pd.DataFrame({
    ...     "item": list(range(40)) * 2, "coder": ["Ann"] * 40 + ["Bea"] * 40,
    ...     "label": list("xyyx" * 10) + list("xyyx" * 5 + "xxyy" * 5),
    ... })
    >>> ax = plots.coder_drift(diagnostics.drift(frame, windows=4))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['Ann *', 'Bea *']
    """
    from agreement_fast.diagnostics import Drift

    check_kind(result, Drift, "diagnostics.drift")
    ax = new_axes(ax, size=(7.2, 4.2))
    ax.set_xlabel("judgments of the coder, in order")
    ax.set_ylabel(f"chance-corrected agreement with the {result.against}")
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    known = {one.coder: one for one in result.coders}
    if coders is None:
        able = [one for one in result.coders if not math.isnan(one.value)]
        able.sort(key=lambda one: -abs(one.change) if not math.isnan(one.change) else 0.0)
        names = [one.coder for one in able[:MOST]]
        if len(able) > MOST:
            ax.set_title(
                f"the {MOST} of {len(able):,} coders who change most", fontsize="small", loc="right"
            )
    else:
        names = list(coders)
        for name in names:
            if name not in known:
                raise InputError(f"{name!r} is not one of the coders", argument="coders")
    if not names:
        say_empty(ax, "no coder has a value")
        return ax
    for place, name in enumerate(names):
        one, style = known[name], STYLES[place % len(STYLES)]
        parts = [part for part in result.windows if part.coder == name]
        # Shift the windows of several coders, which would otherwise overlap.
        step = (parts[-1].end - parts[0].start) / 200 * (place - (len(names) - 1) / 2)
        middle = [(part.start + part.end) / 2 + step for part in parts]
        starred = one.adjusted_p_value < 1 - one.confidence_level
        ax.plot(middle, [part.value for part in parts], color=style["color"], linestyle="none",
                marker=style["marker"], markersize=5, zorder=3)  # fmt: skip
        ax.vlines(
            middle, [part.low for part in parts], [part.high for part in parts],
            color=style["color"], linewidth=0.8,
        )  # fmt: skip
        ends = [parts[0].start, parts[-1].end]
        line = [math.nan, math.nan] if math.isnan(one.first) else [one.first, one.last]
        ax.plot(ends, line, color=style["color"], linestyle=style["linestyle"], linewidth=1.4,
                marker=style["marker"], markevery=[], label=show_label(name, 24)
                + (" *" if starred else ""))  # fmt: skip
    ax.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return ax
