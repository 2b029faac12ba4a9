"""Links as people give them, and what is refused."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from agreement_fast import units
from agreement_fast.errors import InputError, InputTypeError

LINKS = [("d", "Ann", "b", "a"), ("d", "Ann", "c", None), ("d", "Bob", "b", "a")]
NAMES = ["document", "coder", "mention", "antecedent"]


def test_columns_of_frames_are_found_by_name() -> None:
    frame = pd.DataFrame(LINKS, columns=NAMES)
    result = units.scores(units.Chains.from_links(frame[NAMES[::-1]]), "ceaf_e")
    assert (
        result[0].value
        == units.scores(units.Chains.from_links(LINKS), "ceaf_e")[0].value
        == pytest.approx(2 / 3)
    )
    with pytest.raises(InputError, match="the columns of links are 'coder', 'document', 'b', 'c'"):
        units.judgments(
            units.Chains.from_links(frame.set_axis(["coder", "document", "b", "c"], axis=1))
        )


@pytest.mark.parametrize("links", [None, 3])
def test_links_are_rows(links: Any) -> None:
    with pytest.raises(InputTypeError, match="links must be rows of"):
        units.scores(units.Chains.from_links(links))


def test_measures_are_names() -> None:
    with pytest.raises(InputTypeError, match="measure must be a name or several names, not 3"):
        units.scores(units.Chains.from_links(LINKS), 3)  # type: ignore[arg-type]
