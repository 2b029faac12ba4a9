"""What disagrees and why: items, coders, pairs of coders, categories, bias and prevalence."""

from agreement_fast.diagnostics.bias import (
    bias,
    bias_by_category,
    bias_by_coders,
    difference_by_coders,
)
from agreement_fast.diagnostics.categories import category_agreement, category_confusions
from agreement_fast.diagnostics.category_errors import negative_agreement
from agreement_fast.diagnostics.category_path import category_path
from agreement_fast.diagnostics.coders import coder_report
from agreement_fast.diagnostics.diagnosis import diagnose
from agreement_fast.diagnostics.disputes import disagreements
from agreement_fast.diagnostics.drift import drift
from agreement_fast.diagnostics.evaluate_model import evaluate_model
from agreement_fast.diagnostics.gold import against_gold
from agreement_fast.diagnostics.gold_scores import gold_scores
from agreement_fast.diagnostics.intra_coder import intra_coder_agreement
from agreement_fast.diagnostics.items import item_disagreement
from agreement_fast.diagnostics.largest_kappa import chance_accuracy, largest_kappa
from agreement_fast.diagnostics.majority import majority_agreement
from agreement_fast.diagnostics.pairs import pair_mean, pairwise_agreement

__all__ = [
    "against_gold",
    "bias",
    "bias_by_category",
    "bias_by_coders",
    "category_agreement",
    "category_confusions",
    "category_path",
    "chance_accuracy",
    "coder_report",
    "diagnose",
    "difference_by_coders",
    "disagreements",
    "drift",
    "evaluate_model",
    "gold_scores",
    "intra_coder_agreement",
    "item_disagreement",
    "largest_kappa",
    "majority_agreement",
    "negative_agreement",
    "pair_mean",
    "pairwise_agreement",
]
