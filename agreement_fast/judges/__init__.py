"""Models as judges: compared with people, with each other, and with their own earlier runs.

The modules:

    models              which coders are models, and their labels
    compare             agreement of each model with the people, and of the people with each other
    alternative         the alternative annotator test: may a model replace a person?
    advantage           whether a model or a person is nearer to the other people, item by item
    error_correlation   whether judges err on the same items, and how many they are worth
    scores              one score for each item
    leniency            who rates higher than the others on the same items
    runs                a judge's repeated judgments
    position            whether a judge of two answers prefers the first one
"""

from agreement_fast.diagnostics.alternative_annotators import (
    AlternativeAnnotatorTest,
    alternative_annotator_test,
)
from agreement_fast.diagnostics.error_correlation import ErrorCorrelation, error_correlation
from agreement_fast.diagnostics.item_scores import ItemScores, item_scores
from agreement_fast.diagnostics.leniency import Leniency, leniency
from agreement_fast.diagnostics.model_agreement import JudgeComparison, compare
from agreement_fast.diagnostics.position_bias import PositionBias, position_bias
from agreement_fast.diagnostics.run_stability import RunStability, run_stability

__all__ = [
    "AlternativeAnnotatorTest",
    "ErrorCorrelation",
    "ItemScores",
    "JudgeComparison",
    "Leniency",
    "PositionBias",
    "RunStability",
    "alternative_annotator_test",
    "compare",
    "error_correlation",
    "item_scores",
    "leniency",
    "position_bias",
    "run_stability",
]
