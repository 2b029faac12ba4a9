"""Which method gives the right labels in which crowd (the table of docs/aggregation.md).

    python benchmarks/crowds.py

Crowds are drawn from MACE's model or from that of Dawid & Skene, with true labels of different
frequencies. The script prints the share of right labels by majority (ties by order) and by both
models with several amounts of smoothing. For the models it also prints the mean confidence, which
should equal this share. All are means of three crowds. It takes about a minute.
"""

import numpy as np

import agreement_fast as af
from agreement_fast import aggregate

#: Items, coders, labels, judgments an item.
CROWDS = ((2000, 2000, 2, 5), (2000, 2000, 5, 5), (2000, 100, 3, 5), (500, 30, 4, 3))

SMOOTHING = {"mace": (0.0, 0.1, 1.0, 4.0), "dawid_skene": (0.0, 0.1, 1.0)}


def drawn(shares, rng):
    """One place of each row of shares."""
    return (rng.random(len(shares))[:, None] > shares.cumsum(1)).sum(1).clip(0, shares.shape[1] - 1)


def crowd(n_items, n_coders, n_labels, each, seed, *, confused):
    """Annotations and the true labels."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(n_labels, p=rng.dirichlet(np.full(n_labels, 3.0)), size=n_items)
    item = np.repeat(np.arange(n_items), each)
    coder = np.argsort(rng.random((n_items, n_coders)), 1)[:, :each].reshape(-1)
    if confused:
        weight = np.where(np.eye(n_labels, dtype=bool), 4.0, 0.6)
        gamma = rng.gamma(np.broadcast_to(weight, (n_coders, n_labels, n_labels)))
        table = gamma / gamma.sum(2, keepdims=True)
        label = drawn(table[coder, truth[item]], rng)
    else:
        spam = drawn(rng.dirichlet(np.full(n_labels, 0.5), n_coders)[coder], rng)
        label = np.where(rng.random(len(item)) < rng.beta(3, 2, n_coders)[coder], truth[item], spam)
    return af.Annotations.from_long(item, coder, label), truth


def main():
    for confused in (False, True):
        print("\nDawid & Skene's model" if confused else "MACE's model")
        for shape in CROWDS:
            result = {}
            for seed in range(3):
                data, truth = crowd(*shape, seed, confused=confused)
                label = aggregate(data, ties="first").labels
                result.setdefault("majority", []).append((np.mean(label == truth), np.nan))
                for method, amounts in SMOOTHING.items():
                    for smoothing in amounts:
                        one = aggregate(data, method, smoothing=smoothing)
                        pair = np.mean(one.labels == truth), one.mean_confidence
                        result.setdefault(f"{method} {smoothing:g}", []).append(pair)
            print("  {} items, {} coders, {} labels, {} judgments an item".format(*shape))
            for name, pairs in result.items():
                right, confidence = np.mean(pairs, 0)
                print(f"    {name:16} right {right:.3f}  confidence {confidence:.3f}", flush=True)


if __name__ == "__main__":
    main()
