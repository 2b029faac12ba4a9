"""The pages in Chromium, offline: `make browser` runs it.

Every page is opened from a file. A request, an error of the page or a message on the console fails.
"""

import contextlib
import csv
import functools
import io
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from every_output import CALLS, write_tables
from html_page import HOSTILE

import agreement_fast as af
from agreement_fast import units
from agreement_fast.cli import main
from agreement_fast.diagnostics import disagreements

pytestmark = pytest.mark.browser

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)

WIDTHS = (360, 800, 1400)

CODERS = ["Ann", "Bea", "Cid", "Dan"]


@functools.cache
def data():
    random = np.random.default_rng(0)
    truth = random.integers(0, 4, (150, 1))
    labels = np.where(random.random((150, 4)) < 0.7, truth, random.integers(0, 4, (150, 4)))
    rows = [
        [None if k == 3 and i % 5 == 0 else "abcd"[k] for k in row] for i, row in enumerate(labels)
    ]
    texts = {f"t{i}": "https://example.org/1" if i % 9 == 0 else f"Text {i}" for i in range(150)}
    items = [f"t{i}" for i in range(150)]
    return af.Annotations.from_wide(rows, coders=CODERS, items=items).with_texts(texts)


def hostile():
    random = np.random.default_rng(1)
    labels = HOSTILE[:12]
    rows = [[labels[k] for k in row] for row in random.integers(0, 12, (60, 5)).tolist()]
    items = [f"{HOSTILE[i % 14]} {i}" for i in range(60)]
    return af.Annotations.from_wide(rows, coders=HOSTILE[:5], items=items).with_texts(
        {item: HOSTILE[i % 14] for i, item in enumerate(items)}
    )


def spans():
    random = np.random.default_rng(2)
    return units.Continuum.from_rows(
        coders=[c for c in "AB" for _ in range(40)],
        starts=[10 * i + int(random.integers(0, 4)) for _ in "AB" for i in range(40)],
        ends=[10 * i + int(random.integers(5, 10)) for _ in "AB" for i in range(40)],
        categories=[HOSTILE[i % 5] for _ in "AB" for i in range(40)],
        documents=[HOSTILE[i % 2] for _ in "AB" for i in range(40)],
        extents=400,
    )


PAGES = {
    "study": lambda: af.report(data(), method="score").page(),
    "hostile": lambda: af.report(hostile(), method="score").page(title=HOSTILE[0]),
    "undefined": lambda: af.report(af.Annotations.from_wide([["a", "a"]] * 3)).page(),
    "one coder": lambda: af.report(af.Annotations.from_wide([["a"], ["b"]])).page(),
    "counts": lambda: af.report(af.Annotations.from_counts([[3, 2], [5, 0], [1, 4]])).page(),
    "units": lambda: af.report(spans()).page(),
}


@pytest.fixture(scope="module")
def browser():
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, make in PAGES.items():
        make().save(folder / f"{name}.html")
    return {name: folder / f"{name}.html" for name in PAGES}


@pytest.fixture
def opened(browser, paths):
    """Open a page and collect errors and requests; there must be none at the end."""
    faults, contexts = [], []

    def open_page(name, *, width=1000, scheme="light", script=True):
        context = browser.new_context(
            offline=True,
            viewport={"width": width, "height": 800},
            color_scheme=scheme,
            java_script_enabled=script,
            accept_downloads=True,
        )
        contexts.append(context)
        shown = context.new_page()
        url = paths[name].as_uri()
        shown.on(
            "request",
            lambda one: None if one.url.startswith((url, "blob:")) else faults.append(one.url),
        )
        shown.on("requestfailed", lambda one: faults.append(f"failed: {one.url}"))
        shown.on("pageerror", lambda one: faults.append(f"error: {one}"))
        shown.on("console", lambda one: faults.append(f"console: {one.text}"))
        shown.on("dialog", lambda one: (faults.append(f"dialog: {one.message}"), one.dismiss()))
        shown.goto(url)
        return shown

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture(scope="module")
def of_commands(tmp_path_factory):
    """Give the page that each command writes."""
    folder = tmp_path_factory.mktemp("commands")
    write_tables(folder)
    pages = {}
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        for name, call in CALLS.items():
            pages[name] = folder / f"{name.replace(' ', '')}.html"
            assert main([*name.split(), *call, "--html", str(pages[name])]) == 0
    return pages


