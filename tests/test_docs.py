"""The examples of the README, of docs/ and of the docstrings run and print what they say."""

import contextlib
import doctest
import importlib
import io
import pkgutil
import re
import shlex
import warnings
from pathlib import Path

import pandas as pd
import pytest
from loops import nonempty
from page_blocks import ROOT, blocks, commands, pages, write

import agreement_fast as af
from agreement_fast import citation
from agreement_fast.cli import main

PAGES = pages()
MODULES = ["agreement_fast"] + [
    module.name
    for module in pkgutil.walk_packages([str(Path(af.__file__).parent)], "agreement_fast.")
    if not module.name.rpartition(".")[2].startswith("_")
]
#: Examples are exact, also in how they wrap.
OPTIONS = doctest.NORMALIZE_WHITESPACE

README = (ROOT / "README.md").read_text(encoding="utf-8")


#: What a page writes behind ```python where a block needs an engine that is not always there.
ENGINES = ("dask", "deltalake", "ibis", "pyspark")


def python_blocks(page, *engines):
    """The line number and text of each ```python block of a page, and of those of these engines."""
    needs = ("", *(f" {engine}" for engine in engines))
    for line, language, said, block in blocks(page):
        if language == "python" and said in needs:
            yield line, block


def run(page, *engines):
    """Run the blocks of a page in their order: Python in one namespace, files, commands."""
    scope = {"__name__": "__main__"}
    needs = ("", *(f" {engine}" for engine in engines))
    for line, language, said, block in blocks(page):
        if language == "text" and (title := re.fullmatch(r' title="(.+)"', said)):
            if title[1].endswith(".xlsx"):
                pytest.importorskip("openpyxl")
            write(Path(title[1]), block)
        elif language == "console" and not engines:
            for command, printed in commands(block):
                shown = output(command)
                assert matches(printed, shown), f"{page.name}: $ {command}\n{shown}"
        elif language != "python" or said not in needs:
            continue
        elif ">>>" in block:
            parsed = doctest.DocTestParser().get_doctest(block, scope, page.name, str(page), line)
            parsed.globs = scope
            report = failures(parsed)
            assert not report, report
        else:
            exec(compile("\n" * line + block, str(page), "exec"), scope)


def output(command):
    """What a command of this package prints, in this process."""
    name, *words = shlex.split(command)
    assert name == "agreement-fast", name
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
        main(words)
    return shown.getvalue()


def matches(printed, shown):
    """Whether this was shown, however wide the blanks; "..." on a line stands for any lines."""
    parts = re.split(r"^ *\.\.\.\n", printed.rstrip("\n") + "\n", flags=re.MULTILINE)
    lines = [r"\s*" + r"\s+".join(map(re.escape, part.split())) + r" *\n" for part in parts]
    kept = [line if part.strip() else "" for line, part in zip(lines, parts, strict=True)]
    return re.fullmatch(r"(?:.*\n)*?".join(kept), shown.rstrip("\n") + "\n") is not None


def failures(test):
    """The output of a doctest that fails."""
    report = []
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    runner.run(test, out=report.append, clear_globs=False)
    return "".join(report)


@pytest.mark.breadth
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_run(page, monkeypatch, tmp_path):
    """The blocks of a page share one namespace and run from an empty directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    run(page)


@pytest.mark.engines
@pytest.mark.filterwarnings(
    "ignore:.*infer_string", "ignore:The inplace keyword", "ignore::FutureWarning"
)
@pytest.mark.parametrize("engine", ENGINES)
def test_the_examples_of_an_engine_run(engine, monkeypatch, tmp_path):
    """They follow the plain ones of their page, which make what they read."""
    pytest.importorskip(engine)
    page = ROOT / "docs" / "engines.md"
    assert len(list(python_blocks(page, engine))) > len(list(python_blocks(page)))
    monkeypatch.chdir(tmp_path)
    run(page, engine)


def of_pages(pattern, pages=PAGES):
    """What a pattern finds in the text of each page."""
    return [
        (page, text)
        for page in pages
        for text in re.findall(pattern, page.read_text(encoding="utf-8"), re.MULTILINE)
    ]


@pytest.mark.sources
def test_what_does_not_run_says_so():
    """A block of Python runs, needs an engine by its name, or is not run."""
    for page, said in nonempty(of_pages(r"^```python(.*)$")):
        assert said in ("", " not run", *(f" {engine}" for engine in ENGINES)), (page.name, said)


def anchors(page):
    """What links can end in: the headings of a page, as GitHub writes them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.sources
