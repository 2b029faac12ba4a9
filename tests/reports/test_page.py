"""The page of a study, without a browser: its content, and that labels are escaped."""

import json
import re
import sys

import numpy as np
import pytest
from html_page import HOSTILE, checked
from loops import nonempty

import agreement_fast as af
from agreement_fast import report
from agreement_fast.diagnostics import category_agreement, coder_report, disagreements
from agreement_fast.diagnostics.pairs import pairwise_agreement
from agreement_fast.reports.page import beside_report
from agreement_fast.reports.rendering import Page, sections_page


def noisy(n, n_coders, labels, missing=0.0, seed=0):
    """Coders who agree more than by chance."""
    random = np.random.default_rng(seed)
    judgments = np.where(
        random.random((n, n_coders)) < 0.7,
        random.integers(0, len(labels), (n, 1)),
        random.integers(0, len(labels), (n, n_coders)),
    )
    gone = random.random((n, n_coders)) < missing
    return [
        [None if out else labels[k] for k, out in zip(row, left, strict=True)]
        for row, left in zip(judgments.tolist(), gone.tolist(), strict=True)
    ]


def page(data, *names, title="x", texts=True, **options):
    """The page of a report with intervals of all coefficients."""
    return report(data, *names, **{"method": "score", **options}).page(title=title, texts=texts)


ABC = list("abc")
CODERS = ["Ann", "Bea", "Cid", "Dan"]
DATA = af.Annotations.from_wide(noisy(60, 4, ABC, 0.05), coders=CODERS)


@pytest.fixture(scope="module")
def made():
    return checked(page(DATA, title="Pilot").html)


def test_the_verdict_is_that_of_the_report(made):
    result = report(DATA, method="score")
    assert made.section("part-for-a-paper-quote") == result.sentence()
    interval = result.quoted_interval
    text = made.section("part-agreement")
    assert f"alpha (nominal) = {result.table['alpha'].value:.4f}" in text
    assert f"95% interval {interval.low:.4f} to {interval.high:.4f}" in text
    assert f"{result.n_missing} missing" in text
    assert "@software{" in made.section("part-bibtex-entry")


def test_the_page_says_what_the_text_says(made):
    """In the same order, with the same numbers; only numbers in tables are apart."""
    text = " ".join(made.section("main").split())
    lines = report(DATA, method="score").to_text(width=999).splitlines()
    paragraphs = [line[2:].removeprefix("- ") for line in lines if line.startswith("  ")]
    # The value of the answer is printed large, with the interval below it.
    sentences = [one for one in paragraphs if one.endswith(".")][1:]
    places = [text.find(" ".join(one.split())) for one in nonempty(sentences)]
    assert -1 not in places
    assert places == sorted(places)


def test_a_page_asks_to_choose_the_distance_of_numbers_as_the_text_does():
    numbers = noisy(60, 3, [1, 2, 3, 4])
    page_of = checked(page(numbers).html)
    verdict = page_of.section("part-agreement")
    ordinal = af.inference.standard_error(numbers, "alpha", distance="ordinal")
    assert "Choose a distance first" in page_of.section("part-for-a-paper")
    shown = f"alpha (ordinal) = {ordinal.value:.4f}95% interval {ordinal.low:.4f}"
    assert shown in verdict
    for distance in ("ordinal", "nominal"):
        chosen = report(numbers, method="score", distance=distance)
        shown = checked(chosen.page().html)
        assert "Choose a distance first" not in chosen.to_text()
        assert "Choose a distance first" not in shown.section("part-for-a-paper")
        named_once = int(distance == "ordinal")
        assert shown.section("part-agreement").count("alpha (ordinal) =") == named_once
    assert "Choose a distance first" in report(numbers, method="score").to_text()


def test_the_document_is_the_reports(made):
    want = json.loads(json.dumps(report(DATA, method="score").to_dict()))
    assert made.data("document") == want


def test_every_coefficient_has_its_parts(made):
    text = made.section("part-coefficients")
    for result in nonempty(report(DATA).table):
        assert f"{result.observed_disagreement:.4f}" in text
        assert f"{result.expected_disagreement:.4f}" in text


