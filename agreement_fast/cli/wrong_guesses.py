"""What people type who do not know the command yet, and what to type instead."""

from __future__ import annotations

import itertools
import os
import re
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence

#: Distances that are options elsewhere.
NAMED_DISTANCES = ("nominal", "ordinal", "interval", "ratio", "linear", "quadratic")

#: Options of this command, and those of other tools that they stand for. What is in braces is typed
#: behind the option, or shown if nothing was; a command in front is the only one that it is for.
GUESSES = {
    "judges: --model {A,B}": "judge judges candidate candidates",
    "compare: agreement-fast judges FILE --model {A,B}": "judge judges model",
    "--coder {COLUMN}":
        "annotator annotators rater raters coders judge judges worker observer user "
        "annotator-col",
    "--item {COLUMN}": "id items unit task subject index experiment-col",
    "--label {COLUMN}":
        "rating ratings labels annotation score class code value values class-col",
    "--distance {NAME}": "metric level level-of-measurement scale type data-type weighting",
    "--distance {quadratic}": "weight",
    **{f"--distance {name}": name for name in NAMED_DISTANCES},
    "--distance quadratic, say": "weighted",
    "--coefficient {NAME}": "coefficients coef measure statistic",
    "--style apa": "apa",
    "--json, or nothing for text": "output-format f",
    "--html FILE, whose page has it":
        "pairwise pairs confusion confusion-matrix heatmap leave-one-out",
    "--html FILE for a page, --csv FILE for a table, or > {FILE} behind the command for the text":
        "output out o word docx pdf",
    "--figure {FILE}": "plot chart",
    "--fail-under alpha={0.67}": "min minimum at-least fail-below require gate",
    "--matrix {FILE}": "distance-matrix distances cost-matrix costs weight-matrix",
    "--tree {FILE}": "hierarchy taxonomy ontology hierarchical",
    "--cluster {COLUMN}": "cluster-by clusters document documents doc",
    "--show {COLUMN} if the file is a table; exports of tools show their texts without it":
        "text-column content context sentence texts",
    "--between {A,B}": "pair coder-pair annotators-pair",
    "--limit {N}": "top n head max most",
    "--set-separator {CHAR}": "multilabel multi-label label-separator set-sep sets",
    "codes: --set-separator {CHAR}": "sep separator",
    "--delimiter {CHAR} (--set-separator if it separates the elements of a label)":
        "sep separator delim",
    "--missing {LABEL}": "na na-values nan ignore-label",
    "--skip-rows {N}": "skip skiprows header-rows",
    "--exclude {COLUMN}": "drop ignore without",
    "--by {COLUMN}": "group group-by groupby split time date",
    "--where {CONDITION}": "filter query rows",
    "--n-resamples {2000}": "resamples bootstrap n-boot replicates",
    "--n-restarts {4}": "restarts n-starts n-init",
    "--rng {1}": "seed random-state random-seed",
    "--method {percentile}": "ci-method interval interval-method",
    "--confidence-level {0.95}": "confidence ci-level",
    "--max-classes {4}": "classes n-classes",
    **{f"--layout {layout}": layout for layout in ("long", "wide", "counts")},
    "report: --layout contingency": "contingency table crosstab",
    "--layout wide --coder {A,B,C}": "columns cols usecols",
    "compare: --labels A,B for two columns of labels, or two files": "a b first second",
    "--categories {A,B,C} --distance ordinal": "order levels ordered",
    "--categories {A,B,C}": "order levels ordered",
    "report: --method score --confidence-level {0.95}": "ci intervals",
    "units: --method percentile --confidence-level {0.95}": "ci intervals",
    "--model {A,B}": "models llms llm",
    "aggregate: --method {NAME}": "algorithm model",
    "--size {3}": "n k sizes n-coders",
    "--person {A,B}": "people humans human persons",
    "--only-coder {A,B}": "only-coders",
    "--all-coder {A,B}": "all-coders",
    "--repeats-of {CODER}": "repeats repeat",
    "judges: --duplicates majority, which also compares the runs": "run runs trial round",
    "--by-order {A,B}": "group-order",
    "--by-only {A,B}": "groups",
    "--no-shared-items": "own-items",
    "--include-agreed": "all show-all",
    "--gold {COLUMN}": "reference gold-coder gold-file gold-column truth",
}  # fmt: skip

