"""Names of models are distinguished from those of people."""

import pytest

from agreement_fast.reading.recognition.names import looks_like_model


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