def test_the_links_of_a_page_lead_somewhere():
    """Files exist, and so do the headings that a page links to on itself or on another page."""
    for page, target in nonempty(of_pages(r"\]\(([^)\s]+)\)", [*PAGES, ROOT / "SECURITY.md"])):
        path, _, anchor = target.partition("#")
        if path.startswith("http"):
            continue
        linked = page.parent / path if path else page
        assert linked.exists(), (page.name, target)
        assert not anchor or anchor in anchors(linked), (page.name, target)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if "recognition" in name else pytest.mark.breadth)
        for name in MODULES
    ],
)
def test_the_examples_of_a_module_run(name):
    """The examples of a module's docstrings."""
    module = importlib.import_module(name)
    for test in nonempty(doctest.DocTestFinder(exclude_empty=True).find(module)):
        report = failures(test)
        assert not report, report


def test_the_readme_lists_the_coefficients():
    """The README's table of coefficients is `COEFFICIENTS`, row for row."""
    rows = [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in README.splitlines()
        if re.match(r"\| `\w+` \|", line)
    ]
    expected = [
        [
            f"`{row.name}`",
            row.title,
            ", ".join(f"`{alias}`" for alias in row.aliases),
            f"`{row.chance}`",
            f"`{row.item_weight}`",
            f"nominal; else `{row.weighted}`" if row.nominal_only else "any",
            row.source,
        ]
        for row in af.COEFFICIENTS.values()
    ]
    assert rows == expected


#: One author with initials left out, or several; the years that follow.
AUTHORS = re.compile(
    r"((?:De |Di |van )?[A-Z][\w’-]+(?:(?:,| &| and|, &) (?:De |Di |van )?[A-Z][\w’-]+)*)"
    r"( et al\.)?(?:'s|’s|')?,? \(?((?:1[89]|20)\d\d(?:[,;] (?:1[89]|20)\d\d)*)"
)
#: What looks like an author before a year.
NO_AUTHORS = {"The", "In", "EACL"}