#: What runs in place of a command: names of coefficients and methods, beside those of `points`.
IN_PLACE = {
    "report --coefficient pi": "fleiss",
    "report --coefficient kappa": "cohen cohenkappa conger",
    "report --coefficient ac": "gwet",
    "report --measures":
        "icc icc1 icc2 icc3 icc1k icc2k icc3k cronbach correlation pearson spearman",
    "aggregate --method majority": "majority majority-vote vote votes",
    "aggregate --method dawid_skene": "dawid dawid-skene ds",
    "aggregate --method mace": "mace",
    "aggregate --method glad": "glad",
    "units": "u-alpha alpha-u cu-alpha ku-alpha",
    "units --gamma": "gamma",
}  # fmt: skip

#: What people call a job, and the command that does it.
JOBS = {
    "disagreements": "adjudicate adjudication conflicts conflict disputes disputed resolve "
                     "review list items worst worst-items",
    "aggregate": "merge consensus infer truth",
    "models": "model latent classes em aickin",
    "judges": "llm llms judge model-judges llm-judge alt-test evaluate ai",
    "gold": "accuracy f1 precision recall truth-labels reference score against against-gold "
            "qualify test-questions curator",
    "codes": "multilabel multi-label multi sets per-code labels masi tags",
    "diagnose": "why explain problems faults coders outliers",
    "report": "agreement agree percent percent-agreement iaa irr icr reliability summary stats run "
              "compute calculate calc check all coefficients plot figure",
    "report --coefficient kappa": "kappa2",
    "report --full": "table categories per-category",
    "report --html report.html": "confusion confusion-matrix pairwise pairs leave-one-out heatmap",
    "report --trend": "drift trend over-time",
    "compare": "diff difference versus vs change",
    "subsets": "stability how-many sizes bootstrap",
    "units": "spans span unitize unitizing ner",
    "units --of segments": "segments segmentation boundaries boundary windowdiff pk",
    "units --of chains": "chains coreference coref anaphora mentions",
}  # fmt: skip


#: Values of an option that it does not take, by the command, and the sentence that answers them.
CHOICES = {
    ("aggregate", "--method"): {
        ("mean", "median", "average", "score", "scores"): "a score for each item is no label: in"
        " Python, agreement_fast.diagnostics.item_scores(agreement_fast.read({file})) has mean and"
        " median with intervals",
        ("crowdlab",): "it needs a classifier's probabilities: in Python,"
        ' agreement_fast.aggregate(data, "crowdlab", probabilities=...)',
        ("vote", "votes", "voting", "majority-vote", "mv", "mode", "plurality", "consensus"):
        "write --method majority",
        ("ds", "dawid", "em", "ds-em"): "write --method dawid_skene",
    },
}  # fmt: skip


#: What does the nearest to options that have no counterpart, if what it names is there.
NEAREST = {
    "it draws no picture; --html FILE writes its tables as a page": "figure",
    "it has no groups; --where CONDITION picks the rows of one": "by",
    "what has an interval is printed with it": "ci",
    "its only table is what --csv FILE writes": "table",
    "intervals that it prints have the level of 95%": "confidence-level",
    "--csv FILE writes its table": "parquet",
    "--gamma adds γ to the coefficients, which are all printed": "measure",
    "--json and --csv FILE have all digits": "digits decimals decimal precision round",
    "--full prints all that was computed, also the shares of equal labels and what published"
    " scales say": "v verbose details detail percent percentage interpret interpretation benchmark",
    "--no-progress shows no bar": "q quiet silent",
    "a file stands without an option": "file files input i data infile input-file path",
    "the first row is the header without it; --no-header if it is none": "header",
    "it stops when it has converged": "iterations n-iter max-iter tol",
    "--full prints the mean F1, and --table averages weighted means, too": "average",
    "the answer says whether the interval of the difference has 0 in it; --csv FILE has p":
        "test significance p-value",
    "--full prints F1 of exact and of overlapping units, and --gamma γ, which weighs how far they"
    " are apart": "tolerance iou overlap",
    "it runs on all cores": "threads n-jobs jobs workers cores",
}  # fmt: skip

#: What prints a form that is named as the format of the files.
PRINTED = {
    "json": "--json for a JSON document",
    **dict.fromkeys(("latex", "tex"), "--latex for tables to paste"),
    **dict.fromkeys(("markdown", "md"), "--markdown for tables to paste"),
    "html": "--html FILE for a page",
    "csv": "--csv FILE for a table",
}


