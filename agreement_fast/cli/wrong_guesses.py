"""What people type who do not know the command yet, and what to type instead."""

from __future__ import annotations

import difflib
import itertools
import os
import re
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Guess:
    """Options of other tools.

    Attributes
    ----------
    options : tuple of str
    instead : str
        What to type; {value} is what was typed behind the option.
    value : str
        The placeholder if no value was typed.
    command : str, optional
        The only command that it is for.
    """

    options: tuple[str, ...]
    instead: str
    value: str = "COLUMN"
    command: str | None = None


GUESSES = (
    Guess(
        ("annotator", "annotators", "rater", "raters", "coders", "judge", "judges", "worker",
         "observer", "user"),
        "--coder {value}",
    ),
    Guess(("id", "items", "unit", "task", "subject", "index"), "--item {value}"),
    Guess(("rating", "ratings", "labels", "annotation", "score", "class", "code"),
          "--label {value}"),
    Guess(("metric", "level", "level-of-measurement", "scale", "type", "weighting"),
          "--distance {value}", "NAME"),
    Guess(("coefficients", "coef", "measure", "statistic"), "--coefficient {value}", "NAME"),
    Guess(("alpha", "kappa", "pi", "ac"), "--coefficient alpha,kappa,pi,ac"),
    Guess(("output-format",), "--json, or nothing for text"),
    Guess(("output", "out", "o", "word", "docx", "pdf"),
          "--html FILE for a page, --csv FILE for a table, or > {value} behind the command for the"
          " text", "FILE"),
    Guess(("min", "minimum", "at-least", "fail-below", "require", "gate"),
          "--fail-under alpha={value}", "0.67"),
    Guess(("distance-matrix", "distances", "cost-matrix", "costs", "weight-matrix"),
          "--matrix {value}", "FILE"),
    Guess(("hierarchy", "taxonomy", "ontology", "hierarchical"), "--tree {value}", "FILE"),
    Guess(("cluster-by", "clusters", "document", "documents", "doc"), "--cluster {value}"),
    Guess(("text-column", "content", "context", "sentence", "texts"),
          "--show {value} if the file is a table; exports of tools show their texts without it"),
    Guess(("pair", "coder-pair", "annotators-pair"), "--between {value}", "A,B"),
    Guess(("top", "n", "head", "max", "most"), "--limit {value}", "N"),
    Guess(("multilabel", "multi-label", "label-separator", "set-sep", "sets"),
          "--set-separator {value}", "CHAR"),
    Guess(("sep", "separator", "delim"), "--delimiter {value}", "CHAR"),
    Guess(("na", "na-values", "nan", "ignore-label"), "--missing {value}", "LABEL"),
    Guess(("skip", "skiprows", "header-rows"), "--skip-rows {value}", "N"),
    Guess(("drop", "ignore", "without"), "--exclude {value}"),
    Guess(("group", "group-by", "groupby", "split"), "--by {value}"),
    Guess(("filter", "query", "rows"), "--where {value}", "CONDITION"),
    Guess(("resamples", "bootstrap", "n-boot", "replicates"), "--n-resamples {value}", "2000"),
    Guess(("restarts", "n-starts", "n-init"), "--n-restarts {value}", "4"),
    Guess(("seed", "random-state", "random-seed"), "--rng {value}", "1"),
    Guess(("ci-method", "interval", "interval-method"), "--method {value}", "percentile"),
    Guess(("confidence", "ci-level"), "--confidence-level {value}", "0.95"),
    Guess(("classes", "n-classes"), "--max-classes {value}", "4"),
    Guess(("wide",), "--layout wide"),
    Guess(("columns", "cols", "usecols"), "--layout wide --coder {value}", "A,B,C"),
    Guess(("a", "b", "first", "second"), "--labels A,B for two columns of labels, or two files",
          command="compare"),
    Guess(("order", "levels", "ordered"), "--categories {value} --distance ordinal", "A,B,C"),
    Guess(("order", "levels", "ordered"), "--categories {value}", "A,B,C"),
    Guess(("ci", "intervals"), "--method score --confidence-level {value}", "0.95", "report"),
    Guess(("ci", "intervals"), "--method percentile --confidence-level {value}", "0.95", "units"),
    Guess(("models", "llms"), "--model {value}", "A,B"),
    Guess(("people", "humans", "persons"), "--person {value}", "A,B"),
    Guess(("only-coders",), "--only-coder {value}", "A,B"),
    Guess(("all-coders",), "--all-coder {value}", "A,B"),
    Guess(("repeats", "repeat"), "--repeats-of {value}", "CODER"),
    Guess(("run", "runs", "trial", "round"), "--duplicates majority, which also compares the runs",
          command="judges"),
    Guess(("group-order",), "--by-order {value}", "A,B"),
    Guess(("groups",), "--by-only {value}", "A,B"),
    Guess(("own-items",), "--no-shared-items"),
    Guess(("all", "show-all"), "--include-agreed"),
    Guess(("reference", "gold-coder", "gold-file", "truth"), "--gold {value}"),
)  # fmt: skip

