"""How time and memory grow with items, coders and categories: docs/growth.png.

Run as ``python benchmarks/growth.py [FILE]``; it takes a minute or two, 2 GB, and needs the extra
`plot`.
"""

import sys
import time
import tracemalloc

import numpy as np
from workloads import scores, table

import agreement_fast as af


def ratings(items, coders, categories, seed=0):
    """Codes of coders who give an item's true label seven times in ten; one in ten is missing."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, categories, (items, 1))
    noise = rng.integers(0, categories, (items, coders))
    codes = np.where(rng.random((items, coders)) < 0.7, true, noise)
    codes[rng.random(codes.shape) < 0.1] = -1
    return codes.astype(np.int8 if categories <= 127 else np.int16)


def measured(call):
    """The median seconds of five calls, and the peak bytes of a call."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return sorted(times)[2], peak


def nominal(codes):
    """α nominal from a table of codes."""
    return lambda: af.alpha(af.Annotations.from_wide(codes, missing=-1, copy=False))


def panels():
    """(title, x label, {line: [(x, seconds, bytes)]}, input bytes by x)."""
    five = {"α nominal, int8": [], "α interval, distinct floats": [], "α ordinal, half points": []}
    for n in (10**e for e in range(1, 9)):
        five["α nominal, int8"].append((n, *measured(nominal(table(n)))))
        table.cache_clear()
        if n > 10**7:  # 4 GB of floats
            continue
        for name, distance, numbers in (
            ("α interval, distinct floats", "interval", scores(n)),
            ("α ordinal, half points", "ordinal", 1 + table(n, 5, 9, 0.0) / 2),
        ):
            result = measured(lambda x=numbers, d=distance: af.alpha(x, d))
            five[name].append((n, *result))
            scores.cache_clear()
    coders = {"α nominal, 100,000 items, 5 categories": []}
    for c in (2, 3, 5, 8, 12, 25, 50, 100):
        coders["α nominal, 100,000 items, 5 categories"].append(
            (c, *measured(nominal(ratings(100_000, c, 5))))
        )
    categories = {"α nominal": [], "α linear": []}
    for k in (2, 5, 10, 30, 100, 300, 1000):
        codes = ratings(100_000, 5, k)
        categories["α nominal"].append((k, *measured(nominal(codes))))
        linear = measured(
            lambda codes=codes: af.alpha(
                af.Annotations.from_wide(codes, missing=-1, copy=False), "linear"
            )
        )
        categories["α linear"].append((k, *linear))
    return [
        ("items (5 coders)", five),
        ("coders", coders),
        ("categories (100,000 items, 5 coders)", categories),
    ]


def main(path):
    """Measure and draw."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 3, figsize=(12, 6.5), constrained_layout=True)
    for column, (label, lines) in enumerate(panels()):
        for (name, points), style in zip(lines.items(), ("o-", "s--", "^:"), strict=False):
            x, seconds, held = zip(*points, strict=True)
            axes[0, column].loglog(x, np.array(seconds) * 1000, style, color="black", label=name)
            axes[1, column].loglog(x, np.array(held) / 2**20, style, color="black", label=name)
            for row in points:
                print(
                    f"{label}: {name}: {row[0]:>10,} {row[1] * 1000:10.3f} ms {row[2]:>12,} bytes"
                )
        axes[0, column].set_ylabel("time, ms")
        axes[1, column].set_ylabel("memory held, MiB")
        axes[1, column].set_xlabel(label)
        axes[0, column].margins(y=0.25)
        axes[0, column].legend(frameon=False, fontsize=8, loc="upper left")
    for axis in axes.flat:
        axis.grid(True, which="major", color="0.9")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "docs/growth.png")
