"""How coders divide a text

A row for each coder, and below the number of coders who set each boundary; black if most do.
"""

from agreement_fast import plots

ax = plots.segmentations(
    {
        "Ann": "0001000010000100000100010000",
        "Bea": "0001000010000100001000010000",
        "Cid": "0001000100000100000100010010",
        "Dov": "0000000010010100000100010000",
    }
)