def test_pairs_have_values_above_and_items_below(made):
    pairs = pairwise_agreement(DATA)
    cells = {
        one["data-pair"]: (one["text"], one["aria-label"])
        for one in made.all("button")
        if "data-pair" in one
    }
    assert len(cells) == 6
    for i, j, value, n in zip(pairs.first, pairs.second, pairs.value, pairs.n_items, strict=True):
        text, title = cells[f"{i}-{j}"]
        assert text == f"{value:.2f}".replace("0.", ".")
        assert title.startswith(f"{CODERS[i]} and {CODERS[j]}: {value:.4f}")
        assert title.endswith(f", {n} items")
    below = [one["text"] for one in made.all("td", **{"class": "shaded few"})]
    matrix = pairs.matrix("n_items")
    assert below == [f"{matrix[i, j]:.0f}" for i in range(4) for j in range(i)]


SAID = [("pass", "pass")] * 90 + [("pass", "fail")] * 4 + [("fail", "pass")] * 5
TWO = af.Annotations.from_wide(
    [*SAID, ("fail", "fail")], coders=["A", "B"], categories=["pass", "fail"]
)


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"confidence_level": 0.9},
        {"method": "bca", "n_resamples": 200, "rng": 1},
        {"distance": ["ordinal"]},
        {"cluster": [i % 20 for i in range(100)]},
    ],
    ids=["score", "level", "bootstrap", "ordinal", "clusters"],
)
def test_one_number_has_one_interval(asked):
    """Of two coders and two categories: verdict, finding, table, categories and pair agree."""
    result = report(TWO, **{"method": "score", **asked})
    made = checked(page(TWO, **asked).html)
    known = {row.coefficient: shown(row.low, row.high) for row in result.intervals}
    low, high = known["alpha"]
    assert f"interval {low} to {high}" in made.section("part-agreement")
    interval = result.quoted_interval
    rounded = f"{interval.low:.3f} to {interval.high:.3f}"
    assert f"interval of alpha is {rounded}, but" in made.section(
        "part-what-costs-agreement-most-and-roughly-how-much"
    )
    text = made.section("part-agreement-on-each-category")
    assert text.count(f"{low}{high}") == 2
    pair = made.data("pairs-data")["values"]["0-1"]
    assert pair[1:] == list(known.get("kappa" if "kappa" in known else "beta"))
    (title,) = [one["title"] for one in made.all("button") if "data-pair" in one]
    assert " to ".join(pair[1:]) in title


def shown(low, high):
    return tuple(f"{end:.4f}" for end in (low, high))


#: The sections whose intervals have items for the sample.
OF_ITEMS = (
    "part-agreement-on-each-category",
    "part-pairs-of-coders",
    "part-each-coder-with-the-others",
)
BELOW = 'id="part-agreement-on-each-category-head"'


def test_a_page_of_clusters_has_no_intervals_of_items():
    clusters = [i // 5 for i in range(60)]
    made = checked(page(DATA, cluster=clusters).html)
    result = report(DATA, method="score", cluster=clusters)
    low, high = shown(result.quoted_interval.low, result.quoted_interval.high)
    assert f"interval {low} to {high}" in made.section("part-agreement")
    categories, pairs, each = OF_ITEMS
    for name in (categories, pairs):
        assert "The sample consists of clusters of items" in made.section(name)
    assert "% from" not in made.section(each)
    rows = nonempty(rows_below(page(DATA, cluster=clusters).html, BELOW)[1:])
    assert {row[place] for row in rows for place in (3, 4, 7, 8)} == {"-"}
    assert all(len(one) == 1 for one in made.data("pairs-data")["values"].values())
    plain = checked(page(DATA).html)
    assert not any("clusters" in plain.section(name) for name in OF_ITEMS)
    assert "% from" in plain.section(each)
    assert "score interval over clusters of items" in made.section("main")
    assert "score interval over items" in plain.section("main")


def test_tables_of_pairs_are_contingency_tables(made):
    data = made.data("pairs-data")
    assert data["coders"] == CODERS
    for pair, flat in data["tables"].items():
        table = np.zeros(9, int)
        table[flat[::2]] = flat[1::2]
        i, j = map(int, pair.split("-"))
        want = DATA.contingency_table(CODERS[i], CODERS[j])
        assert table.reshape(3, 3).tolist() == want.tolist()


def rows_below(whole, heading):
    """The rows of the table of a page below a heading, as texts."""
    table = whole.partition(heading)[2].partition("</table>")[0].partition("<thead>")[2]
    cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in table.split("</tr>")]
    return [row for row in cells if row]


