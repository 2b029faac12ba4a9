"""The order of the site: its sections, in the order of the bar on top, and their pages."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """A section of the site, and what its tab says.

    `pages` are names in `docs/` without `.md`, or of `FROM_ELSEWHERE`.
    """

    name: str
    tab: str
    title: str
    says: str
    pages: tuple[str, ...]


#: Pages of the repository that are not in `docs/`, by their names on the site.
FROM_ELSEWHERE = {
    "index": "README.md",
    "changelog": "CHANGELOG.md",
    "contributing": "CONTRIBUTING.md",
    "security": "SECURITY.md",
    "benchmarks": "benchmarks/README.md",
}

SECTIONS = (
    Section(
        "starting",
        "Start",
        "Start",
        "One page for each kind of user, from the data to the number.",
        (
            "start/spreadsheet",
            "start/pandas",
            "start/llm_judges",
            "start/qualitative_codes",
            "start/crowd",
            "start/spans",
            "start/warehouse",
            "start/classroom",
            "r",
        ),
    ),
    Section(
        "coefficients",
        "Coefficients",
        "Coefficients",
        "Which coefficient and why, how each is defined, and what other programs call it.",
        (
            "choosing",
            "definitions",
            "glossary",
            "crosswalk",
            "other_measures",
            "papers",
        ),
    ),
    Section(
        "topics",
        "Labels",
        "Labels and units",
        "Labels that are more than a category, and units that coders choose themselves.",
        ("labelsets", "hierarchy", "texts", "units", "relations", "objects"),
    ),
    Section(
        "inference_and_studies",
        "Inference",
        "Inference",
        "How sure a value is, how many items are needed, and what other coders would say.",
        ("inference", "tests", "subsets", "stability"),
    ),
    Section(
        "models_and_diagnosis",
        "Diagnosis",
        "Diagnosis",
        "What disagrees and why, models beside people, and one label for each item.",
        ("diagnostics", "judges", "models", "aggregation"),
    ),
    Section(
        "data_and_reports",
        "Data",
        "Data and reports",
        "Files, engines and data frames; the command, its reports and pages, and pictures.",
        ("report", "commands", "formats", "engines", "accumulate", "tables", "plots", "page"),
    ),
    Section(
        "project",
        "Project",
        "Project",
        "Speed, how to cite, what has changed, and how to take part.",
        (
            "performance",
            "benchmarks",
            "versions",
            "citing",
            "changelog",
            "contributing",
            "core",
            "names",
            "security",
        ),
    ),
)

#: What the bar on top says, and where it leads: the gallery and the reference, which are generated,
#: come before the project's pages.
TABS = (
    *((section.tab, section.name) for section in SECTIONS[:-1]),
    ("Gallery", "gallery/index"),
    ("Reference", "api/index"),
    (SECTIONS[-1].tab, SECTIONS[-1].name),
)