@pytest.mark.parametrize("name", CALLS)
def test_every_command_has_a_page_for_all_readers(browser, of_commands, name):
    """It fits a phone in ten screens, and axe finds nothing with all that is folded open."""
    package = pytest.importorskip("axe_playwright_python", reason="axe is not installed")
    axe = (Path(package.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    for width, height, scheme in ((360, 800, "light"), (1400, 900, "dark")):
        context = browser.new_context(
            offline=True, viewport={"width": width, "height": height}, color_scheme=scheme
        )
        shown = context.new_page()
        shown.goto(of_commands[name].as_uri())
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
        assert shown.evaluate("document.documentElement.scrollHeight") <= 10 * height
        shown.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        shown.evaluate(axe)
        result = shown.evaluate("axe.run()")
        assert len(result["passes"]) > 15
        assert [(one["id"], one["nodes"][0]["html"]) for one in result["violations"]] == []
        context.close()


@pytest.mark.parametrize("name", CALLS)
def test_every_control_is_reached_by_the_keyboard(browser, of_commands, name):
    context = browser.new_context(offline=True, viewport={"width": 360, "height": 800})
    shown = context.new_page()
    shown.goto(of_commands[name].as_uri())
    controls = "a[href], button, input, select, summary, [tabindex='0']"
    wanted = shown.evaluate(
        f'[...document.querySelectorAll("{controls}")].filter((one) => one.checkVisibility())'
        ".map((one, k) => { one.dataset.stop = k; return k; })"
    )
    reached = []
    for _ in wanted:
        shown.keyboard.press("Tab")
        stop, outline = shown.evaluate(
            "[Number(document.activeElement.dataset.stop),"
            " getComputedStyle(document.activeElement).outlineStyle]"
        )
        reached.append(stop)
        assert outline == "solid"
    assert reached == wanted
    context.close()


#: Texts with a contrast below 4.5 to their background.
CONTRAST = """() => {
  const luminance = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).map(Number).map((x) => x / 255)
      .map((x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = getComputedStyle(one).backgroundColor;
      if (!/, 0\\)$/.test(color)) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const low = [];
  for (const one of document.querySelectorAll("main *:not(svg *), header *")) {
    const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || !one.checkVisibility()) continue;
    const both = [getComputedStyle(one).color, behind(one)].map(luminance);
    const [a, b] = both.sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) low.push(`${one.tagName}.${one.className}`);
  }
  return [...new Set(low)];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_pages_fit_every_width_and_can_be_read(opened, name, scheme):
    shown = opened(name, scheme=scheme)
    for width in WIDTHS:
        shown.set_viewport_size({"width": width, "height": 800})
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
    for button in shown.query_selector_all("[data-pair]")[:1]:
        button.click()
    assert shown.evaluate(CONTRAST) == []


def test_labels_are_escaped(opened):
    shown = opened("hostile")
    shown.click("[data-pair='0-1']")
    shown.click("#items-more")
    shown.click("#items-table thead button >> nth=0")
    assert shown.locator("img").count() == 0
    assert shown.locator("script").count() == 4
    assert shown.inner_text("h1") == HOSTILE[0]
    assert shown.locator("a[href^=javascript]").count() == 0
    heads = set(shown.locator("#items-table tbody th > bdi").all_inner_texts())
    assert any(one.startswith(HOSTILE[1]) for one in heads)


def test_items_are_sorted_filtered_and_saved(opened):
    shown = opened("study")
    result = disagreements(data(), sort="share")
    names = shown.locator("#items-table tbody th > bdi")
    disputed = [data().items[i] for i in result.places.tolist()]
    assert names.all_inner_texts() == disputed[:50]
    assert shown.get_attribute("#items-table th:nth-child(3)", "aria-sort") == "descending"
    shown.click("#items-more")
    assert names.count() == min(100, len(disputed))
    # By name, with numbers as numbers.
    shown.click("#items-table th:first-child button")
    assert shown.get_attribute("#items-table th:first-child", "aria-sort") == "ascending"
    assert shown.get_attribute("#items-table th:nth-child(3)", "aria-sort") is None
    by_number = sorted(disputed, key=lambda name: int(name[1:]))
    assert names.all_inner_texts() == by_number[:50]
    shown.click("#items-table th:first-child button")
    assert names.all_inner_texts() == by_number[::-1][:50]
    # Ann and Bea disagree, and a coder said b.
    shown.select_option("[name=first]", label="Ann")
    shown.select_option("[name=second]", label="Bea")
    shown.select_option("[name=label]", label="b")
    wide = dict(zip(data().items, data().to_wide().tolist(), strict=True))
    want = [
        name
        for name in by_number[::-1]
        if None not in wide[name][:2] and wide[name][0] != wide[name][1] and "b" in wide[name]
    ]
    assert 3 < len(want) < 50
    assert names.all_inner_texts() == want
    assert (
        f"{len(want)} of {len(disputed)} items match the filters; {len(want)} are listed."
        in shown.inner_text("#items-status")
    )
    with shown.expect_download() as saved:
        shown.click("#items-save")
    text = saved.value.path().read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["item"] for row in rows] == want
    for row in rows:
        assert [row[who] or None for who in CODERS] == wide[row["item"]]
        assert row["text"] == data().texts[row["item"]]
    shown.fill("[name=search]", "no such item")
    assert names.count() == 0


def test_formulas_in_a_saved_file_are_texts(opened):
    shown = opened("hostile")
    with shown.expect_download() as saved:
        shown.click("#items-save")
    rows = list(csv.reader(io.StringIO(saved.value.path().read_text(encoding="utf-8-sig"))))
    assert len({len(row) for row in rows}) == 1
    cells = [cell for row in rows for cell in row]
    assert any(cell.startswith("'=cmd|") for cell in cells)
    assert not any(cell.startswith(("=", "@", "+")) for cell in cells)


def test_a_pair_is_opened_by_the_keyboard(opened):
    shown = opened("study")
    shown.focus("[data-pair='0-2']")
    shown.keyboard.press("Enter")
    table = data().contingency_table("Ann", "Cid")
    cells = shown.locator("#pair tbody tr").all()
    read = [[int(x) for x in row.locator("td").all_inner_texts()] for row in cells]
    assert np.array(read)[:4, :4].tolist() == table.tolist()
    assert np.array(read)[4].tolist() == [*table.sum(0).tolist(), table.sum()]
    assert shown.inner_text("#pair h4").startswith("Ann and Cid: κ = ")
    assert shown.get_attribute("[data-pair='0-2']", "aria-pressed") == "true"
    assert shown.locator("[aria-pressed=true]").count() == 1


def test_focus_is_seen_and_the_first_stop_skips_to_the_verdict(opened):
    shown = opened("study")
    shown.keyboard.press("Tab")
    assert shown.evaluate("document.activeElement.className") == "skip"
    assert shown.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert shown.evaluate("document.activeElement.getBoundingClientRect().left") >= 0


def test_the_sentence_is_copied_and_the_document_saved(opened):
    shown = opened("study")
    shown.click("[data-copy=part-for-a-paper-quote]")
    shown.wait_for_function("document.querySelector('#part-for-a-paper [role=status]').textContent")
    assert shown.inner_text("#part-for-a-paper [role=status]") in (
        "Copied.",
        "Selected: press Ctrl+C.",
    )
    with shown.expect_download() as saved:
        shown.click("#document-save")
    document = json.loads(saved.value.path().read_text(encoding="utf-8"))
    assert document["paper"]["sentence"] == shown.inner_text("#part-for-a-paper-quote")


def test_the_page_is_complete_without_its_script(opened):
    shown = opened("study", script=False)
    assert shown.locator("#items-table tbody tr").count() == 20
    assert not shown.is_visible("#filters")
    assert "need the page's script" in shown.inner_text("#items noscript")


def test_paper_has_no_buttons_and_black_letters(opened):
    shown = opened("study", scheme="dark")
    shown.emulate_media(media="print")
    assert not shown.is_visible("[data-copy=part-for-a-paper-quote]")
    assert not shown.is_visible("nav")
    assert shown.is_visible("#items-table")
    assert shown.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert shown.evaluate(CONTRAST) == []
    assert len(shown.pdf(format="A4")) > 10_000


def test_the_policy_blocks_foreign_scripts(opened, browser, paths):
    """A script that is not the page's own would not run."""
    context = browser.new_context(offline=True)
    shown = context.new_page()
    said = []
    shown.on("console", lambda one: said.append(one.text))
    markup = paths["study"].read_text(encoding="utf-8")
    other = paths["study"].with_name("changed.html")
    added = (
        "<script>document.title = 'run'</script><img src='data:,'><p style='color:red' id='p'>x</p>"
    )
    other.write_text(markup.replace("</main>", f"{added}</main>"), encoding="utf-8")
    shown.goto(other.as_uri())
    assert shown.title() == "Inter-coder agreement"
    assert (
        shown.evaluate("getComputedStyle(document.getElementById('p')).color") != "rgb(255, 0, 0)"
    )
    assert sum("Content Security Policy" in one for one in said) == 3
    context.close()
