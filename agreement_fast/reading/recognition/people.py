"""Which names of coders are those of models, not of people."""

from __future__ import annotations

import re
from typing import Any

from agreement_fast.reading.recognition.names import words_in

#: Words in the names of models; digits may follow, as in "llama3".
_WORDS = words_in(
    "ai, anthropic, bot, chatbot, chatglm, chatgpt, claude, classifier, codellama, cohere, "
    "davinci, deberta, deepseek, distilbert, falcon, flan, gemini, gemma, glm, gpt, grok, haiku, "
    "instruct, kimi, llama, llm, machine, ministral, mistral, mixtral, model, modell, modelo, "
    "modèle, openai, palm, qwen, sonnet, turbo, vicuna, xlm"
)


def looks_like_model(name: Any) -> bool:
    """Return whether the name of a coder looks like that of a model.

    Examples
    --------
    >>> [looks_like_model(name) for name in ("gpt-4o", "Llama3.1", "model_b", "Ann", "Modest", 7)]
    [True, True, True, False, False, False]
    """
    if not isinstance(name, str):
        return False
    words = re.findall(r"[^\W\d_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name))
    return not _WORDS.isdisjoint(
        word.casefold() for word in (*words, *re.findall(r"[^\W\d_]+", name))
    )
