"""Codings side by side

Two rounds of coding, before and after a change of the guidelines.
"""

from agreement_fast import plots, subsets

shares = {"support": 0.4, "oppose": 0.35, "neither": 0.25}
rounds = {
    name: subsets.simulate(
        shares, reliability=reliability, n_items=150, n_coders=3, rng=1
    ).annotations
    for name, reliability in {"first guidelines": 0.45, "second guidelines": 0.7}.items()
}
ax = plots.forest(rounds, coefficient=["pi", "kappa", "alpha"])
