"""How often do intervals hold the true value: docs/coverage.csv and the tables of its page.

Data sets are drawn from populations whose coefficients are known exactly; each interval of each
coefficient either holds the true value or not. Run as

    python -P benchmarks/coverage.py --write FILE       # all areas, 2,000 data sets a setting
    python -P benchmarks/coverage.py --sets 40          # minutes
    python -P benchmarks/coverage.py --areas documents  # only some areas, printed
    python -P benchmarks/coverage.py --table            # only print the tables of docs/coverage.csv
    python -P benchmarks/coverage.py --table FILE...    # or of the files of several parts

The data sets of a setting are groups of one table, so an interval in closed form costs some
microseconds. Differences, means and documents are computed one by one, and so are the intervals of
others, in some settings only. A setting's numbers depend on the seed and on nothing else, so the
settings may be split among processes.
"""

import argparse
import csv
import itertools
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.special import ndtri
from scipy.stats import norm

import agreement_fast as af
from agreement_fast import agreement_by_group, bootstrap, compare
from agreement_fast.diagnostics import pairwise_agreement
from agreement_fast.inference import coefficient_test, standard_error

SEED = 20260
TABLE = Path(__file__).parents[1] / "docs" / "coverage.csv"
#: Rows of a table of data sets that are drawn at a time.
ROWS = 400_000
#: Data sets, of each setting in which draws and other programs' intervals are computed, too.
OTHERS = 500
#: Settings in which they are, and the most items of such a setting.
N_OTHERS, MOST_ITEMS = 70, 200
RESAMPLES = 500
COEFFICIENTS = ("alpha", "pi", "kappa", "ac")
#: Intervals in closed form.
CLOSED = ("score", "delta")
DRAWN = ("bca", "percentile", "bayesian")
#: The observed agreement, and its intervals.
OBSERVED = "observed agreement"
OF_SHARE = ("wald", "wilson", "score")
#: Fewer effective judgments of the rare category than these are few.
FEW = 10


# ---------------------------------------------------------------------- populations


@dataclass(frozen=True)
class Binary:
    """Two categories: coders who know or guess ("class"), or items that differ ("beta")."""

    model: str
    prevalence: float
    reliability: float

    def __str__(self):
        return f"{self.model} {self.prevalence:g}, reliability {self.reliability:g}"

    def draw(self, n_items, n_coders, rng):
        shape, p, r = (n_items, n_coders), self.prevalence, self.reliability
        if self.model == "class":
            true = rng.random((n_items, 1)) < p
            return np.where(rng.random(shape) < np.sqrt(r), true, rng.random(shape) < p)
        if r == 0:
            return rng.random(shape) < p
        scale = (1 - r) / r
        return rng.random(shape) < rng.beta(p * scale, (1 - p) * scale, (n_items, 1))

    def joint(self, n_coders):
        """Shares of two coders' labels, and each coder's."""
        p = np.array([1 - self.prevalence, self.prevalence])
        r = self.reliability
        return r * np.diag(p) + (1 - r) * np.outer(p, p), np.tile(p, (n_coders, 1))


@dataclass(frozen=True)
class Scale:
    """Points of a scale: a normal item, and normal errors whose size differs by item."""

    shares: tuple[float, ...]
    reliability: float
    #: Shares of the items and the sizes of their errors.
    errors = ((0.4, 1.6), (0.6, 0.6))

    def __str__(self):
        return f"{len(self.shares)} points, {_ends(self.shares)}, reliability {self.reliability:g}"

    def draw(self, n_items, n_coders, rng):
        wide = np.where(rng.random((n_items, 1)) < 0.4, 1.6, 0.6)
        error = np.sqrt(1 - self.reliability) * wide * rng.normal(size=(n_items, n_coders))
        item = np.sqrt(self.reliability) * rng.normal(size=(n_items, 1))
        return np.searchsorted(self._ends(), item + error)

    def joint(self, n_coders):
        """By quadrature over the items."""
        nodes, weights = np.polynomial.hermite_e.hermegauss(120)
        joint = np.zeros((len(self.shares),) * 2)
        for share, wide in self.errors:
            spread = np.sqrt(1 - self.reliability) * wide
            below = norm.cdf((self._ends() - np.sqrt(self.reliability) * nodes[:, None]) / spread)
            of_label = np.diff(below, axis=1, prepend=0, append=1)
            joint += share * np.einsum("n,nk,nl->kl", weights / weights.sum(), of_label, of_label)
        return joint, np.tile(joint.sum(0), (n_coders, 1))

    def _ends(self):
        return ndtri(np.cumsum(self.shares)[:-1])