def citations(text):
    """Each "Author Year" of a text: surnames, and the year."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    for match in AUTHORS.finditer(" ".join(text.split())):
        names = re.split(r",? & |, | and ", match[1])
        if names[0] not in NO_AUTHORS:
            for year in re.findall(r"\d{4}", match[3]):
                yield frozenset(names), year


def references():
    """The entries of the one list: what is before the year, and the year."""
    page = (ROOT / "docs" / "definitions.md").read_text(encoding="utf-8")
    _, entries = page.split("## References\n")
    for entry in re.findall(r"^- (.*?)(?=^- |\Z)", entries, re.DOTALL | re.MULTILINE):
        authors, year = re.match(r"(.*?) \((\d{4})\)", " ".join(entry.split())).groups()
        yield authors, year


def test_citations_are_found_in_all_their_forms():
    """Possessives, several years, one author or four."""
    text = "Di Eugenio & Glass's (2004), (Gwet 2008; 2014), Byrt, Bishop & Carlin 1993, The 1995"
    assert list(citations(text)) == [
        (frozenset({"Di Eugenio", "Glass"}), "2004"), (frozenset({"Gwet"}), "2008"),
        (frozenset({"Gwet"}), "2014"), (frozenset({"Byrt", "Bishop", "Carlin"}), "1993"),
    ]  # fmt: skip


@pytest.mark.sources
@pytest.mark.parametrize(
    "files",
    [PAGES, [*(ROOT / "agreement_fast").rglob("*.py"), *(ROOT / "src").glob("*.[ph]*")]],
    ids=["pages", "modules"],
)
def test_what_is_cited_is_in_the_references(files):
    """Every "Author Year" of the pages, modules and kernels has its entry in definitions.md."""
    listed = list(references())
    cited = [
        (file, names, year)
        for file in files
        for names, year in citations(file.read_text(encoding="utf-8").split("## References\n")[0])
    ]
    for file, names, year in nonempty(cited):
        assert any(
            year == of and all(re.search(rf"\b{name}\b", authors) for name in names)
            for authors, of in listed
        ), (file.name, sorted(names), year)


@pytest.mark.sources
def test_the_references_are_cited_and_sorted():
    """Each is named with its year in a page, a module or a kernel."""
    sources = [page.read_text(encoding="utf-8").split("## References\n")[0] for page in PAGES]
    modules = (ROOT / "agreement_fast").rglob("*.py")
    kernels = (file for file in (ROOT / "src").iterdir() if file.suffix in (".h", ".pyx"))
    sources += [file.read_text(encoding="utf-8") for file in (*modules, *kernels)]
    cited = {pair for text in sources for pair in citations(text)}
    listed = list(references())
    assert len(listed) > 60
    for authors, year in listed:
        first = authors.split(",")[0]
        assert any(first in names and year == of for names, of in cited), (first, year)
    keys = [(re.sub(r"[^\w ]", "", authors).lower(), year) for authors, year in listed]
    assert keys == sorted(keys)


def test_the_pages_list_the_distances():
    """Each name and synonym has its row in definitions.md; the README has all but those of sets."""
    from agreement_fast.distances.named import _SYNONYMS, NAMED, SETS

    page = (ROOT / "docs" / "definitions.md").read_text(encoding="utf-8")
    part = page[page.index("## 4. Distances") : page.index("## 5. Missing")]
    cells = [line.split("|")[1] for line in part.splitlines() if line.startswith("| `")]
    named = [set(re.findall(r"`([\w:]+)`", cell)) for cell in cells]
    for name in NAMED:
        (row,) = (names for names in named if name in names)
        synonyms = {synonym for synonym, own in _SYNONYMS.items() if own in row}
        assert row - set(NAMED) == synonyms, name
    (line,) = re.findall(r"^Distances: (.*?)\. ", README, re.MULTILINE | re.DOTALL)
    assert set(re.findall(r"`(\w+)`", line)) == set(NAMED) - set(SETS) | {
        "circular",
        "bipolar",
        "gwet",
    }


def test_the_readme_names_the_commands_of_the_makefile():
    """`make demo` and `make test` are in the README, and what it names is in the Makefile."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^make (\w+)", README, re.MULTILINE))
    assert {"demo", "test"} <= targets
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_citation_file_says_what_the_package_says():
    """CITATION.cff has the title, the authors and the version that `citation` gives."""
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    (title,) = re.findall(r'^title: "(.+)"$', text, re.MULTILINE)
    (version,) = re.findall(r"^version: (.+)$", text, re.MULTILINE)
    authors = re.findall(r"^  - name: (.+)$", text, re.MULTILINE)
    shown = citation()
    assert re.sub(r" \(\d{4}\)", "", shown) == (
        f"{' & '.join(authors)}. {title} (version {version}) [Computer software]."
    )


def test_every_coefficient_has_its_paper():
    """docs/citing.md names each coefficient in a row of its table."""
    page = (ROOT / "docs" / "citing.md").read_text(encoding="utf-8")
    rows = " ".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| "))
    assert {name for name in af.COEFFICIENTS if f"`{name}`" in rows} == set(af.COEFFICIENTS)


def test_the_glossary_is_alphabetical_and_has_every_symbol():
    """Terms stand in order, and each coefficient's symbol has a row."""
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    terms = [term.lower() for term in re.findall(r"^\*\*(.+?)\*\*", page, re.MULTILINE)]
    assert len(terms) > 30
    assert terms == sorted(terms, key=lambda term: re.sub(r" \(.*\)", "", term))
    names = set(re.findall(r"^\| .*? \| `(\w+)`", page, re.MULTILINE))
    assert set(af.COEFFICIENTS) - {"brennan_prediger"} <= names


