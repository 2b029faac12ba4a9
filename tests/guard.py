"""What an installation prints, offers and computes, and what differs between two of them.

    python tests/guard.py record OUT [--docs FOLDER] [--data FOLDER]
    python tests/guard.py compare OLD NEW

`record` writes one file of JSON about the package that it imports: what the commands of the
documentation print (as text, JSON, CSV and HTML), the public names with their signatures, the
values of every study on the bundled data and on the tables of a folder, what is read from each file
of that folder, and times. `compare` prints what differs, by kind; numbers are compared exactly,
texts line by line. Differences are for people to judge: they do not fail. `make guard` records an
older revision and the installed package, with the documentation of the older one, and compares.
"""

import argparse
import contextlib
import dataclasses
import difflib
import doctest
import importlib.util
import inspect
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
from page_blocks import ROOT, blocks, commands, pages, write

import agreement_fast as af
from agreement_fast import cli
from agreement_fast.cli import main as command

#: How many differences of a kind and how many lines of one are printed.
SHOWN, LINES = 40, 6

# ---- what the commands print

ITEMS = [(f"i{i:02}", i, ("low", "mid", "high")) for i in range(30)]
ROWS = "item,coder,label,truth,text,batch,lang,week\n" + "".join(
    f"{item},{coder},{scale[place % 3]},{scale[i % 3]},t{i},{i % 2},{i % 5 // 2},{i // 6}\n"
    for item, i, scale in ITEMS
    for coder, place in {
        "ann": i,
        "ben": i * i,
        "cid": i % 4,
        "gpt": i // 2,
        "llama": i % 2,
    }.items()
)
#: What the commands of the pages read that no page shows. Each command finds them as they are here.
FILES = {
    "labels.csv": ROWS,
    "judgments.csv": ROWS,
    "before.csv": ROWS,
    "after.csv": ROWS.replace(",high,", ",low,"),
    "interviews.csv": ROWS.replace(",low,", ",low;mid,"),
    "codings.csv": ROWS + "i00,ann,mid,low,t0,0,en,0\ni01,ben,high,mid,t1,1,de,0\n",
    "spans.csv": "document,coder,start,end,category\n"
    + "".join(
        f"d,{coder},{10 * i + shift},{10 * i + 6},{'pq'[i % 2]}\n"
        for coder, shift in {"Ann": 0, "Ben": 1}.items()
        for i in range(8)
    ),
    "cuts.csv": "coder,segmentation\nexpert,001000100\nann,001001000\nben,000100100\n",
    "links.csv": "document,coder,mention,antecedent\n"
    + "".join(
        f"d,{coder},m{i},m{i // k}\n" for coder, k in {"a": 2, "b": 3}.items() for i in range(9)
    ),
}
#: The forms of an output, and the options that ask for it.
FORMS = {"text": [], "json": ["--json"], "csv": ["--csv", "-"], "html": ["--html", "page.html"]}


def printed(words, form="text"):
    """What a command prints in this form, and its exit code."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
        code = command([*words, *FORMS[form]])
    text = shown.getvalue()
    if form == "html" and Path("page.html").exists():
        text += Path("page.html").read_text(encoding="utf-8")
        Path("page.html").unlink()
    # The folder of the installation is nobody's business.
    text = re.sub(r'[^\s"<>,]*/agreement_fast/data/', "DATA/", text)
    return f"{text.rstrip()}\nexit code {code}"


def in_all_forms(words):
    """What a command prints, by form; where no form is refused, each is another text."""
    plain = printed(words)
    yield "text", plain
    for form in list(FORMS)[1:] if plain.endswith((" 0", " 1")) else ():
        yield form, printed(words, form)


def shell_commands(block):
    """The commands of this package in a block of a shell, as words."""
    for line in block.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        words = words[: words.index("|")] if "|" in words else words
        if words[:1] == ["agreement-fast"]:
            yield words[1:]


def command_outputs(docs):
    """What every command of the pages prints; Python is run on pages that show output."""
    for page in pages(docs):
        name, scope = str(page.relative_to(docs)), {"__name__": "__main__"}
        shown = list(blocks(page))
        runs = any(language == "console" for _, language, _, _ in shown)
        with empty_folder():
            for line, language, title, block in shown:
                if language == "text" and (match := re.fullmatch(r' title="(.+)"', title)):
                    write(Path(match[1]), block)
                elif language == "console":
                    for typed, _ in commands(block):
                        words = shlex.split(typed)[1:]
                        for form, text in in_all_forms(words):
                            yield f"{name}: {shlex.join(words)} [{form}]", text
                elif language == "sh":
                    for words in shell_commands(block):
                        with empty_folder(FILES):
                            for form, text in in_all_forms(words):
                                yield f"{name}: {shlex.join(words)} [{form}]", text
                elif language == "python" and title == "" and runs:
                    try:
                        with contextlib.redirect_stdout(io.StringIO()):
                            exec(source(block), scope)
                    except Exception as error:
                        yield f"{name}, line {line}", f"{type(error).__name__}: {error}"
    for own in getattr(cli, "COMMANDS", None) or cli.find_commands():
        yield f"{own.NAME} --help", printed([*own.NAME.split(), "--help"])


def source(block):
    """The code of a block, which may be an example with what it prints."""
    examples = doctest.DocTestParser().get_examples(block)
    return "".join(example.source for example in examples) if ">>>" in block else block


@contextlib.contextmanager
def empty_folder(files=()):
    """Run in a folder that has only these files, by name."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name in files:
            Path(name).write_text(files[name], encoding="utf-8")
        yield