#: Weights of a kappa by their usual names, and the distances that they are.
WEIGHTINGS = {
    "linear": "linear",
    "quadratic": "quadratic",
    "squared": "quadratic",
    "ordinal": "ordinal",
    "interval": "interval",
}


#: What people call a job, and the command that does it.
JOBS = {
    "disagreements": ("adjudicate", "adjudication", "conflicts", "conflict", "disputes", "disputed",
                      "resolve", "review", "list", "items"),
    "aggregate": ("vote", "votes", "majority", "majority-vote", "dawid", "dawid-skene", "ds",
                  "mace", "glad", "merge", "consensus", "infer", "truth"),
    "models": ("model", "latent", "classes", "em", "aickin", "dawid", "dawid-skene", "ds"),
    "judges": ("llm", "llms", "judge", "model-judges", "llm-judge", "alt-test", "evaluate", "ai"),
    "gold": ("accuracy", "f1", "precision", "recall", "truth-labels", "reference", "score",
             "against", "against-gold", "qualify", "test-questions", "curator"),
    "codes": ("multilabel", "multi-label", "multi", "sets", "per-code", "labels", "masi", "tags"),
    "diagnose": ("why", "explain", "problems", "faults", "coders", "outliers", "confusion",
                 "pairwise", "pairs"),
    "report": ("agreement", "agree", "iaa", "irr", "icr", "reliability", "summary", "stats", "run",
               "compute", "calculate", "calc", "check", "all", "table", "coefficients"),
    "report --measures": ("icc", "cronbach", "correlation", "pearson", "spearman"),
    "compare": ("diff", "difference", "versus", "vs", "change"),
    "subsets": ("stability", "how-many", "sizes", "bootstrap"),
    "units": ("spans", "span", "unitize", "unitizing", "ner", "gamma", "u-alpha"),
    "units --of segments": ("segments", "segmentation", "boundaries", "boundary", "windowdiff",
                            "pk"),
    "units --of chains": ("chains", "coreference", "coref", "anaphora", "mentions"),
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


#: What does the nearest to an option where the option has no meaning.
NEAREST = {
    "--figure": "it draws no picture; --html FILE writes its tables as a page",
    "--by": "it has no groups; --where CONDITION picks the rows of one",
    "--ci": "what has an interval is printed with it",
    "--table": "its only table is what --csv FILE writes",
    "--confidence-level": "intervals that it prints have the level of 95%",
    "--parquet": "--csv FILE writes its table",
    "--measure": "--gamma adds γ to the coefficients, which are all printed",
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
    written = "; ".join(filter(None, answers)).replace("; write ", " ")
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
    plain = value.lower().replace("_", "-")
    answers = CHOICES.get((program.removeprefix("agreement-fast "), option), {})
    for values, answer in answers.items():
        if plain in values:
            file = next(filter(os.path.isfile, typed), "FILE")
            return f"; {answer.format(file=repr(file))}"
    close = difflib.get_close_matches(plain.replace("-", "_"), list(choices), n=1, cutoff=0.7)
    return f"; did you mean {option} {close[0]}?" if close else ""


def _instead_of(
    option: str, typed: Sequence[str], command: str, known: Mapping[str, Collection[str]]
) -> str:
    """Say what to type instead of one option, or word; "" if nothing is near."""
    name, _, value = option.partition("=")
    own = known[command]
    place = typed.index(option)
    if not option.startswith("-"):
        flag = next((word for word in reversed(typed[:place]) if word.startswith("--")), "")
        listed = _values(typed, typed.index(flag)) if flag else []
        if listed and listed[0] == option:
            return f"{flag} takes no value"
        return f"write {flag} {shlex.quote(','.join(listed))}" if len(listed) > 1 else ""
    value = value or ",".join(_values(typed, place))
    if instead := _instead(name, value, own, command):
        return instead
    near = NEAREST.get(name, "")
    # What it names must be there.
    near = near if all(entry in own for entry in re.findall("--[a-z-]+", near)) else ""
    having = [f"agreement-fast {other}" for other, options in known.items() if name in options]
    elsewhere = f"it is an option of {', '.join(having[:3])}" if having else ""
    if near or elsewhere:
        return "; ".join(filter(None, (near, elsewhere)))
    close = difflib.get_close_matches(name.lower().replace("_", "-"), own, n=1, cutoff=0.7)
    return f"did you mean {close[0]}?" if close else ""


def _values(typed: Sequence[str], place: int) -> list[str]:
    """Return the value behind an option, and further words that are no files."""
    behind = [*itertools.takewhile(lambda word: not word.startswith("-"), typed[place + 1 :])]
    return behind[:1] + [word for word in behind[1:] if not re.search(r"[./\\]", word)]


def _instead(name: str, value: str, known: Collection[str], command: str) -> str:
    key = name.lstrip("-").lower().replace("_", "-")
    for guess in GUESSES:
        advised = set(re.findall(r"(?<!\S)--[a-z-]+", guess.instead))
        if key in guess.options and advised <= set(known) and guess.command in (None, command):
            # A threshold may name what it is for.
            form = guess.instead.replace(
                "alpha={value}", "{value}" if "=" in value else "alpha={value}"
            )
            if form.endswith("--confidence-level {value}"):
                percent = re.fullmatch(r"(\d\d?)%?|0?\.\d+", value)
                value = (f"0.{percent[1]:0>2}" if percent[1] else value) if percent else ""
            instead = form.replace("{value}", shlex.quote(value) if value else guess.value)
            return f"write {instead}"
    return ""


def instead_of_command(typed: Sequence[str], commands: Iterable[str]) -> str:
    """Say what to type where the first word is no command.

    Parameters
    ----------
    typed : sequence of str
        All arguments; the first is another option than the command's own, or a word.
    commands : iterable of str

    Returns
    -------
    str
        One line.
    """
    from agreement_fast.points import is_known

    word, *behind = typed
    listed = list(commands)
    if word.startswith("--"):
        return f"the command stands before its options: agreement-fast report FILE {word}"
    shown = f"{word!r} is not a command"
    rest = "".join(f" {shlex.quote(entry)}" for entry in behind)
    if word == "-" or os.path.exists(word) or re.search(r"[./\\*]", word):
        return f"{shown}: did you mean agreement-fast report {shlex.quote(word)}{rest}?"
    close = difflib.get_close_matches(word.lower(), listed, n=1, cutoff=0.7)
    if close:
        return f"{shown}: did you mean agreement-fast {close[0]}{rest}?"
    if is_known(word):
        return f"{shown}: did you mean agreement-fast report{rest} --coefficient {word}?"
    plain = word.lower().replace("_", "-")
    if plain in ("help", "version"):
        return f"{shown}: did you mean agreement-fast --{plain}?"
    for command, jobs in JOBS.items():
        if command.removesuffix(" --measures") in listed and plain in jobs:
            return f"{shown}: did you mean agreement-fast {command}{rest}?"
    return f"{shown}; the commands are {', '.join(listed)} (agreement-fast --help says more)"


def instead_of_weights(column: str | None) -> str:
    """Say what to type where ``--weights`` names the weights of a kappa and no column.

    Parameters
    ----------
    column : str or None
        What stands behind ``--weights``.

    Returns
    -------
    str
        The end of an error; empty where the name is another one.
    """
    distance = WEIGHTINGS.get((column or "").lower())
    if distance is None:
        return ""
    return f"; weights of a kappa are a distance here: did you mean --distance {distance}?"