def test_every_line_that_the_readme_says_to_type_runs(monkeypatch, tmp_path):
    """Each gives a result from data of the kind that it is for."""
    monkeypatch.chdir(tmp_path)
    ann, bob, cyn = (
        [1, 2, 2, 3, 1, 3, 2, 1] * 3,
        [1, 2, 3, 3, 1, 3, 2, 2] * 3,
        [1, 2, 2, 3, 2, 3] * 4,
    )
    wide = pd.DataFrame({"ann": ann, "bob": bob, "cyn": cyn}).rename_axis("text")
    wide.to_csv("labels.csv")
    wide.replace({1: "a", 2: "a;b", 3: "b"}).to_csv("codes.csv")
    for coder, end in (("x", 4), ("y", 8)):
        Path("folder", coder).mkdir(parents=True)
        Path("folder", coder, "a.txt").write_text("Anna saw", encoding="utf-8")
        Path("folder", coder, "a.ann").write_text(f"T1\tPER 0 {end}\t{'Anna saw'[:end]}\n")
    spans = {"coder": ["x", "y"], "start": [0, 1], "end": [4, 4], "category": ["a", "a"]}
    long = wide.stack().rename("answer").rename_axis(["task", "worker"]).reset_index()
    fitting = {
        "task": long,
        "batch": long.assign(batch=long.task % 2).rename(columns={"task": "item"}),
        "low": wide.replace({1: "low", 2: "high", 3: "n/a"}),
        "truth": wide.assign(truth=ann),
        "gpt": wide.assign(gpt=cyn),
    }
    scope = {"af": af, "first": ann, "second": bob, "after": wide, "spans": pd.DataFrame(spans)}
    scope |= {"counts": [[0, 3], [2, 1], [3, 0], [1, 2]]}
    table = README.partition("| you want | type |")[2].partition("\n\n")[0]
    lines = re.findall(r"`((?:af\.|print)[^`]*)`", table)
    assert len(lines) > 20
    for line in lines:
        data = next((frame for word, frame in fitting.items() if f'"{word}"' in line), wide)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", af.Hint)
            assert eval(line, scope | {"data": data}) is not False, line


def test_every_start_page_is_linked_and_runs():
    """The README leads to each, and each has commands or Python with what they print."""
    pages = sorted((ROOT / "docs" / "start").glob("*.md"))
    assert len(pages) == 8
    for page in pages:
        assert f"(docs/start/{page.name})" in README
        assert {language for _, language, _, _ in blocks(page)} & {"console", "python"}


def test_what_a_page_shows_is_compared():
    """Dots stand for lines, blanks may differ, and nothing else may."""
    shown = "one\n\ntwo   three\nfour\n"
    for printed in ("one\n\ntwo three\nfour\n", "one\n...\nfour\n", "...\ntwo three\n...\n"):
        assert matches(printed, shown)
    for printed in ("one\n", "...\ntwo\n...\n", "...\nthree\nfour\n", "one\n...\n5\n", ""):
        assert not matches(printed, shown)


def test_the_changelog_has_the_version():
    """The version that is installed has an entry."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## {af.__version__}" in changelog


def test_the_names_of_other_programs_lead_to_what_is_here():
    """Where a program was not run, the first two columns are names that we understand."""
    page = (ROOT / "docs" / "crosswalk.md").read_text(encoding="utf-8")
    _, part = page.split("## Programs that were not run\n")
    lines = [line.split("|")[1:3] for line in part.splitlines() if line.startswith("| `")]
    rows = [(first, second) for first, second in lines if "`" in second]
    assert len(rows) == 10
    numbers = [[1, 2], [2, 2], [3, 1], [3, 3]]
    for first, second in rows:
        for name in re.findall(r"`(\w+)`", first):
            for distance in re.findall(r"`(\w+)`", second):
                result = af.agreement(numbers, name, distance=distance)
                assert result.undefined is None, (name, distance)