def instead_of_options(
    rest: Sequence[str],
    typed: Sequence[str],
    program: str,
    known: Mapping[str, Collection[str]],
) -> str:
    """Say what to type instead of what a command does not understand.

    Parameters
    ----------
    rest : sequence of str
        What was left over.
    typed : sequence of str
        All that was typed behind the command.
    program : str
        The command, as users type it.
    known : mapping
        The options of all commands, by their names.

    Returns
    -------
    str
        One line.
    """
    command = program.removeprefix("agreement-fast ")
    options = [text for text in rest if text.startswith("-")] or rest[:1]
    answers = dict.fromkeys(_instead_of(option, typed, command, known) for option in options)
    first = sorted(filter(None, answers), key=lambda answer: not answer.startswith("write "))
    written = "; ".join(first).replace("; write ", " ")
    hint = f": {written}" if written else ""
    return f"unrecognized arguments: {' '.join(rest)}{hint} ({program} --help lists the options)"


def instead_of_choice(
    option: str, value: str, choices: Iterable[str], program: str, typed: Sequence[str]
) -> str:
    """Say what to type instead of a value that an option does not take.

    Parameters
    ----------
    option, value : str
    choices : iterable of str
        The values that the option takes.
    program : str
        The command, as users type it.
    typed : sequence of str
        All that was typed behind the command.

    Returns
    -------
    str
        The end of an error; empty if nothing is near.
    """
    from difflib import get_close_matches

    plain = value.lower().replace("_", "-")
    answers = CHOICES.get((program.removeprefix("agreement-fast "), option), {})
    for values, answer in answers.items():
        if plain in values:
            file = next(filter(os.path.isfile, typed), "FILE")
            return f"; {answer.format(file=repr(file))}"
    close = get_close_matches(plain.replace("-", "_"), list(choices), n=1, cutoff=0.7)
    return f"; did you mean {option} {close[0]}?" if close else ""


def _instead_of(
    option: str, typed: Sequence[str], command: str, known: Mapping[str, Collection[str]]
) -> str:
    """Say what to type instead of one option, or word; "" if nothing is near."""
    from difflib import get_close_matches

    name, _, value = option.partition("=")
    own = known[command]
    place = typed.index(option)
    if not option.startswith("-"):
        flag = next((word for word in reversed(typed[:place]) if word.startswith("--")), "")
        listed = _values(typed, typed.index(flag)) if flag else []
        if listed and listed[0] == option:
            forms = (shown.partition(" ")[0] for shown in PRINTED.values())
            file = f": it prints, and > {shlex.quote(option)} behind the command writes a file"
            return f"{flag} takes no value{file if flag in forms else ''}"
        return f"write {flag} {shlex.quote(','.join(listed))}" if len(listed) > 1 else ""
    value = value or ",".join(_values(typed, place))
    if instead := _instead(name, value, known, command):
        return instead
    near = next((near for near, names in NEAREST.items() if name.lstrip("-") in names.split()), "")
    # What it names must be there.
    near = near if all(entry in own for entry in re.findall("--[a-z-]+", near)) else ""
    having = [f"agreement-fast {other}" for other, options in known.items() if name in options]
    elsewhere = f"it is an option of {', '.join(having[:3])}" if having else ""
    if near or elsewhere:
        return "; ".join(filter(None, (near, elsewhere)))
    close = get_close_matches(name.lower().replace("_", "-"), own, n=1, cutoff=0.7)
    return f"did you mean {close[0]}?" if close else ""


def _values(typed: Sequence[str], place: int) -> list[str]:
    """Return the value behind an option, and further words that are no files."""
    behind = [*itertools.takewhile(lambda word: not word.startswith("-"), typed[place + 1 :])]
    return behind[:1] + [word for word in behind[1:] if not re.search(r"[./\\]", word)]


#: The option that writes a file, by its ending.
WRITES = {"html": "--html", "csv": "--csv", "png": "--figure", "svg": "--figure", "pdf": "--figure"}