@dataclass(frozen=True)
class Leaning:
    """True categories, and coders who know them with a probability of their own and else guess.

    A guess is drawn from the true shares three times in four; else it is the coder's favourite: the
    first category for the first coder, and so on in turn. So the coders' marginals differ.
    """

    shares: tuple[float, ...]
    least: float
    most: float

    def __str__(self):
        shares = _ends(self.shares)
        return f"{len(self.shares)} categories, {shares}, accuracy {self.least:g} to {self.most:g}"

    def accuracy(self, n_coders):
        return np.linspace(self.most, self.least, n_coders)

    def draw(self, n_items, n_coders, rng):
        K, shape = len(self.shares), (n_items, n_coders)
        true = rng.choice(K, size=(n_items, 1), p=self.shares)
        guess = rng.choice(K, size=shape, p=self.shares)
        guess = np.where(rng.random(shape) < 0.25, np.arange(n_coders) % K, guess)
        return np.where(rng.random(shape) < self.accuracy(n_coders), true, guess)

    def joint(self, n_coders):
        shares, K = np.array(self.shares), len(self.shares)
        know = self.accuracy(n_coders)[:, None, None]
        favourite = np.eye(K)[np.arange(n_coders) % K]
        guess = 0.75 * shares + 0.25 * favourite
        confusion = know * np.eye(K) + (1 - know) * guess[:, None, :]
        joints = np.einsum("t,atk,btl->abkl", shares, confusion, confusion)
        return joints[~np.eye(n_coders, dtype=bool)].mean(0), np.einsum(
            "t,atk->ak", shares, confusion
        )


@dataclass(frozen=True)
class Documents:
    """Items in documents that differ in prevalence and difficulty; coders know or guess."""

    model = "class"
    prevalence: float
    reliability: float
    of_each: int

    def __str__(self):
        return f"{Binary.__str__(self)}, documents of {self.of_each}"

    def draw(self, n_items, n_coders, rng):
        n, p = n_items // self.of_each, self.prevalence
        own = np.repeat(rng.beta(4 * p, 4 * (1 - p), n), self.of_each)[:, None]
        hard = np.repeat(rng.random(n) < 0.5, self.of_each)[:, None]
        know = np.sqrt(self.reliability * np.where(hard, 0.6, 1.4))
        shape = (n_items, n_coders)
        true = rng.random((n_items, 1)) < own
        return np.where(rng.random(shape) < know, true, rng.random(shape) < p)

    joint = Binary.joint


def _ends(shares):
    return f"{max(shares):.3g} to {min(shares):.3g}"


def value(population, n_coders, name, distance):
    """The coefficient in the limit of many items."""
    joint, each = population.joint(n_coders)
    pooled = each.mean(0)
    apart = distances(distance, pooled)
    observed = (joint * apart).sum()
    if name == OBSERVED:
        return 1 - observed
    pairs = ~np.eye(n_coders, dtype=bool)
    by_chance = {
        "alpha": lambda: pooled @ apart @ pooled,
        "pi": lambda: pooled @ apart @ pooled,
        "beta": lambda: (each @ apart @ each.T)[pairs].mean(),
        "kappa": lambda: (each @ apart @ each.T)[pairs].mean(),
        "ac": lambda: 1 - (pooled * (1 - pooled)).sum() / (len(pooled) - 1),
    }
    return 1 - observed / by_chance[name]()


