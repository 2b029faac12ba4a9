"""How often honest crowds have a suspect, and how many spammers are found (docs/aggregation.md).

    python benchmarks/suspects.py [crowds of each kind] [seed]

Each crowd has other coders, items and labels. In honest crowds every coder
knows the label of an item at least half as often as the mean coder, and guesses otherwise; on hard
items all know it half as often. With spammers, a tenth of the coders guess always: half of them
draw a label, the others always give the most frequent one. It prints the share of honest crowds
with a suspect, and of crowds with spammers the share of spammers and of honest coders who are
suspected. 1,000 crowds of each kind take two minutes of processor time.
"""

import sys

import numpy as np

import agreement_fast as af

#: Items, coders, labels, judgments an item, how often coders know the label, share of hard items.
CROWDS = {
    "alike": (200, 30, 2, 5, (0.7, 0.7), 0.0),
    "unlike": (240, 20, 4, 5, (0.5, 1.0), 0.0),
    "at the limit": (300, 15, 3, 5, (0.4, 0.8), 0.0),
    "hard items": (200, 30, 3, 5, (0.6, 0.9), 0.4),
    "three an item": (300, 30, 2, 3, (0.6, 0.9), 0.2),
    "a rare label": (300, 20, 2, 5, (0.6, 0.9), 0.0),
    "ten judgments a coder": (400, 200, 3, 5, (0.6, 0.9), 0.0),
    "three coders": (100, 3, 2, 3, (0.6, 0.9), 0.0),
}


def crowd(kind, rng, *, spammers):
    """Return the judgments of a crowd, and which of its coders spam."""
    n_items, n_coders, n_labels, each, (low, high), hard = CROWDS[kind]
    shares = np.array([0.9, 0.1]) if kind == "a rare label" else rng.dirichlet(np.full(n_labels, 9))
    truth = rng.choice(n_labels, p=shares, size=n_items)
    knows = rng.uniform(low, high, n_coders)
    if kind == "at the limit":
        knows[:] = high
        knows[0] = low
    spams = np.zeros(n_coders, bool)
    if spammers:
        spams[: max(1, n_coders // 10)] = True
        knows[spams] = 0.0
    item = np.repeat(np.arange(n_items), each)
    coder = np.argsort(rng.random((n_items, n_coders)), 1)[:, :each].reshape(-1)
    chance = knows[coder] * np.where(rng.random(n_items) < hard, 0.5, 1.0)[item]
    guess = rng.choice(n_labels, p=shares, size=len(item))
    guess = np.where(spams[coder] & (coder % 2 == 0), shares.argmax(), guess)
    label = np.where(rng.random(len(item)) < chance, truth[item], guess)
    return af.Annotations.from_long(item, coder, label), spams


def main():
    n, seed = map(int, [*sys.argv[1:], *("1000", "0")[len(sys.argv) - 1 :]])
    print(f"{'':24}honest crowds     spammers  honest coders")
    print(f"{'':24}with a suspect    found     suspected beside them")
    for kind in CROWDS:
        any_of, result, wrong = [], [], []
        for i in range(n):
            rng = np.random.default_rng([seed, i])
            data, _ = crowd(kind, rng, spammers=False)
            any_of.append(any(af.aggregate(data).coders.suspect))
            data, spams = crowd(kind, rng, spammers=True)
            coders = af.aggregate(data).coders
            suspect = np.array([reason is not None for reason in coders.suspect])
            spams = spams[list(coders.coders)]
            result.append(suspect[spams].mean() if spams.any() else np.nan)
            wrong.append(suspect[~spams].mean())
        print(
            f"{kind:24}{np.mean(any_of):.3f}             {np.nanmean(result):.3f}     "
            f"{np.mean(wrong):.4f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