def _instead(name: str, value: str, known: Mapping[str, Collection[str]], command: str) -> str:
    """Say what to type instead of an option, by its name and its value; "" if it is unknown."""
    own = known[command]
    key = name.lstrip("-").lower().replace("_", "-")
    # --fleiss, or --metric fleiss
    word = value if key in ("metric", "type", "measure", "statistic", "model") else key
    for job in ("report", command):
        _, *meant = in_place_of_command([word], [job]) or [""]
        if len(word) > 1 and meant and meant[0] in own:
            return f"write {' '.join(meant)}"
    if key == "type" and f"--layout {value}" in GUESSES:
        key = value
    elif key in ("output", "out", "o") and (writes := WRITES.get(value.rpartition(".")[2])) in own:
        return f"write {writes} {shlex.quote(value)}"
    for of, options in GUESSES.items():
        only, _, instead = of.rpartition(": ")
        advised = set(re.findall(r"(?<!\S)--[a-z][a-z-]*", instead))
        if (
            key in options.split()
            and (advised <= set(own) or "FILE --" in instead)
            and only in ("", command)
        ):
            if "=" in value:  # a threshold may name what it is for
                instead = instead.replace("alpha={", "{")
            if "--confidence-level {" in instead:
                percent = re.fullmatch(r"(\d\d?)%?|0?\.\d+", value)
                value = (f"0.{percent[1]:0>2}" if percent[1] else value) if percent else ""
            before, brace, rest = instead.partition("{")
            example, _, behind = rest.partition("}")
            return f"write {before}{shlex.quote(value) if value and brace else example}{behind}"
    return ""


def in_place_of_command(typed: Sequence[str], commands: Collection[str]) -> list[str]:
    """Return what runs if a coefficient or a method stands in place of the command; else [].

    Examples
    --------
    >>> in_place_of_command(["ac1", "f.csv"], ["report"])
    ['report', 'f.csv', '--coefficient', 'ac1']
    >>> in_place_of_command(["Dawid-Skene", "f.csv"], ["aggregate"])
    ['aggregate', '--method', 'dawid_skene', 'f.csv']
    """
    from agreement_fast.points import is_known

    word, *behind = typed
    if is_known(word) and "report" in commands:
        return ["report", *behind, "--coefficient", word]
    plain = word.lower().replace("_", "-")
    rows = (job.split() for job, names in IN_PLACE.items() if plain in names.split())
    return next(([*job, *behind] for job in rows if job[0] in commands), [])


def instead_of_command(typed: Sequence[str], known: Mapping[str, Collection[str]]) -> str:
    """Say what to type where the first word is no command.

    Parameters
    ----------
    typed : sequence of str
        All arguments; the first is another option than the command's own, or a word.
    known : mapping
        The options of all commands, by their names.

    Returns
    -------
    str
        One line.
    """
    from difflib import get_close_matches

    from agreement_fast.points import elsewhere

    word, *behind = typed
    if word.startswith("--"):
        return f"the command stands before its options: agreement-fast report FILE {word}"
    shown = f"{word!r} is not a command"
    plain = word.lower().replace("_", "-")
    if plain in ("help", "version"):
        return f"{shown}: did you mean agreement-fast --{plain}?"
    jobs = [job for job, names in JOBS.items() if plain in names.split()]
    if re.search(r"[./\\*]", word):
        jobs, behind = ["report"], [*typed]
    jobs += get_close_matches(word.lower(), list(known), n=1, cutoff=0.7)
    for job in jobs:
        command = job if job in known else job.partition(" --")[0]
        if command in known:
            rest = _in_our_words(behind, command, known)
            return f"{shown}: did you mean agreement-fast {job}{rest}?"
    if (other := elsewhere(plain.replace("-", "_"))) is not None:
        return f"{shown}: in Python, it is {other}"
    return f"{shown}; the commands are {', '.join(known)} (agreement-fast --help says more)"


def _in_our_words(behind: Sequence[str], command: str, known: Mapping[str, Collection[str]]) -> str:
    """Write what stands behind a command, with options of other tools as those of this one."""
    text, words = "", list(behind)
    while words:
        name, _, value = words[0].partition("=")
        values = [value] if value else _values(words, 0)
        instead = "" if name in known[command] else _instead(name, ",".join(values), known, command)
        option = instead.removeprefix("write ")
        if words[0].startswith("-") and option and not re.search(r" or | \(|FILE", option):
            text += f" {option}"
            del words[: 1 if value else 1 + len(values)]
        else:
            text += f" {shlex.quote(words.pop(0))}"
    return text
