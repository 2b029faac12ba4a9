"""Names of models are distinguished from those of people."""

import warnings

import pytest

import agreement_fast as af
from agreement_fast.reading.recognition.names import looks_like_model, runs_of_models


@pytest.mark.parametrize(
    "name",
    [
        "gpt", "GPT-4o", "gpt4", "gpt_5_mini", "claude", "Claude 3.5 Sonnet", "llama3.1:70b",
        "Meta-Llama-3", "gemini-1.5-pro", "mistral", "mixtral_8x7b", "model", "model_b", "Model1",
        "llm", "LLM2", "myLlmJudge", "ai", "qwen2.5", "deepseek-r1", "chatGPT",
    ],
)  # fmt: skip
def test_models(name):
    assert looks_like_model(name)


@pytest.mark.parametrize(
    "name",
    ["ann", "Bob", "Gertrud", "Aida", "Robot", "Modelski", "rater 1", "coder_a", "A1", "", 7, None,
     ("gpt", 1), "Claudette", "Kai", "Lamar"],
)  # fmt: skip
def test_people(name):
    assert not looks_like_model(name)


@pytest.mark.parametrize(
    "names",
    [
        ["gpt_run1", "gpt_run2", "ann"],
        ["GPT4Run1", "GPT4Run2", "ann"],
        ["gpt-4o seed=7", "gpt-4o seed=11", "claude"],
        ["gpt-4o_1", "gpt-4o_2", "ann"],
        ["gpt-4 (0)", "gpt-4 (1)", "ann"],
    ],
)
def test_runs_of_a_model_beside_others_are_one_coder(names):
    assert runs_of_models(names) == [names[:2]]
    frame = dict(zip(names, (list("xyxyyx"), list("xyxyyy"), list("yyxxyx")), strict=True))
    with pytest.warns(af.LabelHint, match="have the names of runs of one model"):
        af.alpha(frame)
    long = [(name, item, label) for name in names for item, label in enumerate(frame[name])]
    with pytest.warns(af.LabelHint, match="have the names of runs of one model"):
        af.Annotations.from_triples(long)


@pytest.mark.parametrize(
    "names",
    [
        ["gpt_run1", "gpt_run2", "gpt_run3"],
        ["gpt-3.5", "gpt-4", "ann"],
        ["claude_3_5", "claude_3_7", "ann"],
        ["llama-2-7b", "llama-2-13b", "ann"],
        ["gpt-4o-2024-05-13", "gpt-4o-2024-08-06", "ann"],
        ["model_1", "model_2", "ann"],
        ["ann_run1", "ann_run2", "ben"],
    ],
)
def test_versions_of_models_and_runs_alone_are_coders(names):
    assert runs_of_models(names) == []
    columns = (list("xyxyyx"), list("xyxyyy"), list("yyxxyx"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.filterwarnings("error", ".*runs of one model")
        af.alpha(dict(zip(names, columns, strict=True)))
