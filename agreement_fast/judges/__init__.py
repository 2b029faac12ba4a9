"""Models as judges: beside people, in place of one of them, beside each other, run after run.

The map:

    models           which coders are models, and what they said
    compare          each model with the people beside the people among themselves
    alternative      may a model replace a person? The alternative annotator test
    error_correlation   do judges err on the same items, and how many do they count for?
    runs             a judge's repeated judgments
"""

from agreement_fast.judges.alternative import AlternativeAnnotatorTest, alternative_annotator_test
from agreement_fast.judges.compare import JudgeComparison, compare
from agreement_fast.judges.error_correlation import ErrorCorrelation, error_correlation
from agreement_fast.judges.runs import RunStability, run_stability

__all__ = [
    "AlternativeAnnotatorTest",
    "ErrorCorrelation",
    "JudgeComparison",
    "RunStability",
    "alternative_annotator_test",
    "compare",
    "error_correlation",
    "run_stability",
]