def test_contingencies_stand_with_margins():
    two = [["a", "a"], ["a", "b"], ["b", "b"], ["b", "b"]]
    rows = rows_below(page(two).html, "Who said what: rows 0")
    assert rows[1:] == [["a", "1", "1", "2"], ["b", "0", "2", "2"], ["total", "1", "3", "4"]]


def test_coincidences_and_distances_stand_with_the_categories():
    whole = page(DATA).html
    want = DATA.coincidence_matrix().with_margins().values
    rows = rows_below(whole, "Which labels met")
    assert [row[0] for row in rows[1:]] == ["a", "b", "c", "total"]
    shown = np.array([[float(cell) for cell in row[1:]] for row in rows[1:]])
    np.testing.assert_allclose(shown, want, atol=0.05)
    assert "Distances of labels" not in whole
    rated = [[1, 2, 2], [3, 3, 4], [2, 2, 2], [4, 4, 4]]
    rows = rows_below(page(rated, distance=["interval"]).html, "Distances of labels (interval)")
    assert rows[0][1:] == ["1", "2", "3", "4"]
    assert [float(cell) for cell in rows[1][1:]] == [0, 1, 4, 9]


def test_the_judgments_of_a_small_table_stand_on_the_page():
    rows = [["a", "a"], ["a", None], ["b", "a"]]
    small = af.Annotations.from_wide(rows, coders=["Ann", "<Bea>"], items=["i", "j", "k"])
    whole = checked(page(small).html) and page(small).html
    table = rows_below(whole, "Labels by coder")
    assert [row[:1] for row in table[1:]] == [["Ann"], ["&lt;Bea&gt;"]]
    assert table[0] == ["coder", "i", "j", "k"]
    assert table[1][1:] == ["a", "a", "b"]
    assert table[2][1:] == ["a", "-", "a"]
    assert rows_below(whole, "Labels by item") == [
        ["item", "a", "b"], ["i", "2", "0"], ["j", "1", "0"], ["k", "1", "1"]
    ]  # fmt: skip
    counts = page(af.Annotations.from_counts([[3, 2], [5, 0], [1, 4]])).html
    assert "Labels by coder" not in counts
    assert rows_below(counts, "Labels by item")[1][1:] == ["3", "2"]
    assert "All judgments" not in page(noisy(51, 3, ["a", "b"])).html


def test_rare_categories_are_combined():
    labels = [f"c{i:02}" for i in range(16)]
    data = checked(page(noisy(200, 2, labels)).html).data("pairs-data")
    assert data["other"] is True
    assert len(data["labels"]) == 12
    flat = data["tables"]["0-1"]
    assert sum(flat[1::2]) == 200
    assert max(flat[::2]) < 13 * 13


def test_coders_are_listed_with_their_change(made):
    text = made.section("part-each-coder-with-the-others")
    result = coder_report(DATA)
    for c in range(4):
        assert f"{result.value + result.change[c]:.4f}" in text
        assert f"{result.against_rest[c]:.4f}" in text


def test_coders_who_cost_most_and_frequent_categories_are_listed(monkeypatch):
    from agreement_fast.reports import coders, items

    monkeypatch.setattr(coders, "LISTED", 2)
    monkeypatch.setattr(coders, "MATRIX", 3)
    monkeypatch.setattr(items, "LISTED", 2)
    random = np.random.default_rng(0)
    table = [["a", "a", "a", "abbb"[k]] for k in random.integers(0, 4, 40)]
    table += [["b", "b", "b", "b"]] * 20 + [["c", "c", "c", None]] * 5 + [["b", "b", "a", "b"]] * 9
    whole = page(af.Annotations.from_wide(table, coders=CODERS)).html
    result = coder_report(checked(whole) and af.Annotations.from_wide(table, coders=CODERS))
    order = [CODERS[c] for c in result.order.tolist()]
    assert order[:2] == ["Dan", "Cid"]
    # The matrix has the three with most judgments, as columns and rows; then come the two lists.
    matrix = rows_below(whole, 'id="part-pairs-of-coders-head"')
    assert matrix[0][-3:] == [row[0] for row in matrix[1:]] == ["Ann", "Bea", "Cid"]
    each = rows_below(whole, 'id="part-each-coder-with-the-others-head"')
    assert [row[0] for row in each[1:]] == ["Dan", "Cid"]
    assert [row[0] for row in rows_below(whole, BELOW)[1:]] == ["a", "b"]


