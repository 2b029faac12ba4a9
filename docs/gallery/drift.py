"""Agreement over time

Bea starts like Ann and becomes tired: the agreement with Bea falls from window to window.
"""

import numpy as np
import pandas as pd

from agreement_fast import diagnostics, plots

rng = np.random.default_rng(1)
ann = rng.choice(["yes", "no"], 400)
tired = rng.random(400) < np.linspace(0, 0.6, 400)
careless = rng.random(400) < 0.1
frame = pd.DataFrame(
    {
        "item": list(range(400)) * 3,
        "coder": ["Ann"] * 400 + ["Bea"] * 400 + ["Cid"] * 400,
        "label": np.concatenate(
            [
                ann,
                np.where(tired, rng.choice(["yes", "no"], 400), ann),
                np.where(careless, rng.choice(["yes", "no"], 400), ann),
            ]
        ),
    }
)
ax = plots.drift(diagnostics.drift(frame, n_windows=8))