# ---- the public names


def rooms():
    """The public name spaces by name, the package itself first."""
    return {"": af} | {n: getattr(af, n) for n in dir(af) if inspect.ismodule(getattr(af, n))}


def signature(function):
    """The parameters with their defaults, without types."""
    try:
        given = inspect.signature(function)
    except (TypeError, ValueError):
        return "(...)"
    bare = [p.replace(annotation=p.empty) for p in given.parameters.values()]
    return str(given.replace(parameters=bare, return_annotation=given.empty))


def public_names():
    """Each public name with its signature, and the members of the classes with theirs."""
    for room, module in rooms().items():
        for name in module.__all__:
            thing, full = getattr(module, name), f"{room}.{name}".lstrip(".")
            if inspect.isclass(thing):
                yield full, "class" + signature(thing)
                for member in dir(thing):
                    value = inspect.getattr_static(thing, member)
                    if member.startswith("_") or hasattr(float, member) or hasattr(list, member):
                        continue
                    function = getattr(value, "__func__", value)
                    callable_ = inspect.isroutine(function)
                    yield f"{full}.{member}", signature(function) if callable_ else "attribute"
            elif callable(thing) and not isinstance(thing, af.distances.Distance):
                yield full, signature(thing)
            elif not inspect.ismodule(thing):
                yield full, type(thing).__name__


# ---- the values of the studies

#: What every function gets that takes it.
USUAL = {"n_resamples": 50, "n_simulated": 200, "n_restarts": 4, "rng": 1}


def gold(data):
    """A label for each item: its first."""
    table = data.to_dict()
    return dict(zip(reversed(table["item"]), reversed(table["label"]), strict=True))


def halves(data):
    """The even and the odd items as a group each."""
    return {item: place % 2 for place, item in enumerate(data.items)}


def merged(data):
    """The last category as the first."""
    return {"merged": {data.categories[-1]: data.categories[0]}}


def frame(data):
    """Judgments as a data frame."""
    return data.to_frame("pandas")