def test_very_many_labels_are_not_examined(monkeypatch):
    from agreement_fast.reports import coders

    monkeypatch.setattr(coders, "CELLS_OF_ALL", 11)
    made = checked(page(DATA).html)
    assert "too many to compare coders" in made.section("part-coders")
    assert not made.all("script", id="pairs-data")


def test_categories_stand_with_their_agreement(made):
    text = made.section("part-agreement-on-each-category")
    for row in nonempty(category_agreement(DATA)):
        assert f"{row.specific_agreement:.4f}" in text
        assert f"{row.alpha:.4f}" in text


def test_items_are_the_most_disputed_with_what_each_coder_said(made):
    result = disagreements(DATA, sort="share")
    data = made.data("items-data")
    wide = DATA.to_wide()
    assert [row[0] for row in data["rows"]] == [str(i) for i in result.places.tolist()]
    for row, dispute in zip(data["rows"], result, strict=True):
        item = int(row[0])
        assert row[1] == pytest.approx(dispute.disagreement, abs=1e-4)
        assert row[2] == pytest.approx(dispute.share, rel=1e-3)
        said = {
            data["coders"][who]: data["labels"][what]
            for who, what in zip(row[5][::2], row[5][1::2], strict=True)
        }
        want = {who: what for who, what in zip(CODERS, wide[item], strict=True) if what is not None}
        assert said == want


def test_findings_are_those_of_the_diagnosis():
    table = [("a", "a", "a"), ("b", "b", "c"), ("c", "c", "b"), ("d", "d", "d")] * 40
    text = checked(page(table).html).section("part-what-costs-agreement-most-and-roughly-how-much")
    for finding in nonempty(af.diagnose(table)):
        assert f"{finding.sentence} {finding.advice}" in text


def test_what_is_no_answer_is_folded_on_small_screens(made):
    shown = [one["text"].strip() for one in made.all("summary")]
    assert {"Data", "Which labels met", "Methodology", "BibTeX entry"} <= {*shown}
    assert not {"Agreement", "Pairs of coders", "Items"} & {*shown}
    linked = {one["href"] for one in made.all("a") if "nav" in one["inside"]}
    assert {"#part-agreement", "#part-pairs-of-coders", "#items", "#method"} <= linked
    assert "#part-data" not in linked


@pytest.mark.parametrize("texts", [True, False])
def test_texts_are_shown_or_left_out(texts):
    data = DATA.with_texts({i: f"Secret {i}" for i in range(60)})
    made = page(data, texts=texts).html
    assert ("Secret" in made) is texts
    checked(made)


def test_links_are_links_only_where_they_lead_to_the_web():
    data = af.Annotations.from_wide([["a", "b"]] * 4, items=list("wxyz")).with_texts(
        {"w": "https://example.org/1", "x": "javascript:alert(1)", "y": "http://a b", "z": "//x"}
    )
    made = checked(page(data).html)
    links = [one["href"] for one in made.all("a") if not one["href"].startswith("#")]
    assert links == ["https://example.org/1"]