def distances(distance, pooled):
    """The distance of every two categories."""
    K = len(pooled)
    if not isinstance(distance, str):
        return np.array(distance, float)
    if distance == "nominal":
        return 1.0 - np.eye(K)
    place = np.arange(K) if distance == "interval" else np.cumsum(pooled) - pooled / 2
    return (place[:, None] - place) ** 2


def masi(n):
    """MASI of the subsets of n labels, which are the bits of a number (Passonneau 2006)."""
    sets = [{b for b in range(n) if k >> b & 1} for k in range(2**n)]
    apart = np.zeros((len(sets),) * 2)
    for (i, a), (j, b) in itertools.product(enumerate(sets), repeat=2):
        same = len(a & b) / len(a | b) if a | b else 1.0
        kind = 1.0 if a == b else 2 / 3 if a <= b or b <= a else 1 / 3 if a & b else 0.0
        apart[i, j] = 1 - same * kind
    return tuple(map(tuple, apart))


#: Five categories: neighbours are close, and the last is far from all.
OWN = ((0, 1, 2, 2, 4), (1, 0, 1, 2, 4), (2, 1, 0, 1, 4), (2, 2, 1, 0, 4), (4, 4, 4, 4, 0))


# ---------------------------------------------------------------------- settings


@dataclass(frozen=True)
class Setting:
    """What is drawn and what is computed of it."""

    area: str
    population: object
    n_items: int
    n_coders: int
    names: tuple[str, ...] = ("alpha",)
    distance: object = "nominal"
    level: float = 0.95
    missing: float = 0.0
    #: Coders who judge an item, if others did not judge it.
    judged: int | None = None
    #: Of the second data set of a difference, if there is one.
    reliability: float | None = None
    paired: bool = False

    def draw(self, n_sets, rng):
        """Codes of (n_sets · n_items, C), -1 being missing."""
        codes = self.population.draw(n_sets * self.n_items, self.n_coders, rng).astype(np.int16)
        if self.judged:
            order = rng.random(codes.shape).argsort(1)
            codes[order >= self.judged] = -1
        codes[rng.random(codes.shape) < self.missing] = -1
        return codes

    @property
    def per_item(self):
        """Judgments of an item, on average."""
        return (self.judged or self.n_coders) * (1 - self.missing)

    @property
    def effective(self):
        """Judgments outside of the most frequent category, those of agreeing coders as one."""
        joint, each = self.population.joint(self.n_coders)
        pooled = each.mean(0)
        alpha = 1 - (1 - np.trace(joint)) / (1 - (pooled**2).sum())
        expected = self.n_items * self.per_item * (1 - pooled.max())
        return expected / (1 + (self.per_item - 1) * max(alpha, 0))


def settings():
    """All settings, area by area."""
    every = itertools.product
    for model, p, r, n, m in every(
        ("class", "beta"), (0.5, 0.1, 0.03, 0.01), (0.0, 0.3, 0.6, 0.9), (20, 60, 200, 1000),
        (2, 3, 8),
    ):  # fmt: skip
        yield Setting("two categories", Binary(model, p, r), n, m, COEFFICIENTS)
    for model, r, n, m in every(("class", "beta"), (0.2, 0.8), (1000, 5000), (2, 5)):
        yield Setting("two categories, .5%", Binary(model, 0.005, r), n, m, COEFFICIENTS)
    for p, r, n, m in every((0.5, 0.2), (0.0, 0.5, 0.9), (5, 10, 15), (3, 6)):
        yield Setting("5 to 15 items", Binary("beta", p, r), n, m, COEFFICIENTS)
    for level, p, r, n in every((0.9, 0.99), (0.5, 0.1), (0.0, 0.5, 0.9), (30, 300)):
        yield Setting(f"level {level:.0%}", Binary("beta", p, r), n, 3, COEFFICIENTS, level=level)
    shares = [tuple(s / s.sum()) for k in (5, 10, 20) for s in (np.ones(k), 0.7 ** np.arange(k))]
    coders = ((2, 0.6, 0.9), (3, 0.75, 0.9), (10, 0.6, 0.95))
    for of_category, (m, least, most), n in every(shares, coders, (20, 60, 300)):
        yield Setting("5 to 20 categories", Leaning(of_category, least, most), n, m, COEFFICIENTS)
    for of_category, (m, least, most), n in every(((0.5, 0.5), (0.9, 0.1)), coders, (20, 60, 300)):
        yield Setting("unequal coders", Leaning(of_category, least, most), n, m, COEFFICIENTS)
    for of_category, (m, least, most), n in every(((0.5, 0.5), shares[1]), coders, (30, 100, 300)):
        yield Setting(
            "40% missing", Leaning(of_category, least, most), n, m, COEFFICIENTS, missing=0.4
        )
    for p, r, n in every((0.5, 0.1), (0.2, 0.5, 0.8), (50, 200, 1000)):
        yield Setting("crowd, 3 of 30 coders", Binary("class", p, r), n, 30, COEFFICIENTS, judged=3)
    for p, r, n in every((0.5, 0.1, 0.03), (0.2, 0.5, 0.8), (20, 60, 200)):
        yield Setting("25 coders", Binary("beta", p, r), n, 25, COEFFICIENTS)
    five = ((0.07, 0.24, 0.38, 0.24, 0.07), (0.6, 0.25, 0.1, 0.04, 0.01))
    for of_point, r, n, m in every(five, (0.1, 0.4, 0.7, 0.9), (20, 60, 200), (2, 3, 5)):
        for distance in ("nominal", "ordinal", "interval"):
            names = ("alpha",) if distance == "nominal" else ("alpha", "beta")
            yield Setting(f"five points, {distance}", Scale(of_point, r), n, m, names, distance)
    for r, n, m in every((0.2, 0.5, 0.8), (20, 60, 200), (2, 4)):
        yield Setting(
            "0 to 100, interval", Scale((1 / 101,) * 101, r), n, m, ("alpha",), "interval"
        )
    sets = (0.05, 0.3, 0.2, 0.1, 0.15, 0.1, 0.05, 0.05)
    for (m, least, most), n in every(coders, (20, 60, 200)):
        yield Setting("sets, MASI", Leaning(sets, least, most), n, m, ("alpha", "beta"), masi(3))
        for of_category in five:
            yield Setting(
                "a matrix", Leaning(of_category, least, most), n, m, ("alpha", "beta"), OWN
            )
    for p, r, n, of_each in every((0.5, 0.1), (0.3, 0.6), (20, 60), (5, 20)):
        yield Setting("documents", Documents(p, r, of_each), n * of_each, 3, ("alpha", "kappa"))
    for paired, p, (r, other), n in every(
        (False, True), (0.5, 0.1), ((0.5, 0.5), (0.8, 0.5), (0.9, 0.3)), (30, 100, 300)
    ):
        area = f"differences, {'paired' if paired else 'independent'}"
        yield Setting(
            area, Binary("class", p, r), n, 3, ("alpha", "kappa"), reliability=other, paired=paired
        )
    for of_category, (m, least, most), n in every(((0.5, 0.5), shares[1]), coders[1:], (30, 100)):
        yield Setting("mean κ of pairs", Leaning(of_category, least, most), n, m, ("kappa",))


# ---------------------------------------------------------------------- intervals


def annotations(setting, codes):
    """The judgments, with every category declared."""
    K = len(setting.population.joint(2)[0])
    coders = range(setting.n_coders)
    return af.Annotations.from_wide(codes, coders=coders, missing=-1, categories=range(K))


def distance_of(setting):
    """The distance as functions of the package take it."""
    if isinstance(setting.distance, str):
        return setting.distance
    return af.distances.matrix(np.array(setting.distance, float))


def in_groups(setting, n_sets, rng):
    """Ends of all data sets at once: {(name, method): (low, high) of shape (2, n_sets)}."""
    parts, step = {}, max(1, ROWS // setting.n_items)
    for first in range(0, n_sets, step):
        n = min(step, n_sets - first)
        data = annotations(setting, setting.draw(n, rng))
        by = np.repeat(np.arange(n), setting.n_items)
        for method in CLOSED:
            table = agreement_by_group(
                data, by, setting.names, [distance_of(setting)],
                confidence_level=setting.level, method=method,
            ).columns()  # fmt: skip
            for i, name in enumerate(setting.names):
                ends = np.array([table[c][i :: len(setting.names)] for c in ("low", "high")])
                parts.setdefault((name, method), []).append(ends)
    return {key: np.concatenate(ends, axis=1) for key, ends in parts.items()}


def each(computed):
    """Ends of data sets, one after the other; the settings' own generator draws."""

    def ends(setting, n_sets, rng):
        rows = [computed(setting, rng) for _ in range(n_sets)]
        return {key: np.array([row[key] for row in rows]).T for key in rows[0]}

    return ends


def of_documents(setting, rng):
    data = annotations(setting, setting.draw(1, rng))
    documents = np.arange(setting.n_items) // setting.population.of_each
    results = {
        (name, method): standard_error(data, name, cluster=documents, method=method)
        for name, method in itertools.product(setting.names, CLOSED)
    }
    return {key: (result.low, result.high) for key, result in results.items()}


def of_difference(setting, rng):
    first = setting.population
    second = Binary(first.model, first.prevalence, setting.reliability)
    true = rng.random((setting.n_items, 1)) < first.prevalence
    both = []
    for population in (first, second):
        if not setting.paired:
            true = rng.random((setting.n_items, 1)) < first.prevalence
        shape = (setting.n_items, setting.n_coders)
        guess = rng.random(shape) < first.prevalence
        know = rng.random(shape) < np.sqrt(population.reliability)
        both.append(annotations(setting, np.where(know, true, guess).astype(np.int16)))
    ends = {}
    for name in setting.names:
        result = compare(*both, name, paired=setting.paired)
        ends[name, "score"] = result.low, result.high
        errors = [standard_error(data, name).standard_error for data in both]
        # Without the correlation of paired data.
        reach = 1.96 * np.hypot(*errors)
        ends[name, "delta"] = result.value - reach, result.value + reach
    return ends


def of_mean(setting, rng):
    result = pairwise_agreement(annotations(setting, setting.draw(1, rng))).mean
    return {("kappa", "score"): (result.low, result.high)}


COMPUTED: dict[str, Callable] = {
    "documents": each(of_documents),
    "differences, independent": each(of_difference),
    "differences, paired": each(of_difference),
    "mean κ of pairs": each(of_mean),
}


def true_value(setting, name):
    """What the intervals should hold."""
    if setting.reliability is not None:
        return setting.population.reliability - setting.reliability
    if setting.area == "mean κ of pairs":
        population, m = setting.population, setting.n_coders
        pairs = [_pair(population, m, a, b) for a, b in itertools.combinations(range(m), 2)]
        return float(np.mean(pairs))
    return float(value(setting.population, setting.n_coders, name, setting.distance))


def _pair(population, n_coders, a, b):
    """κ of two coders."""
    shares, each_coder = np.array(population.shares), population.joint(n_coders)[1]
    know = population.accuracy(n_coders)
    K = len(shares)
    favourite = np.eye(K)[np.arange(n_coders) % K]
    guess = 0.75 * shares + 0.25 * favourite
    of_a, of_b = (know[c] * np.eye(K) + (1 - know[c]) * guess[c] for c in (a, b))
    agreed = np.einsum("t,tk,tk->", shares, of_a, of_b)
    return 1 - (1 - agreed) / (1 - each_coder[a] @ each_coder[b])


@each
def of_others(setting, rng):
    """Draws, and other programs' intervals."""
    codes = setting.draw(1, rng)
    data, distance, ends = annotations(setting, codes), distance_of(setting), {}
    for name in setting.names:
        for method in CLOSED:
            result = standard_error(
                data, name, distance=distance, method=method, confidence_level=setting.level
            )
            ends[name, method] = result.low, result.high
    listed = [(name, distance) for name in setting.names]
    for method in DRAWN:
        if method == "bayesian" and setting.distance != "nominal":
            continue
        table = bootstrap(
            data, listed, n_resamples=RESAMPLES, method=method, rng=rng,
            confidence_level=setting.level,
        )  # fmt: skip
        for result in table:
            ends[result.coefficient, method] = result.low, result.high
    if "alpha" in setting.names and isinstance(setting.distance, str):
        result = bootstrap(
            data, "alpha", distance=distance, n_resamples=RESAMPLES, method="krippendorff", rng=rng,
            confidence_level=setting.level,
        )  # fmt: skip
        ends["alpha", "krippendorff"] = result.low, result.high
    level = {"confidence_level": setting.level}
    if setting.distance == "nominal":
        for method in OF_SHARE:
            share = af.observed_agreement(data, method=method, **level)
            ends[OBSERVED, method] = share.low, share.high
    if setting.distance == "nominal" and not (setting.missing or setting.judged):
        for name in setting.names:
            result = standard_error(data, name, method="gwet", **level)
            ends[name, "gwet"] = result.low, result.high
    if setting.distance == "nominal" and setting.n_coders == 2 and len(data.categories) == 2:
        fit = None
        if len(set(codes.flat)) > 1:
            fit = coefficient_test(data, "pi", method="goodness_of_fit", **level)
        ends["pi", "Donner & Eliasziw"] = (fit.low, fit.high) if fit else (np.nan, np.nan)
    return ends


# ---------------------------------------------------------------------- simulation

COLUMNS = (
    "area", "population", "n_items", "n_coders", "level", "coefficient", "true_value", "effective",
    "study", "method", "n_sets", "n_undefined", "n_too_high", "n_too_low", "mean_width",
)  # fmt: skip
#: The study of all settings, and that of some with draws and other programs' intervals.
EVERY, SOME = "every setting", "some settings"


def simulate(place, setting, n_sets, study):
    """A row of the table for each coefficient and method."""
    rng = np.random.default_rng([SEED, place, study == SOME])
    ends_of = of_others if study == SOME else COMPUTED.get(setting.area, in_groups)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # remarks on single data sets
        result = ends_of(setting, n_sets, rng)
    rows = []
    for (name, method), (low, high) in result.items():
        true, defined = true_value(setting, name), ~(np.isnan(low) | np.isnan(high))
        # An end may differ from the true value by rounding only.
        above, below = low[defined] > true + 1e-9, high[defined] < true - 1e-9
        width = (high - low)[defined].mean() if defined.any() else np.nan
        cells = (
            setting.area, setting.population, setting.n_items, setting.n_coders, setting.level,
            name, f"{true:.6f}", f"{setting.effective:.2f}", study, method, n_sets,
            int((~defined).sum()), int(above.sum()), int(below.sum()), f"{width:.5f}",
        )  # fmt: skip
        rows.append(dict(zip(COLUMNS, map(str, cells), strict=True)))
    return rows


def chosen(every):
    """The places of the settings in which draws and others are computed, spread evenly."""
    small = [
        place for place, setting in enumerate(every)
        if setting.area not in COMPUTED and setting.n_items <= MOST_ITEMS
        and not setting.area.startswith("0 to 100")
    ]  # fmt: skip
    spread = np.linspace(0, len(small) - 1, min(N_OTHERS, len(small))).round().astype(int)
    return [small[i] for i in spread]


def run(areas, n_sets, study, part=0, parts=1):
    """Yield the rows of settings of some areas, or of all, in one study or both."""
    every = list(settings())
    places = [p for p, setting in enumerate(every) if not areas or setting.area in areas]
    some = [p for p in chosen(every) if p in set(places)]
    tasks = [(p, n_sets, EVERY) for p in places if study in (None, EVERY)]
    tasks += [(p, min(n_sets, OTHERS), SOME) for p in some if study in (None, SOME)]
    tasks = tasks[part::parts]
    for i, (place, n, study) in enumerate(tasks):
        yield from simulate(place, every[place], n, study)
        if i % 50 == 49:
            print(f"{i + 1} of {len(tasks)} settings", file=sys.stderr, flush=True)


def written(rows, name):
    """Yield the rows, each once it stands in the file."""
    with Path(name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow(row)
            file.flush()
            yield row


# ---------------------------------------------------------------------- tables


@dataclass
class Cell:
    """A coefficient's intervals in a setting."""

    row: dict[str, str]
    share: float = field(init=False)
    above: float = field(init=False)
    below: float = field(init=False)

    def __post_init__(self):
        n = int(self.row["n_sets"]) - int(self.row["n_undefined"])
        self.above, self.below = (int(self.row[k]) / n if n else np.nan
                                  for k in ("n_too_high", "n_too_low"))  # fmt: skip
        self.share = 1 - self.above - self.below

    @property
    def key(self):
        """What distinguishes it from other cells of the method."""
        return tuple(self.row[k] for k in COLUMNS[:9])

    @property
    def level(self):
        return float(self.row["level"])

    @property
    def few(self):
        return float(self.row["effective"]) <= FEW

    @property
    def width(self):
        return float(self.row["mean_width"])

    @property
    def is_low(self):
        return self.share < self.level - 0.03

    @property
    def is_high(self):
        return self.share > self.level + 0.03


def cells_of(rows, study, method, observed=False):
    """Cells in which a quarter of the data sets have an interval or more, by their keys."""
    cells = [Cell(r) for r in rows if (r["study"], r["method"]) == (study, method)]
    return {
        cell.key: cell for cell in cells
        if int(cell.row["n_undefined"]) <= 0.75 * int(cell.row["n_sets"])
        and (cell.row["coefficient"] == OBSERVED) == observed
    }  # fmt: skip


def line(title, cells):
    """Cells, low, high, lowest, missed above and below, width."""
    if not cells:
        return f"| {title} | 0 | | | | | | |"
    low, high = sum(c.is_low for c in cells), sum(c.is_high for c in cells)
    above, below, width = (np.mean([getattr(c, k) for c in cells])
                           for k in ("above", "below", "width"))  # fmt: skip
    return (
        f"| {title} | {len(cells)} | {low} | {high} | {100 * min(c.share for c in cells):.1f} | "
        f"{100 * above:.1f} | {100 * below:.1f} | {width:.3f} |"
    )


HEAD = (
    "| {} | cells | low | high | lowest | too high | too low | width |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
)


def area_table(rows):
    """Markdown: the default in each area, and the delta method's low cells and lowest beside."""
    head = HEAD.format("area").replace("width |", "width | delta: low | lowest |", 1)
    lines = [head + " ---: | ---: |"]
    score, delta = (cells_of(rows, EVERY, method) for method in CLOSED)

    def add(title, cells):
        others = [delta[c.key] for c in cells if c.key in delta]
        low, least = sum(c.is_low for c in others), min((c.share for c in others), default=np.nan)
        beside = f" {low} | {100 * least:.1f} |" if others else " | |"
        lines.append(line(title, cells) + beside)

    many = [c for c in score.values() if not c.few]
    for area in dict.fromkeys(c.row["area"] for c in many):
        add(area, [c for c in many if c.row["area"] == area])
    add("**all**", many)
    add("all, ten effective judgments or fewer", [c for c in score.values() if c.few])
    return "\n".join(lines)


def coefficient_table(rows):
    """Markdown: the default, a line each coefficient."""
    cells = [c for c in cells_of(rows, EVERY, "score").values() if not c.few]
    names = dict.fromkeys(c.row["coefficient"] for c in cells)
    lines = [line(n, [c for c in cells if c.row["coefficient"] == n]) for n in names]
    return "\n".join([HEAD.format("coefficient"), *lines])


def method_table(rows):
    """Markdown: each interval beside the default in the same cells."""
    lines = [HEAD.format("interval")]
    score = cells_of(rows, SOME, "score")
    methods = dict.fromkeys(
        r["method"] for r in rows if r["study"] == SOME and r["coefficient"] != OBSERVED
    )
    for few in (False, True):
        for method in methods:
            cells = [c for k, c in cells_of(rows, SOME, method).items() if k in score]
            cells = [c for c in cells if c.few == few]
            title = method + (", few judgments" if few else "")
            lines.append(line(title, cells))
            if method in ("krippendorff", "gwet", "bayesian", "Donner & Eliasziw"):
                same = [score[c.key] for c in cells]
                lines.append(line(f"score, in the cells of {title}", same))
    return "\n".join(lines)


def share_table(rows):
    """Markdown: the intervals of the observed agreement."""
    lines = [HEAD.format("interval of A_o")]
    lines += [line(m, list(cells_of(rows, SOME, m, observed=True).values())) for m in OF_SHARE]
    return "\n".join(lines)


def width_text(rows):
    """How much wider the default is where the delta method holds."""
    score, delta = (cells_of(rows, EVERY, method) for method in CLOSED)
    holds = [k for k, c in delta.items() if not c.few and not c.is_low and k in score]
    ratios = {k: score[k].width / delta[k].width for k in holds if delta[k].width > 0}
    over = {k: r for k, r in ratios.items() if r > 1.25}
    lines = [
        f"Where the delta method holds ({len(ratios)} cells), the default is "
        f"{np.mean(list(ratios.values())):.3f} times as wide, at most {max(ratios.values()):.2f}; "
        f"{len(over)} cells are above 1.25:"
    ]
    for key, ratio in sorted(over.items(), key=lambda pair: -pair[1]):
        lines.append(f"  {ratio:.2f}  " + ", ".join(key[:6]))
    return "\n".join(lines)


def low_text(rows):
    """The cells of the default that are low."""
    cells = [c for c in cells_of(rows, EVERY, "score").values() if c.is_low and not c.few]
    lines = [f"{len(cells)} cells are low:"]
    for c in sorted(cells, key=lambda c: c.share - c.level):
        lines.append(f"  {100 * c.share:.1f}  " + ", ".join(c.key[:8]))
    return "\n".join(lines)


def main():
    """Simulate, write the CSV, print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=2000)
    parser.add_argument("--areas", nargs="*", default=())
    parser.add_argument("--study", choices=[EVERY, SOME], help="only one of both")
    parser.add_argument("--write", metavar="FILE", help="write the counts as CSV")
    parser.add_argument("--table", nargs="*", metavar="FILE", help="print the tables of files")
    parser.add_argument("--part", default="0/1", help="the first of three parts is 0/3")
    options = parser.parse_args()
    if options.table is not None:
        rows = []
        for name in options.table or [TABLE]:
            with Path(name).open(encoding="utf-8", newline="") as file:
                rows += csv.DictReader(file)
    else:
        part, parts = map(int, options.part.split("/"))
        rows = run(options.areas, options.sets, options.study, part, parts)
    if options.write:
        rows = written(rows, options.write)
    rows = list(rows)
    tables = area_table, coefficient_table, method_table, share_table
    print(*(table(rows) for table in tables), width_text(rows), low_text(rows), sep="\n\n")


if __name__ == "__main__":
    main()
