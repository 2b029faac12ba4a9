"""One label for each item: majority, Dawid & Skene and MACE, compared with crowd-kit.

    python benchmarks/aggregation.py FILE.csv ...       # columns item, coder, label
    python benchmarks/aggregation.py --judgments 1000000 [--glad]

MACE is fitted twice: with crowd-kit's smoothing to compare with its EM, and with ours to compare
with its variational Bayes. The script prints for each method: seconds, the share of items that get
the same label, the log-likelihood at the parameters of both (by the same function), and, for
simulated judgments, the share of items with the true label. Times are medians of three runs; a run
of more than ten seconds is not repeated. If a coder judged an item twice, both programs get the
first judgment.
"""

import argparse
import statistics
import time
import warnings

import numpy as np
import pandas as pd
from crowdkit import aggregation as crowdkit

import agreement_fast as af
from agreement_fast import aggregate


def simulated(n_judgments, seed=0):
    """Five judgments an item by coders who know the label or spam, mostly with one label."""
    rng = np.random.default_rng(seed)
    n_items, n_coders, n_labels, each = n_judgments // 5, 5000, 5, 5
    truth = rng.integers(n_labels, size=n_items)
    knows = rng.beta(4, 2, n_coders)
    favourite = rng.integers(n_labels, size=n_coders)
    coder = (rng.integers(n_coders, size=n_items)[:, None] + np.arange(each) * 997) % n_coders
    item = np.repeat(np.arange(n_items), each)
    coder = coder.reshape(-1)
    spam = np.where(
        rng.random(len(item)) < 0.7, favourite[coder], rng.integers(n_labels, size=len(item))
    )
    label = np.where(rng.random(len(item)) < knows[coder], truth[item], spam)
    return pd.DataFrame({"item": item, "coder": coder, "label": label}), pd.Series(truth)


def timed(run):
    """Seconds and the result."""
    seconds = []
    while len(seconds) < 3 and sum(seconds) < 10:
        begin = time.perf_counter()
        result = run()
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds), result


def log_likelihood(codes, shares, table):
    """The log-likelihood of judgments (item, coder, label), given π and P(label | coder, class)."""
    item, coder, label = codes
    logs = np.zeros((item.max() + 1, len(shares)))
    with np.errstate(divide="ignore"):
        np.add.at(logs, item, np.log(table[coder, :, label]))
        logs += np.log(shares)
    top = logs.max(1)
    return float((top + np.log(np.exp(logs - top[:, None]).sum(1))).sum())


def of_mace(competence, spam):
    """P(label | coder, class) of MACE."""
    table = np.repeat(((1 - competence)[:, None] * spam)[:, None, :], spam.shape[1], 1)
    k = np.arange(spam.shape[1])
    table[:, k, k] += competence[:, None]
    return table


def compare(name, frame, truth=None, *, with_glad=False):
    """Print one table."""
    frame = frame.drop_duplicates(["item", "coder"])
    data = af.Annotations.from_frame(frame, item="item", coder="coder", label="label")
    theirs = frame.rename(columns={"item": "task", "coder": "worker"})
    items, coders, labels = (np.array(x) for x in (data.items, data.coders, data.categories))
    codes = [
        pd.Index(names).get_indexer(frame[column])
        for names, column in ((items, "item"), (coders, "coder"), (labels, "label"))
    ]
    uniform = np.full(len(labels), 1 / len(labels))
    print(f"\n{name}: {len(items):,} items, {len(coders):,} coders, {len(frame):,} judgments")
    print(f"{'':24}{'seconds':>10}{'theirs':>10}{'times':>8}{'same':>8}{'log L':>14}{'theirs':>14}"
          + ("" if truth is None else f"{'right':>9}{'theirs':>9}"))  # fmt: skip

    def line(title, ours, rival, our_likelihood=None, rival_likelihood=None):
        seconds, result = timed(lambda: aggregate(data, **ours))
        other_seconds, model = timed(lambda: _fitted(rival, theirs))
        label = pd.Series(result.labels, index=items)
        other = model.labels_.reindex(items)
        both = label.notna() & other.notna()
        same = (label[both].astype(str) == other[both].astype(str)).mean()
        cells = [f"{title:24}{seconds:10.3f}{other_seconds:10.3f}{other_seconds / seconds:8.1f}"]
        cells.append(f"{same:8.4f}")
        for likelihood, of in ((our_likelihood, result), (rival_likelihood, model)):
            cells.append(f"{'':14}" if likelihood is None else f"{likelihood(of):14.1f}")
        if truth is not None:
            right = truth.reindex(items)
            cells += [f"{(one == right).mean():9.4f}" for one in (label, other)]
        print("".join(cells), flush=True)

    def ours_dawid_skene(result):
        table = np.nan_to_num(result.model.probabilities)
        return log_likelihood(codes, result.model.shares, table)

    def theirs_dawid_skene(model):
        errors = model.errors_.reindex(
            pd.MultiIndex.from_product([coders, labels]), columns=labels, fill_value=0
        )
        table = errors.to_numpy().reshape(len(coders), len(labels), len(labels)).swapaxes(1, 2)
        return log_likelihood(codes, model.priors_.reindex(labels).to_numpy(), table)

    def ours_mace(result):
        table = of_mace(result.model.competence, np.nan_to_num(result.model.spam))
        return log_likelihood(codes, uniform, table)

    def theirs_mace(model):
        order = [list(pd.factorize(frame["coder"])[1]).index(c) for c in coders]
        columns = [list(pd.factorize(frame["label"])[1]).index(k) for k in labels]
        table = of_mace(model.spamming_[order, 1], model.thetas_[order][:, columns])
        return log_likelihood(codes, uniform, table)

    line("majority (first of ties)", {"ties": "first"}, crowdkit.MajorityVote())
    line("Dawid & Skene", {"method": "dawid_skene", "n_restarts": 0}, crowdkit.DawidSkene(),
         ours_dawid_skene, theirs_dawid_skene)  # fmt: skip
    line("MACE, EM", {"method": "mace", "smoothing": 0.01 / len(labels)},
         crowdkit.MACE(method="em", n_restarts=5),
         ours_mace, theirs_mace)  # fmt: skip
    line("MACE, their VB", {"method": "mace"}, crowdkit.MACE(n_restarts=5), ours_mace, theirs_mace)
    if with_glad:
        line("MACE beside their GLAD", {"method": "mace"}, crowdkit.GLAD(), ours_mace)


def _fitted(model, frame):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(frame)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--judgments", type=int)
    parser.add_argument("--glad", action="store_true", help="run crowd-kit's GLAD, for minutes")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    for path in chosen.files:
        compare(
            path.rpartition("/")[2], pd.read_csv(path, keep_default_na=False), with_glad=chosen.glad
        )
    if chosen.judgments:
        compare("simulated", *simulated(chosen.judgments), with_glad=chosen.glad)