def test_labels_never_become_elements():
    labels, items = HOSTILE[:12], [f"{one} {i}" for i, one in enumerate(HOSTILE * 8)]
    plain = noisy(len(items), 4, [f"label {i}" for i in range(12)], 0.1)
    words = {f"label {i}": label for i, label in enumerate(labels)}
    data = af.Annotations.from_wide(
        [[words.get(one) for one in row] for row in plain], items=items, coders=HOSTILE[:4]
    ).with_texts(dict(zip(items, HOSTILE * 8, strict=True)))
    made = page(data, title=HOSTILE[0])
    read = checked(made.html)
    tame = checked(page(af.Annotations.from_wide(plain, coders=[*CODERS])).html)
    assert len(read.all("script")) == len(tame.all("script")) == 4
    assert read.all("title")[0]["text"] == HOSTILE[0]
    assert {one["tag"] for one in read.elements} <= {one["tag"] for one in tame.elements}
    assert "\u202e" not in re.sub(r"<script type.*?</script>", "", made.html)
    assert "49" not in read.all("h1")[0]["text"]
    assert read.data("document")["categories"][0]["category"] in labels
    made.html.encode()


SMALL = {
    "one coder": [["a"], ["b"]],
    "one item": [["a", "b", "a"]],
    "no judgment": [[None, None]],
    "no variation": [["a", "a"]] * 3,
    "no disagreement": [["a", "a"], ["b", "b"]] * 9,
    "sets": [[frozenset("ab"), frozenset("a")], [frozenset(), frozenset("b")]] * 5,
    "two coders": noisy(20, 2, ABC),
    "numbers": [[1.5, 2], [2, 2], [7, 3]],
    "long names": noisy(30, 3, [f"a very long name of category number {i}" for i in range(30)]),
}


@pytest.mark.parametrize("name", SMALL)
def test_small_and_odd_data_have_a_page(name):
    table = SMALL[name]
    data = af.Annotations.from_wide(table, coders=range(len(table[0])))
    made = checked(page(data).html)
    text = made.section("main")
    assert not re.search(r"\bnan\b", text)
    result = report(data)
    reason = result.table[result.quoted].undefined
    assert ("is undefined" in made.section("part-agreement")) is (reason is not None)
    assert reason is None or reason in made.section("part-agreement")
    assert ("No item has any disagreement" in text) is (name.startswith(("no ", "one coder")))


def test_other_coefficients_distances_and_intervals():
    table = noisy(30, 3, [1, 2, 3])
    made = checked(page(table, ["beta"], ["ordinal"], method="percentile", rng=0).html)
    assert "beta (ordinal) = " in made.section("part-agreement")
    assert "Percentiles of a bootstrap, 2,000 resamples" in made.section("part-intervals")
    read = made.section("part-how-such-values-have-been-read")
    assert "scales that give words to values should not be used" in read
    assert "its interval" not in read


def test_intervals_have_the_requested_level():
    made = checked(page(DATA, confidence_level=0.8).html)
    result = category_agreement(DATA, confidence_level=0.8)[0]
    categories, _, each = map(made.section, OF_ITEMS)
    assert f"{result.specific_low:.4f}{result.specific_high:.4f}" in categories
    assert f"{result.alpha_low:.4f}{result.alpha_high:.4f}" in categories
    of_coder = coder_report(DATA, confidence_level=0.8)
    assert f"{of_coder.change_low[0]:+.4f}" in each
    values = pairwise_agreement(DATA, confidence_level=0.8)
    data = made.data("pairs-data")
    assert data["interval"] == "80% interval"
    assert data["values"]["0-1"][1:] == [f"{values.low[0]:.4f}", f"{values.high[0]:.4f}"]
    assert each.count("80% from") == 1
    assert categories.count("80% from") == 2
    assert "95%" not in made.section("main")


def test_remarks_and_readings_are_those_of_the_report():
    table = [["a", "a"]] * 90 + [["a", "b"]] * 6 + [["b", "b"]] * 4
    result = report(table, method="score")
    made = checked(page(table).html)
    assert result.remarks[0].text in made.section("part-what-they-say")
    read = made.section("part-how-such-values-have-been-read")
    assert "moderatefair to almost perfect" in read


def test_unknown_coders_and_weights_are_reported():
    made = checked(page(af.Annotations.from_counts([[3, 2], [5, 0], [1, 4]])).html)
    assert "It is not known who judged what" in made.section("part-coders")
    assert made.data("items-data")["rows"][0][5] in ([3, 0, 2, 1], [4, 1, 1, 0])
    weighted = af.Annotations.from_wide([["a", "b"], ["a", "a"], ["b", "b"]], weights=[7, 2, 1])
    made = checked(page(weighted).html)
    assert "A row represents the number of items" in made.section("items")
    assert made.data("items-data")["rows"][0][3] == 7


