"""What disagrees and why: items, coders, pairs of coders, categories, bias and prevalence."""

from typing import TYPE_CHECKING

from agreement_fast import lookups

if TYPE_CHECKING:
    from agreement_fast.diagnostics.alternative_annotators import (
        alternative_annotator_test as alternative_annotator_test,
    )
    from agreement_fast.diagnostics.alternative_annotators import more_people as more_people
    from agreement_fast.diagnostics.bias import bias as bias
    from agreement_fast.diagnostics.categories import category_agreement as category_agreement
    from agreement_fast.diagnostics.categories import category_confusions as category_confusions
    from agreement_fast.diagnostics.category_path import category_path as category_path
    from agreement_fast.diagnostics.coders import coder_report as coder_report
    from agreement_fast.diagnostics.codes import code_agreement as code_agreement
    from agreement_fast.diagnostics.disputes import disagreements as disagreements
    from agreement_fast.diagnostics.drift import drift as drift
    from agreement_fast.diagnostics.error_correlation import error_correlation as error_correlation
    from agreement_fast.diagnostics.gold_scores import gold_scores as gold_scores
    from agreement_fast.diagnostics.gold_scores import majority_agreement as majority_agreement
    from agreement_fast.diagnostics.intra_coder import (
        intra_coder_agreement as intra_coder_agreement,
    )
    from agreement_fast.diagnostics.largest_kappa import chance_accuracy as chance_accuracy
    from agreement_fast.diagnostics.largest_kappa import largest_kappa as largest_kappa
    from agreement_fast.diagnostics.missing import missing_judgments as missing_judgments
    from agreement_fast.diagnostics.model_agreement import model_agreement as model_agreement
    from agreement_fast.diagnostics.pairs import pairwise_agreement as pairwise_agreement
    from agreement_fast.diagnostics.position_bias import position_bias as position_bias
    from agreement_fast.diagnostics.ratings import (
        differential_functioning as differential_functioning,
    )
    from agreement_fast.diagnostics.ratings import item_scores as item_scores
    from agreement_fast.diagnostics.ratings import leniency as leniency


#: Public names by their modules, which are loaded on first use.
_HOMES = {
    "alternative_annotators": "alternative_annotator_test more_people",
    "bias": "bias",
    "categories": "category_agreement category_confusions",
    "category_path": "category_path",
    "coders": "coder_report",
    "codes": "code_agreement",
    "disputes": "disagreements",
    "drift": "drift",
    "error_correlation": "error_correlation",
    "gold_scores": "gold_scores majority_agreement",
    "intra_coder": "intra_coder_agreement",
    "largest_kappa": "chance_accuracy largest_kappa",
    "missing": "missing_judgments",
    "model_agreement": "model_agreement",
    "pairs": "pairwise_agreement",
    "position_bias": "position_bias",
    "ratings": "differential_functioning item_scores leniency",
}

if not TYPE_CHECKING:
    __getattr__, __dir__ = lookups(__name__, _HOMES)