def rounds(data):
    """The same, with every second item as the second round of the one before."""
    table = frame(data)
    places = table["item"].map({item: place for place, item in enumerate(data.items)})
    return table.assign(item=places // 2, round=places % 2)


def few(data, n_coders=10, n_items=100):
    """The judgments of the busiest coders on the first of their items."""
    table = data.to_dict()
    busiest = [coder for coder, _ in Counter(table["coder"]).most_common(n_coders)]
    rows = zip(table["item"], table["coder"], strict=True)
    items = dict.fromkeys(item for item, coder in rows if coder in busiest)
    return data.select(coders=busiest, items=list(items)[:n_items])


def two(data):
    """The judgments of the two busiest coders."""
    return few(data, 2, len(data.items))


#: What functions get in place of all judgments, many of them since their time grows fast.
SHAPED = {
    "diagnostics.drift": frame,
    "diagnostics.intra_coder_agreement": rounds,
    **dict.fromkeys(
        ("inference.association", "models.aickin_alpha", "models.polychoric"), two,
    ),
    **dict.fromkeys(
        ("diagnostics.category_path", "diagnostics.largest_kappa",
         "measures.leaf_agreement",
         "inference.category_merging",
         "models.latent_classes", "models.latent_trait", "measures.correlations",
         "measures.limits_of_agreement",
         "subsets.bias_by_size",
         "subsets.reference_errors", "subsets.coder_subsets", "subsets.pruned_agreement",
         "subsets.reference_stability"), few,
    ),
    "inference.items_needed": lambda data: af.inference.standard_error(data),
    "subsets.study_sizes": lambda data: Counter(data.to_dict()["label"]),
}  # fmt: skip


#: What functions need beside judgments.
NEEDED = {
    "diagnostics.gold_scores": lambda data: {"gold": gold(data)},
    "measures.leaf_agreement": lambda data: {"tree": dict.fromkeys(data.categories)},
    "agreement_by_group": lambda data: {"by": halves(data)},
    "inference.category_merging": lambda data: {"mapping": merged(data), "method": "bca"},
    "compare": lambda data: {"other": data.select(coders=data.coders[1:])},
    "inference.items_needed": lambda data: {"width": 0.1},
    "diagnostics.alternative_annotator_test": lambda data: {
        "model": data.coders[:2],
        "min_items": 2,
    },
    "diagnostics.model_agreement": lambda data: {"model": list(data.coders[:2])},
    "diagnostics.error_correlation": lambda data: {"model": data.coders[:2], "gold": gold(data)},
    "subsets.reference_errors": lambda data: {"n_coders": (1, 3)},
    "subsets.simulate": lambda data: {"reliability": 0.5},
    "subsets.study_sizes": lambda data: {"reliability": 0.5, "width": 0.2},
    "subsets.noisy_coders": lambda data: {"n_coders": 3},
    "subsets.prune": lambda data: {"n_judgments": 2},
    "subsets.pruned_agreement": lambda data: {"n_judgments": 2},
}

SPANS = {
    "coders": ["a", "a", "a", "b", "b", "c", "c", "c"],
    "starts": [0, 10, 30, 1, 11, 0, 12, 29],
    "ends": [6, 19, 40, 6, 20, 5, 19, 41],
    "categories": ["p", "q", "p", "p", "p", "p", "q", "p"],
}
CUTS = {"a": "0010001000100", "b": "0010010000100", "c": "0100001000000"}
LINKS = [("d", coder, i, i // k or None) for coder, k in (("a", 2), ("b", 3)) for i in range(9)]
DRAWN = [("d", c, i, (i + s) % 7, "xy"[i % 2]) for c, s in (("a", 1), ("b", 2)) for i in range(7)]
BOXES = [(i, i, i + 5, i + 4 + i % 3) for i in range(0, 60, 5)]
TREE = {"x": "r", "y": "r", "z": "x", "w": "x", "r": None}
SETS = [[{"p"}, {"p", "q"}], [{"q"}, {"q"}], [set(), {"p"}], [{"p"}, {"p"}]]
TABLE = [[1, 2, 2], [2, 2, 3], [3, 5, 4], [4, 5, 5], [6, 6, 5], [5, 7, 6], [1, 1, 2]]
RUNS = "iijjkkiijjkk", "mmmmmmnnnnnn", "xxyyyyxyyyxy"
SHARES = {"x": 0.5, "y": 0.5}


def units():
    """Spans of three coders."""
    return (af.units.Continuum.from_rows(**SPANS),)


def two_texts():
    """Spans of two coders and their texts."""
    (data,) = units()
    two = data.select(coders=data.coders[:2])
    return two, dict.fromkeys(two.coders, "so " * 99)


def pair_of_cuts():
    """Two segmentations."""
    return CUTS["a"], CUTS["b"]


def relations():
    """Relations of two coders."""
    return (af.units.Relations.from_rows(DRAWN),)


def objects():
    """Boxes of two coders in two images."""
    names = ["p"] * 6 + ["q"] * 6, ["a", "b"] * 6
    return (af.units.Objects.from_boxes(*names, BOXES),)


def of_distance(function, labels, *arguments):
    """The distances between labels by a distance that a function makes."""
    return lambda: function(*arguments).matrix(labels)


#: Studies of what is no judgment: the arguments of each.
OTHERS = {
    **{f"units.{name}": units for name in (
        "align", "alpha_u", "gamma", "judgments", "scores", "u_alpha",
    )},
    **{f"units.{name}": pair_of_cuts for name in (
        "boundary_similarity", "p_k", "segmentation_similarity", "window_diff",
    )},
    **{f"units.{name}": lambda: (CUTS,) for name in (
        "boundary_majority", "segmentation_agreement",
    )},
    "units.text_gamma": two_texts,
    "units.from_lengths": lambda: ([3, 4, 6],),
    "units.segments": lambda: (CUTS["a"],),
    "diagnostics.code_agreement": lambda: (SETS,),
    "measures.mv_alpha": lambda: (SETS,),
    "units.place_alpha": objects,
    "models.implied_agreement": lambda: (0.3, 0.8, 0.9),
    "inference.benchmark": lambda: (af.inference.standard_error(TABLE),),
    "inference.judgments_needed": lambda: (0.5,),
    "inference.minimum_units": lambda: (0.7, 0.1),
    "inference.spearman_brown": lambda: (0.5, 3),
    "diagnostics.differential_functioning": lambda: ([(1, 2), (3, 3), (2, 4)], [0, 1, 0]),
    "diagnostics.item_scores": lambda: ([(1, 2), (3, 3), (2, 4)],),
    "diagnostics.leniency": lambda: ([(1, 2), (3, 3), (2, 4)],),
    "diagnostics.more_people": lambda: (TABLE,),
    "diagnostics.missing_judgments": lambda: (TABLE, [1]),
    "diagnostics.position_bias": lambda: ([1, 1, 2, 2], ["j"] * 4, list("abab"), list("aaab")),
    "distances.tree": lambda: (TREE,),
    "citation": lambda: (),
    "subsets.aickin_coders": lambda: (SHARES, 0.5),
    "subsets.noisy_coders": lambda: (SHARES, 0.5),
    "concat": lambda: ([af.Annotations.from_wide([["x", "y"]], items=[i]) for i in "ab"],),
}  # fmt: skip
#: Distances that take arguments, with the arguments and labels to measure.
DISTANCES = {
    "distances.bipolar": ((0, 7), [1, 2, 6]),
    "distances.circular": ((7,), [0, 2, 6]),
    "distances.gwet": (("ordinal",), [0, 2, 6]),
    "distances.matrix": (([[0, 1], [1, 0]], [1, 2]), [1, 2]),
    "distances.leaf_overlap": ((TREE,), list("xyzw")),
    "distances.level_dependent": ((TREE,), list("xyzw")),
    "distances.tree_path": ((TREE,), list("xyzw")),
    "distances.wu_palmer": ((TREE,), list("xyzw")),
    "distances.extended": (("passonneau", {"x": "G", "y": "H"}), ["x", "y", "G"]),
    "distances.spans": (("dice",), [(0, 4), (2, 4), (6, 8)]),
    "distances.weighted": (("jaccard", {"p": 1, "q": 3}), [{"p"}, {"q"}, {"p", "q"}]),
}
#: What is recorded by other means: reading by file, pages from the functions that call these.
ELSEWHERE = {"read"}


def functions():
    """Every public function, by its name."""
    for room, module in rooms().items():
        for name in module.__all__:
            if inspect.isfunction(getattr(module, name)) and room != "plots":
                yield f"{room}.{name}".lstrip("."), getattr(module, name)


def usual(function):
    """What this function gets of what is usual."""
    parameters = inspect.signature(function).parameters
    return {
        name: value
        for name, value in USUAL.items()
        if name in parameters or (name == "rng" and "options" in parameters)
    }


def of_judgments(name, function):
    """Whether judgments are enough for this function, with what is in `NEEDED`."""
    if name in OTHERS or name in DISTANCES or name in ELSEWHERE:
        return False
    _, *rest = inspect.signature(function).parameters.values()
    return name in NEEDED or all(p.default is not p.empty or p.kind == p.VAR_KEYWORD for p in rest)


def studies(tables):
    """The name of each call with a function that makes it."""
    for name, function in functions():
        if name in OTHERS:
            needed = NEEDED.get(name, nothing)(None) | usual(function)
            yield name, lambda f=function, name=name, needed=needed: f(*OTHERS[name](), **needed)
        elif name in DISTANCES:
            yield name, of_distance(function, DISTANCES[name][1], *DISTANCES[name][0])
        elif of_judgments(name, function):
            for table, (data, distance) in tables.items():
                yield from calls(f"{name} of {table}", name, function, data, distance)
    for coefficient in af.COEFFICIENTS:
        for table, (data, distance) in tables.items():
            for measured in ("nominal", distance) if distance else ("nominal",):
                yield (
                    f"{coefficient} of {table}, {measured}",
                    lambda c=coefficient, d=data, m=measured: af.agreement(d, c, distance=m),
                )


def nothing(_):
    """Nothing that a function needs."""
    return {}


def calls(title, name, function, data, distance):
    """A study with its defaults, and with the distance that the labels are made for."""

    def call(**more):
        shaped = SHAPED.get(name, lambda data: data)(data)
        needed = NEEDED.get(name, nothing)(shaped)
        return function(shaped, **needed, **usual(function), **more)

    yield title, call
    taken = {"distance", "distances"} & set(inspect.signature(function).parameters)
    if distance and taken:
        named = {own: [distance] if own == "distances" else distance for own in taken}
        yield f"{title}, {distance}", lambda: call(**named)


def tables_of(folders):
    """The tables of these folders by file, each with a distance for its labels."""
    made = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.csv")):
            text = path.read_text(encoding="utf-8-sig", errors="replace")
            sets = {"set_separator": "|"} if "|" in text else {}
            weights = text.partition("\n")[0].strip().rpartition(",")[2]
            for options in ({}, {"duplicates": "first"}, {"weights": weights}):
                with contextlib.suppress(Exception):
                    data = af.read(path, **options, **sets)
                    if isinstance(data, af.Annotations) and len(data.items) > 9:
                        numeric = all(isinstance(label, int | float) for label in data.categories)
                        distance = "masi" if sets else "interval" if numeric else None
                        made.setdefault(path.name, (data, distance))
    return made


def command_outputs_of_tables(folders):
    """What the commands print about the tables of these folders."""
    for folder in folders:
        for path in sorted(folder.rglob("*.csv")):
            sets = ["--set-separator", "|"] if "|" in path.read_text("utf-8") else []
            for name in ("report", "diagnose", "disagreements"):
                with contextlib.chdir(path.parent):
                    words = [name, path.name, "--duplicates", "first", *sets]
                    yield shlex.join(words), printed(words)


def readings(folders):
    """What `read` makes of each file and folder without another word."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            yield f"read {name}", outcome(lambda path=path: af.read(path), str(folder))


def outcome(call, left_out=None):
    """The values and the text of what is returned or raised, and what was said meanwhile."""
    with warnings.catch_warnings(record=True) as hints:
        warnings.simplefilter("always")
        try:
            result = call()
            found = {"values": plain(result), "text": text_of(result)}
        except Exception as error:
            found = {"values": None, "text": f"{type(error).__name__}: {error}"}
    found["text"] += "".join(f"\n{type(h.message).__name__}: {h.message}" for h in hints)
    if left_out:
        found["text"] = found["text"].replace(left_out, "FOLDER")
    return found


def text_of(result):
    """What a result prints; a page is its HTML."""
    return result.html if hasattr(result, "html") else repr(result)


def plain(value):
    """A result as values of JSON that are equal if and only if all numbers are."""
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    if isinstance(value, dict):
        return {str(plain(key)): plain(part) for key, part in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(str, map(plain, value)))
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return re.sub(r" at 0x\w+", "", repr(value))


# ---- times


def speeds():
    """Microseconds of the calls of `benchmarks/tiny.py`, and of the import after numpy's."""
    spec = importlib.util.spec_from_file_location("tiny", ROOT / "benchmarks" / "tiny.py")
    tiny = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tiny)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, (call, make) in tiny.calls().items():
            yield f"{name} (µs)", tiny.best(call, make)
    program = "import numpy, time; t = time.perf_counter(); {}; print(time.perf_counter() - t)"
    for name, line in {
        "import (µs)": "import agreement_fast",
        "import and first alpha (µs)": "import agreement_fast as af; af.alpha([[1, 1], [2, 1]])",
    }.items():
        words = [sys.executable, "-P", "-c", program.format(line)]
        done = [subprocess.run(words, check=True, capture_output=True) for _ in range(9)]
        yield name, 1e6 * min(float(run.stdout) for run in done)


# ---- the record


def record(docs=ROOT, data=()):
    """Everything about the package that is imported, as a document of JSON."""
    os.environ["COLUMNS"] = "100"
    docs = Path(docs).resolve()
    bundled = Path(af.__file__).parent / "data"
    folders = [bundled, *(Path(folder).resolve() for folder in data)]
    made = {"of": af.__version__, "names": dict(public_names()), "speed": dict(speeds())}
    studied, read = dict(studies(tables_of(folders))), dict(readings(folders[1:]))
    results = {name: outcome(call) for name, call in studied.items()} | read
    made["values"] = {name: result["values"] for name, result in results.items()}
    made["texts"] = {name: result["text"] for name, result in results.items()}
    made["commands"] = dict(command_outputs(docs)) | dict(command_outputs_of_tables(folders))
    return made


# ---- the comparison


def compare(old, new):
    """What differs between two records, as lines."""
    for kind, title in {
        "names": "Names and signatures",
        "values": "Values of studies",
        "texts": "Texts of results",
        "commands": "Output of commands",
    }.items():
        yield from differences(title, old[kind], new[kind])
    yield ""
    yield f"Times{'before':>31}{'now':>12}{'now / before':>16}"
    for name in [name for name in old["speed"] if name in new["speed"]]:
        before, now = old["speed"][name], new["speed"][name]
        yield f"  {name:30}{before:8,.1f}{now:12,.1f}{now / before:16.2f}"


def differences(title, old, new):
    """What is gone, what is new, and what changed, with the first lines of each change."""
    gone, come = (
        [name for name in old if name not in new],
        [name for name in new if name not in old],
    )
    changed = [name for name in old if name in new and not same(old[name], new[name])]
    yield f"\n{title}: {len(old):,} before, {len(gone):,} gone, {len(come):,} new, " + (
        f"{len(changed):,} changed"
    )
    moved = {name: [other for other in come if same(old[name], new[other])] for name in gone}
    for sign, names in (("-", gone), ("+", come)):
        for name in names[:SHOWN]:
            equal = moved.get(name, [])
            note = f"  (equals {equal[0]})" if len(equal) == 1 and long(old[name]) else ""
            yield f"  {sign} {name}{note}"
        yield from rest(names)
    for name in changed[:SHOWN]:
        yield f"  ! {name}"
        for line in first_differences(old[name], new[name]):
            yield f"      {line}"
    yield from rest(changed)


def rest(names):
    """How many are not shown."""
    if len(names) > SHOWN:
        yield f"    and {len(names) - SHOWN:,} more"


def long(value):
    """Whether equal values of this length are unlikely to be a coincidence."""
    return len(json.dumps(value)) > 40


def same(a, b):
    """Whether two values of JSON are equal; NaN equals NaN."""
    return a == b or json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)


def first_differences(old, new):
    """The first lines of two texts, or the first numbers of two results, that differ."""
    if isinstance(old, str) and isinstance(new, str):
        lines = difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm="")
        result = [line[:200] for line in lines if not line.startswith(("---", "+++", "@@"))]
    else:
        before, now = dict(leaves(old)), dict(leaves(new))
        result = [
            f"{place or 'value'}: {before.get(place, '(none)')} -> {now.get(place, '(none)')}"[:200]
            for place in dict.fromkeys([*before, *now])
            if (place in before) != (place in now) or not same(before[place], now[place])
        ]
    yield from result[:LINES]
    if len(result) > LINES:
        yield f"and {len(result) - LINES:,} more"


def leaves(value, place=""):
    """Each number or text in a value, with the way to it."""
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in pairs:
            yield from leaves(part, f"{place}.{key}".lstrip("."))
    else:
        yield place, value


def main(argv=None):
    """Record or compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    jobs = parser.add_subparsers(dest="job", required=True)
    recorder = jobs.add_parser("record")
    recorder.add_argument("out", type=Path)
    recorder.add_argument("--docs", default=ROOT)
    recorder.add_argument("--data", action="append", default=[])
    comparer = jobs.add_parser("compare")
    comparer.add_argument("old", type=Path)
    comparer.add_argument("new", type=Path)
    arguments = parser.parse_args(argv)
    if arguments.job == "record":
        made = record(arguments.docs, arguments.data)
        arguments.out.write_text(json.dumps(made, indent=0), encoding="utf-8")
    else:
        records = [json.loads(p.read_text("utf-8")) for p in (arguments.old, arguments.new)]
        print("\n".join(compare(*records)))


if __name__ == "__main__":
    main()