def test_items_without_a_pair_are_those_judged_once_and_never():
    rows = [["a", "a"], ["b", "b"], ["a", "b"], ["a", None], [None, None], [None, None]]
    made = checked(page(rows).html)
    assert "with one judgment: 1, with none: 2" in made.section("part-data")


def test_an_item_with_many_judgments_shows_counts():
    data = af.Annotations.from_wide(noisy(5, 250, ABC), coders=range(250))
    made = checked(page(data).html)
    rows = made.data("items-data")["rows"]
    assert all(sum(row[5][::2]) == 250 for row in rows)
    assert "more than 200 judged an item" in made.section("items")


@pytest.mark.breadth
def test_many_items_coders_and_categories_fit():
    labels = [f"category {i}" for i in range(40)]
    data = af.Annotations.from_wide(noisy(4000, 30, labels, 0.7, seed=1))
    made = checked(page(data.with_texts(dict.fromkeys(range(4000), "text " * 99))).html)
    rows = made.data("items-data")["rows"]
    disputed = len(disagreements(data))
    assert 100 < len(rows) < 2000 < disputed
    assert (
        f"{disputed:,} of 4,000 items have any disagreement. The {len(rows):,} most"
        in made.section("items")
    )
    categories, pairs, _ = map(made.section, OF_ITEMS)
    assert "25 of 30 coders with the most judgments" in pairs
    assert "30 most frequent of 40 categories" in categories
    assert all(len(row[4]) <= 400 for row in rows)


def test_a_large_document_is_left_out_with_a_note():
    random = np.random.default_rng(0)
    made = checked(page(random.normal(size=(900, 2)).round(4), distance=["interval"]).html)
    assert not made.all("script", id="document")
    assert "too much for this page" in made.section("method")
    assert "too many to examine" in made.section(OF_ITEMS[0])


def test_items_without_names_are_kinds():
    result = report(DATA)
    beside = beside_report(result, title="x", named=False)
    made = checked(sections_page(result.sections(), {}, title="x", beside=beside).html)
    assert "so items have no names" in made.section("items")
    assert made.data("items-data")["rows"][0][0] == "kind 1"


def test_an_incomplete_file_is_never_saved(tmp_path):
    made = page(DATA)
    target = tmp_path / "page.html"
    made.save(target)
    assert target.read_text(encoding="utf-8") == made.html
    with pytest.raises(OSError, match="No such file"):
        made.save(tmp_path / "nowhere" / "page.html")
    assert [one.name for one in tmp_path.iterdir()] == ["page.html"]
    broken = Page("broken", "\ud800")
    with pytest.raises(UnicodeEncodeError):
        broken.save(target)
    assert target.read_text(encoding="utf-8") == made.html
    assert [one.name for one in tmp_path.iterdir()] == ["page.html"]


def test_a_notebook_shows_it_in_a_frame():
    frame = page(DATA, title='"><b>')._repr_html_()
    assert frame.startswith('<iframe title="&quot;&gt;&lt;b&gt;"')
    assert frame.count("<") == 2
    assert repr(page(DATA, title="x")).startswith("<page 'x': ")


def test_without_jinja_the_remedy_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(af.AgreementError, match=r'pip install "agreement-fast\[html\]"'):
        page(DATA)


def test_the_script_is_small_and_has_no_markup():
    from agreement_fast.reports import rendering

    script = (rendering.files("agreement_fast.reports") / "templates" / "page.js").read_text()
    assert len(script.encode()) < 10_000
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|https?://", script
    )


@pytest.mark.parametrize("name", ["report.json", "report.docx", "report"])
def test_a_page_is_saved_as_html_only(tmp_path, name):
    """Another ending promises another form."""
    with pytest.raises(ValueError, match=r"does not end in \.html: to_dict\(\)"):
        af.report([["x", "x"], ["x", "y"], ["y", "y"]]).save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []
