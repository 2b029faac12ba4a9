"""What the site is made of: its navigation, its links, its reference. `make docs` builds it."""

import inspect
import re
from pathlib import Path

import api
import navigation
import pytest
from links import moved
from loops import nonempty

import agreement_fast
from agreement_fast import plots
from agreement_fast.diagnostics.bias import Bias

pytestmark = pytest.mark.sources

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def test_the_navigation_names_every_page_once():
    """A page that is added without a place in the navigation would be found by the search only."""
    named = [page for section in navigation.SECTIONS for page in section.pages]
    assert len(named) == len({*named})
    pages = {str(page.relative_to(DOCS).with_suffix("")) for page in DOCS.rglob("*.md")}
    assert pages - {*named} == set()
    assert len(pages) > 25
    assert navigation.FROM_ELSEWHERE.keys() - {*named} == {"index"}


def test_the_tabs_are_the_sections():
    """The gallery and the reference stand among them."""
    names = {section.name for section in navigation.SECTIONS}
    assert {name for _, name in navigation.TABS} == names | {"gallery/index", "api/index"}
    assert not names & {page for section in navigation.SECTIONS for page in section.pages}


def test_the_gallery_shows_every_picture():
    """Each function of plots has an example of its name that calls it."""
    for name in nonempty(plots.__all__):
        source = (DOCS / "gallery" / f"{name}.py").read_text(encoding="utf-8")
        assert f"ax = plots.{name}(" in source, name


def test_the_reference_has_every_room_and_name():
    """A room that the package names without a place in the reference is refused."""
    rooms = {room.__name__ for room in api.rooms()}
    assert rooms >= {"agreement_fast", "agreement_fast.inference", "agreement_fast.distances"}
    homes = api.homes()
    for name in agreement_fast.__all__:
        item = getattr(agreement_fast, name)
        assert f"agreement_fast.{name}" in homes or inspect.ismodule(item) or name == "__version__"
    assert api.results()[Bias] == "agreement_fast.diagnostics.bias"
    assert homes[f"{Bias.__module__}.Bias"] == f"{Bias.__module__}.Bias"


def test_the_first_page_of_the_reference_has_the_whole_interface(tmp_path):
    """Every name of every room, by its room and linked to its page."""
    api.write(tmp_path / "api")
    text = (tmp_path / "api" / "index.rst").read_text(encoding="utf-8")
    for room in nonempty(api.rooms()):
        (listed,) = re.findall(rf"^`{room.__name__} <.*\n    .*\n\n    (.*)$", text, re.M)
        assert re.findall(r"`(\w+) <", listed) == api.public_names(room)


def test_every_page_of_the_reference_has_an_example(tmp_path: Path) -> None:
    """In the docstring that the page shows, of a class also in its methods; data show a call."""
    api.write(tmp_path / "api")
    for room in nonempty(api.rooms()):
        for name in nonempty(api.names_with_pages(room)):
            item = getattr(room, name)
            page = tmp_path / "api" / room.__name__ / f"{api.file_of(name)}.rst"
            shown = [page.read_text(encoding="utf-8")]
            if api.kind(item) != "Data":
                shown += [inspect.getdoc(part) or "" for part in (item, *vars(item).values())]
            assert any(">>> " in text for text in shown), (room.__name__, name)


def test_a_room_that_is_missing_is_refused(monkeypatch):
    """So that no room is forgotten when one is added."""
    monkeypatch.setattr(api, "ROOMS", api.ROOMS[:-1])
    with pytest.raises(SystemExit, match=f"differ.*{api.ROOMS[-1] and 'plots'}"):
        api.rooms()


@pytest.mark.parametrize(
    ("line", "escaped"),
    [
        ("Σ |A ∩ B| and n_ of `x_`, ``|b|``", r"Σ \|A ∩ B\| and n\_ of `x_`, ``|b|``"),
        ("x : int | None", "x : int | None"),
        ("n_ : int", "n_ : int"),
        (">>> a|b", ">>> a|b"),
        ("a_b and _c", "a_b and _c"),
        ("|a|      first column   second", r"\|a\|    first column   second"),
    ],
)
def test_docstrings_may_say_bars_and_underscores(line, escaped):
    """They are no marks of RST; columns of tables stay where they are."""
    assert api.escaped([line]) == [escaped]


def test_blocks_of_code_stay_as_they_are():
    """Until the text goes on at the indent of what announced them."""
    lines = ["As in::", "", "    |a|", "", "|b|", ">>> f()", "|c|", "", "|d|"]
    assert api.escaped(lines) == [*lines[:4], r"\|b\|", *lines[5:8], r"\|d\|"]


def test_links_lead_to_the_new_places(tmp_path):
    """To pages, to files that are copied, to addresses; code stays."""
    places = {
        ROOT / "README.md": tmp_path / "index.md",
        DOCS / "choosing.md": tmp_path / "choosing.md",
        DOCS / "start" / "spans.md": tmp_path / "start" / "spans.md",
    }
    text = "[a](docs/choosing.md#b) [c](LICENSE) [d](https://e.org) [f](#g) [h](none.md)\n"
    code = "```sh\n[a](docs/choosing.md)\n```\n"
    result = moved(text + code, ROOT / "README.md", places, tmp_path / "files")
    assert result == (
        "[a](choosing.md#b) [c](files/LICENSE) [d](https://e.org) [f](#g) [h](none.md)\n" + code
    )
    assert (tmp_path / "files" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    below = moved(
        "[a](../choosing.md) [r](../../README.md)", DOCS / "start" / "spans.md", places, tmp_path
    )
    assert below == "[a](../choosing.md) [r](../index.md)"
