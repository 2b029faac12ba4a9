"""The rules of `words.py`: what they find, where, and what they leave alone."""

import pytest
import words

pytestmark = pytest.mark.sources


def hits(tmp_path, name, text):
    """The line and the rule of each hit in a file."""
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return [(line, rule) for line, rule, _ in words.hits(file)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Where coders share no item, κ is undefined.",
        "It is read. Where rows repeat, one stays.",
        "None where there is none.",
        "A new figure where absent.",
        "Names are kept where they differ.",
        "The default where no coder\nis left.",
    ],
)
def test_where_for_if_is_found(tmp_path, sentence):
    """A condition, at the start of a sentence or behind the word."""
    assert {rule for _, rule in hits(tmp_path, "a.md", sentence)} == {"where for if"}


@pytest.mark.parametrize(
    "sentence",
    [
        "Where to draw, if not in a new figure.",
        "Where each coder cuts a text.",
        "Where is it read?",
        "The line where a unit ends.",
        "p / q, where p is the share of a.",
        "The places where nobody cuts.",
        "It stays where it is.",
        "Write `--where 'where no'` or ``where there``.",
        "```sql\nselect 1 where not x\n```",
        "SELECT a WHERE NOT b",
        ">>> print('so many')\nso many",
        "wanted : float",
    ],
)
def test_places_and_code_are_left_alone(tmp_path, sentence):
    """A place is right, and code is no prose."""
    assert hits(tmp_path, "a.md", sentence) == []


def test_lines_of_a_module(tmp_path):
    """A hit has the line on which the word stands; names do not count."""
    text = '"""One.\n\nAs many as two.\n"""\n\nwanted = 1  # hardly\n# and\n# whatever\n'
    text += 'x = f"so many {wanted}"\n'
    assert sorted(hits(tmp_path, "a.py", text)) == [
        (3, "as many"),
        (6, "hardly"),
        (8, "whatever"),
        (9, "so many"),
    ]


def test_lines_of_a_kernel(tmp_path):
    """Comments and strings count, and code does not; neighbouring comments are one sentence."""
    text = '# As many\n# as two.\ncdef int told = 1  # told\n\n\ndef f():\n    """One.\n\n    So\n'
    text += '    many.\n    """\n    raise ValueError(f"hardly {n}")\n'
    assert sorted(hits(tmp_path, "a.pyx", text)) == [
        (1, "as many"),
        (3, "told"),
        (9, "so many"),
        (12, "hardly"),
    ]


def test_lines_of_a_header(tmp_path):
    """Comments count, over several lines, and code does not."""
    text = "#define TOLD 1\n/* One, of\n   which two. */\nint told; /* told */\n/* Read. Where no\n"
    text += " * item is, stop. */\n"
    assert sorted(hits(tmp_path, "a.h", text)) == [
        (2, "of which"),
        (4, "told"),
        (5, "where for if"),
    ]


def test_files_are_there():
    """The files that are read are those of the project."""
    names = {file.name for file in words.pages()}
    assert {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "choosing.md"} <= names
    assert len(words.modules()) > 200
    assert {"_sums.pyx", "sums.h"} <= {file.name for file in words.kernels()}
