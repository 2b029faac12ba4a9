"""Words that do not belong into plain English, by file and line: ``python tests/words.py``.

It reads what a person reads: README.md, CHANGELOG.md, CONTRIBUTING.md, the pages of docs/ and of
benchmarks/; the docstrings, comments and string literals of the package, of its kernels and of the
benchmarks; and the comments of the kernels' headers. Code is left out: blocks and spans of code,
examples, and the names of parameters at the head of their entries.

"where" is right for a place ("the line where a unit ends", "x, where x is the share of a"). It is a
hit where "if" or "when" is meant, which these rules take it for:

- it starts a sentence that goes on behind a comma: "Where coders share no item, ...";
- a condition follows: "where there is", "where no", "where it is", "where they differ",
  "where absent", "where given", "where needed", "where possible", "where only", ...; but
  "places where nobody", "we know where it", "it stays where it is".

`ALLOWED` has what is right although a rule says otherwise. The script fails if there is a hit.
"""

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]

CONDITION = (
    r"there|no|none|not|nothing|nobody|it|they|that|this|these|one|both|all|any|each|every|several|"
    r"some|many|only|absent|given|missing|needed|possible|necessary|present|known|unknown|asked"
)
RULES = {
    "told": r"\b[Tt]old\b",
    "wanted": r"\b[Ww]anted\b",
    "anew": r"\b[Aa]new\b",
    "mend": r"\b[Mm]end(?:s|ed|ing)?\b",
    "hardly": r"\b[Hh]ardly\b",
    "so many": r"\b[Ss]o\s+many\b",
    "as many": r"\b[Aa]s\s+many\b",
    "whatever": r"\b[Ww]hatever\b",
    "of which": r"\b[Oo]f\s+which\b",
    "where for if": rf"(?:\A|[.!?:;]\s+|\n\s*\n\s*(?:[-*]\s+)?|\|\s*)Where\b(?! to\b)(?=[^.?;|]*,)"
    rf"|(?<!places )(?<!place )(?<!know )\bwhere\s+(?!(?:it is|they are)[.,;])(?:{CONDITION})\b",
    "he or she": r"\b(?:[Hh]e|[Ss]he|[Hh]is|[Hh]er|[Hh]im|[Hh]ers)\b",
}
#: Phrases that are right: the end of a path, and what stands around the hit.
ALLOWED: tuple[tuple[str, str], ...] = ()

#: What holds prose in a kernel and in a header: strings, and comments, neighbouring ones as one.
CYTHON = r'"""[\s\S]*?"""|"[^"\n]*"|\'[^\'\n]*\'|#.*(?:\n *#.*)*'
COMMENTS = {".pyx": CYTHON, ".pxd": CYTHON, ".h": r'"[^"\n]*"|/\*[\s\S]*?\*/'}

Text = tuple[int, str]
"""A line number, and what starts there."""


def pages() -> list[Path]:
    """The pages of Markdown."""
    top = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")]
    return [*top, *sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("benchmarks/*.md"))]


def modules() -> list[Path]:
    """The modules of the package and of its command, the gallery's examples and the benchmarks."""
    folders = ("agreement_fast", "src/agreement_fast_command", "docs/gallery", "benchmarks")
    return [file for folder in folders for file in sorted((ROOT / folder).rglob("*.py"))]


def kernels() -> list[Path]:
    """The kernels and their headers."""
    return sorted(file for kind in COMMENTS for file in ROOT.glob(f"src/*{kind}"))


def blank(pattern: str, text: str, flags: int = 0) -> str:
    """The text with blanks for what matches, so that lines and columns stay."""
    return re.sub(pattern, lambda hit: re.sub(r"[^\n]", " ", hit[0]), text, flags=flags)


def without_code(text: str) -> str:
    """Prose of Markdown or of a docstring."""
    text = blank(r"^(```|~~~).*?^\1$", text, re.DOTALL | re.MULTILINE)
    text = blank(r"``[^`]+``|`[^`]+`", text)
    text = blank(r"^[ ]*>>> .*\n(?:(?=.*\S).*\n?)*", text, re.MULTILINE)
    text = blank(r"^ *[\w, *]+ : .*$", text, re.MULTILINE)  # a parameter and its type
    return blank(r"\]\([^)]*\)", text)


def texts_of(module: str) -> Iterator[Text]:
    """Docstrings, strings with a blank, and comments, those on neighbouring lines as one."""
    comments: list[tuple[int, str]] = []
    for token in tokenize.generate_tokens(io.StringIO(module).readline):
        if token.type == tokenize.COMMENT:
            words = token.string.lstrip("#: ")
            if comments and comments[-1][0] + comments[-1][1].count("\n") + 1 == token.start[0]:
                comments[-1] = (comments[-1][0], f"{comments[-1][1]}\n{words}")
            else:
                comments.append((token.start[0], words))
    yield from comments
    for node in ast.walk(ast.parse(module)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value


def texts_of_kernel(code: str, pattern: str) -> Iterator[Text]:
    """Comments, and strings with a blank, without the marks around them."""
    for result in re.finditer(pattern, code):
        if " " in result[0]:
            words = re.sub(r"^[ #\"'/*]+|[ \"'/*]+$", "", result[0])
            start = result.start() + result[0].index(words)
            yield 1 + code.count("\n", 0, start), re.sub(r"\n *(#|/?\*) ?", "\n", words)


def hits(file: Path) -> Iterator[tuple[int, str, str]]:
    """The line, the rule, and what stands around each hit of a file."""
    text = file.read_text(encoding="utf-8")
    if file.suffix in COMMENTS:
        parts = texts_of_kernel(text, COMMENTS[file.suffix])
    else:
        parts = iter([(1, text)]) if file.suffix == ".md" else texts_of(text)
    for first, part in parts:
        prose = without_code(part)
        for rule, pattern in RULES.items():
            for hit in re.finditer(pattern, prose):
                around = " ".join(part[max(0, hit.start() - 30) : hit.end() + 30].split())
                if not any(file.as_posix().endswith(end) and say in around for end, say in ALLOWED):
                    start = hit.end() - len(hit[0].lstrip("\n .!?:;|-*"))
                    yield first + part.count("\n", 0, start), rule, around


def main() -> int:
    """Print every hit, and how many each word has."""
    counts: Counter[str] = Counter()
    for file in [*pages(), *modules(), *kernels()]:
        for line, rule, around in sorted(hits(file)):
            counts[rule] += 1
            print(f"{file.relative_to(ROOT)}:{line}: {rule}: {around}")
    print()
    for rule in RULES:
        print(f"{counts[rule]:6} {rule}")
    print(f"{counts.total():6} together")
    return int(counts.total() > 0)


if __name__ == "__main__":
    sys.exit(main())
