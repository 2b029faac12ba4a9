"""What disagrees and why: items, coders, pairs of coders, categories, bias and prevalence."""

from agreement_fast.diagnostics.bias import (
    Bias,
    CategoryBias,
    DifferenceByCoders,
    bias,
    bias_by_category,
    bias_by_coders,
    difference_by_coders,
)
from agreement_fast.diagnostics.categories import (
    CategoryAgreement,
    CategoryTable,
    Confusion,
    category_agreement,
    category_confusions,
)
from agreement_fast.diagnostics.category_errors import NegativeAgreement, negative_agreement
from agreement_fast.diagnostics.category_path import CategoryPath, MergingStep, category_path
from agreement_fast.diagnostics.coders import CoderReport, coder_report
from agreement_fast.diagnostics.diagnosis import diagnose
from agreement_fast.diagnostics.disputes import Disagreements, Dispute, disagreements
from agreement_fast.diagnostics.drift import CoderDrift, Drift, DriftWindow, drift
from agreement_fast.diagnostics.evaluate_model import ModelEvaluation, evaluate_model
from agreement_fast.diagnostics.findings import Diagnosis, Finding
from agreement_fast.diagnostics.gold import AgainstGold, against_gold
from agreement_fast.diagnostics.gold_scores import GoldScores, gold_scores
from agreement_fast.diagnostics.intra_coder import IntraCoderAgreement, intra_coder_agreement
from agreement_fast.diagnostics.items import DisputedItem, ItemDisagreement, item_disagreement
from agreement_fast.diagnostics.largest_kappa import (
    ChanceAccuracy,
    LargestKappa,
    chance_accuracy,
    largest_kappa,
)
from agreement_fast.diagnostics.majority import MajorityAgreement, majority_agreement
from agreement_fast.diagnostics.pairs import (
    PairMean,
    PairwiseAgreement,
    pair_mean,
    pairwise_agreement,
)

__all__ = [
    "AgainstGold",
    "Bias",
    "CategoryAgreement",
    "CategoryBias",
    "CategoryPath",
    "CategoryTable",
    "ChanceAccuracy",
    "CoderDrift",
    "CoderReport",
    "Confusion",
    "Diagnosis",
    "DifferenceByCoders",
    "Disagreements",
    "Dispute",
    "DisputedItem",
    "Drift",
    "DriftWindow",
    "Finding",
    "GoldScores",
    "IntraCoderAgreement",
    "ItemDisagreement",
    "LargestKappa",
    "MajorityAgreement",
    "MergingStep",
    "ModelEvaluation",
    "NegativeAgreement",
    "PairMean",
    "PairwiseAgreement",
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
