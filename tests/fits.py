"""The models that `aggregate` fits, one by one."""

from typing import Any

from agreement_fast import aggregate


def dawid_skene(data: Any, **options: Any) -> Any:
    return aggregate(data, "dawid_skene", **{"n_restarts": 0, **options}).model


def mace(data: Any, **options: Any) -> Any:
    return aggregate(data, "mace", **options).model


def glad(data: Any, **options: Any) -> Any:
    return aggregate(data, "glad", **options).model


def crowdlab(data: Any, probabilities: Any) -> Any:
    return aggregate(data, "crowdlab", probabilities=probabilities).model
