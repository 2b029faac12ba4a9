"""Usual names of columns and of models: one list for the library and the command."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import compress
from typing import Any

#: Names whose meaning is kept, and the group of those with none.
MANY, UNKNOWN = 1 << 12, 99


def words_in(text: str) -> frozenset[str]:
    """Return words that are separated by commas."""
    return frozenset(text.split(", "))


# Usual column names in lower case, without punctuation and a final "id" or "name". Earlier groups
# are preferred to later ones; two columns with names of one group are ambiguous.
USUAL_NAMES: Mapping[str, tuple[frozenset[str], ...]] = {
    role: tuple(map(words_in, groups))
    for role, groups in {
        "item": (
            "item",
            "unit, task, instance, example, subject, sample, question, document, doc, text, "
            "sentence, segment, hit, case, patient, record, post, tweet, comment, object, target, "
            "image",
            "id",
        ),
        "coder": (
            "coder",
            "annotator, rater, worker, judge, labeler, labeller, reviewer, reader, observer, "
            "expert, assessor, grader",
            "user, participant, respondent, model, completedby, createdby",
        ),
        "label": (
            "label",
            "annotation, judgment, judgement, rating, category, code, class",
            "score, answer, value, response, choice, decision, grade, vote, tag",
            "stance, sentiment, verdict",
        ),
        "start": ("start", "begin, onset, from, startchar"),
        "end": ("end", "stop, offset, to, endchar"),
        "category": ("category", "label, type, tag, class, code, annotation"),
        "document": ("document", "doc, text, file, filename, recording, video, audio, session"),
        "mention": ("mention", "markable, expression, anaphor"),
        "antecedent": ("antecedent", "referent, refersto, link, target"),
        "marks": ("marks", "segmentation, boundaries"),
        "lengths": ("lengths", "segmentlengths, masses"),
    }.items()
}

#: Words in the name of a column that show that it is not a coder. One word of "any" is enough,
#: anywhere in the name; a word of "all" counts only if all other words are of "all" or "with".
OTHER_ROLES: Mapping[str, Mapping[str, frozenset[str]]] = {
    "comment": {
        "any": words_in(
            "comments, note, notes, remark, remarks, rationale, reasoning, explanation, "
            "justification, feedback, memo, memos, bemerkung, bemerkungen, kommentar, kommentare, "
            "anmerkung, anmerkungen"
        ),
    },
    "gold": {
        "any": words_in(
            "gold, goldstandard, truth, groundtruth, reference, consensus, adjudicated, "
            "adjudication, curated, curation, resolved, endentscheidung, adjudicator, curator, "
            "musterlösung, lösung, solution, referenz, gt, reconciled, arbitrated, arbitration, "
            "oracle, konsens, vérité, endergebnis, ergebnis, recoded, corrección, aggregated, "
            "loesung, initial_cas, correction_user, consenso, discussed"
        ),
        "all": words_in(
            "true, correct, final, actual, expected, soll, sollwert, schiedsrichter, arbiter, "
            "arbitrator"
        ),
        "with": words_in("label, code, class, category, answer, decision, score, y"),
    },
    "result": {
        "all": words_in(
            "decision, resolution, verdict, prediction, predictions, predicted, pred, outcome, "
            "result, winner, urteil, entscheidung, vorhersage, décision, prédiction, résultat, "
            "decisión, predicción, resultado, endnote"
        ),
        "with": words_in("label, code, class, category, score, y"),
    },
    "total": {
        "any": words_in(
            "total, mean, average, avg, median, majority, agree, agreed, agreement, disagree, "
            "disagreement, std, stdev, variance, entropy, mittelwert, summe, gesamt, durchschnitt, "
            "mehrheit, übereinstimmung, moyenne, médiane, somme, désaccord, promedio, mediana, "
            "acuerdo, desacuerdo, mayoría, differenz, diferencia, écart, modus, mdn, maj"
        ),
        "all": words_in(
            "sum, mode, match, same, difference, diff, all, sd, raters, coders, annotators, "
            "judges, votes, range, kappa, accord, suma, media, var, einig"
        ),
        "with": frozenset({"score", "scores", "abs", "absolute", "n"}),
    },
    "weights": {
        "all": words_in(
            "weight, weights, frequency, freq, count, counts, size, len, n, anzahl, häufigkeit, "
            "wt, wgt, weighting, gewicht, gewichtung, cnt, obs, nb, nobs, times, occurrences, "
            "frequencies, häufigkeiten, fréquence, frecuencia, nombre"
        ),
        "with": frozenset({"star"}),  # DuckDB's count_star()
    },
    "attribute": {
        "any": words_in(
            "date, timestamp, datetime, url, uri, duration, confidence, conf, certainty"
        ),
        "all": words_in(
            "created, updated, submitted, time, link, age, gender, language, lang, country, split, "
            "sex, filter, valid, keep, flag, flagged, discuss, length, difficulty, prob, "
            "probability, usable, include, semester, experience, words, tokens, priority, rt, "
            "status, stage, phase, check, ok, alter, sec, secs, seconds, type"
        ),
        "with": frozenset({"at", "on", "lead"}),
    },
    "group": {
        "all": words_in(
            "genre, speaker, source, group, week, session, block, condition, page, batch, round, "
            "wave, site, cluster, fold, topic, domain, corpus, dataset, project, month, year, day, "
            "stratum, treatment, school, chapter, klasse, gruppe, jahr, target, rank, order, "
            "version, position, sequence, rang, reihenfolge, ordre, orden, versión, "
            "set, part, run, class"
        ),
    },
    "item": {
        "all": frozenset().union(*USUAL_NAMES["item"])
        | words_in(
            "nr, no, num, number, index, idx, key, name, uid, uuid, guid, row, line, entry, "
            "aufsatz, klausur, arbeit, artikel, antwort, absatz, "
            "unnamed, column, essay, abstract, paper, article, title, video, audio, recording, "
            "clip, file, filename, path, utterance, phrase, paragraph, passage, prompt, "
            "statement, claim, review, word, token, respondent, participant, person, student, "
            "child, client, interview, transcript, message, turn, level, study, slide, scan, "
            "photo, picture, product, event, trial, specimen, species, span, content, body, "
            "headline"
        ),
    },
}

#: What people judge, in names of columns with numbers: "Video1", "essay_2".
_JUDGED = words_in(
    "item, task, question, q, frage, aufgabe, video, clip, audio, image, bild, photo, picture, "
    "text, essay, aufsatz, document, doc, dokument, article, artikel, abstract, post, tweet, "
    "sentence, satz, paragraph, passage, story, stimulus, vignette, scenario, statement, claim, "
    "headline, transcript, recording, poem, prompt, pregunta, imagen, texto, phrase, stim, face, "
    "picture, pic, slide, scene, trial, case, patient, specimen"
)

#: Names that survey tools give to the parts of a question.
_QUESTION = re.compile(r"(g\d+)?q\d+(_\d+|\[(sq)?\d+\])", re.IGNORECASE)

#: Criteria by which a coder judges an item, and words that may stand beside them in a name.
_CRITERIA = words_in(
    "clarity, fluency, grammar, grammaticality, coherence, cohesion, relevance, consistency, "
    "accuracy, correctness, completeness, helpfulness, harmlessness, honesty, toxicity, "
    "politeness, readability, style, spelling, punctuation, vocabulary, organization, "
    "organisation, structure, creativity, originality, quality, informativeness, factuality, "
    "faithfulness, groundedness, adequacy, naturalness, engagement, engagingness, conciseness, "
    "depth, tone, stance, sentiment, emotion, argument, argumentation, evidence, "
    "persuasiveness, empathy, safety, usefulness, usability, novelty, soundness, presentation, "
    "severity, valence, arousal, dominance, anger, joy, fear, sadness, disgust, surprise, hate, "
    "humor, humour, irony, sarcasm, offensiveness, credibility, plausibility, understandability, "
    "specificity, mechanics, conventions, ideas, warmth, competence, intelligibility, "
    "comprehensibility, pronunciation, intonation, insult, threat, profanity, obscenity, "
    "klarheit, grammatik, verständlichkeit, stil, inhalt, aufbau, rechtschreibung, ausdruck, "
    "kohärenz, relevanz, genauigkeit, vollständigkeit, flüssigkeit, struktur, clarté, grammaire, "
    "contenu, cohérence, pertinence, claridad, gramática, fluidez, coherencia, relevancia"
)
_RATED = words_in("score, rating, label, rate, level, overall, text, content, language, use, of")

#: What divides judgments by what was asked.
_ASKING = words_in(
    "question, questions, criterion, criteria, aspect, dimension, facet, attribute, variable, "
    "subscale, construct, measure, metric, frage, kriterium, merkmal, aspekt, critère, criterio"
)

#: Names of people who judge, and who may also be what is judged.
_PEOPLE = words_in(
    "respondent, participant, person, student, teacher, child, client, user, informant, "
    "interviewee, voter, juror, panelist, member, reader, subject, teilnehmer, befragte, schüler, "
    "prolific, email, mail, name, initials, doctor, physician, nurse"
)

#: Names of the right answers. "key" also numbers rows, so the values must decide.
_ANSWER_KEYS = frozenset({"key", "answerkey", "scoringkey", "markingkey", "solutionkey"})

#: Names of labels that are opposites; a column between them is none of numbers ("no").
_OPPOSITES = (
    {"yes", "no"}, {"y", "n"}, {"true", "false"}, {"ja", "nein"}, {"ja", "nee"}, {"oui", "non"},
    {"si", "no"}, {"sí", "no"}, {"sim", "não"}, {"positive", "negative"}, {"pos", "neg"},
    {"agree", "disagree"},
)  # fmt: skip

#: What programs call columns that have no name.
_UNNAMED = re.compile(r".*\b(unnamed|column)\b.*|(index )?level \d+")

#: Words that name a thing by a number.
_NUMBERING = frozenset({"id", "ids", "nr", "no", "num", "number", "index", "idx", "key", "uid"})


@lru_cache(MANY)
def role_of_name(name: str) -> str | None:
    """Return the role that the name of a column suggests, if it is not a coder.

    `name`: the name of a column in a table of items × coders. Returns a key of `OTHER_ROLES`. The
    name of a coder may look like that of an item, so "item" is only a hint.

    Examples
    --------
    >>> [role_of_name(name) for name in ("patient_nr", "goldLabel", "Tom's notes", "Tom")]
    ['item', 'gold', 'comment', None]
    """
    words = _words_of(name)
    if not words:
        return None
    # "comments_id" numbers the comments; "unnamed: 0" and "__index_level_0__" are indices.
    things = [word for word in words if word not in _NUMBERING and not word.isdigit()]
    numbered = words[-1] in _NUMBERING or _UNNAMED.fullmatch(" ".join(words)) is not None
    for role, sets in OTHER_ROLES.items():
        if role != "item" and not numbered and _speaks(words, sets):
            return role
    known = OTHER_ROLES["item"]["all"] | OTHER_ROLES["group"]["all"]
    stems = {word.removesuffix("id") for word in things if word not in known}
    if (numbered or things == words) and stems <= known and (things or numbered):
        return "item"
    return None


def _words_of(name: str) -> list[str]:
    """Return the words of a name in lower case, in which capitals begin words."""
    parts = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return [word for word in re.split(r"[\W_]+", parts.lower()) if word]


def numbers_rows(name: Any) -> bool:
    """Return whether programs or people give this name to the numbers of the rows.

    Examples
    --------
    >>> [numbers_rows(name) for name in ("Unnamed: 0", "level_0", "", "Nr", "item", "7", "Ann")]
    [True, True, True, True, True, False, False]
    """
    if not isinstance(name, str) or name.strip().isdigit():
        return False
    words = {word for word in re.split(r"[\W\d_]+", name.lower()) if word}
    return words <= _NUMBERING | {"item", "row", "unnamed", "level"}


def opposite_labels(names: Iterable[Any]) -> list[str]:
    """Return two names that are opposite labels, so that the names are not those of coders.

    Examples
    --------
    >>> opposite_labels(["item", "Yes", "No", "maybe"]), opposite_labels(["No", "Ann"])
    (['Yes', 'No'], [])
    """
    known = {name.strip().lower(): name for name in names if isinstance(name, str)}
    pair = next((pair for pair in _OPPOSITES if pair <= known.keys()), set())
    return [name for word, name in known.items() if word in pair]


def says_how_often(name: Any) -> bool:
    """Say whether numbers with this name may be frequencies, not the sizes of something.

    Examples
    --------
    >>> [says_how_often(name) for name in ("N_obs", "count", "size", "Ann")]
    [True, True, False, False]
    """
    sizes = {"size", "len"}
    return (
        isinstance(name, str)
        and role_of_name(name) == "weights"
        and sizes.isdisjoint(_words_of(name))
    )


#: Words of states in which judgments do not count, in which they do, and of what has states.
_VOID = words_in(
    "rejected, deleted, cancelled, canceled, invalid, excluded, discarded, withdrawn, void, "
    "removed, retracted, abandoned, returned, training, practice, warmup, spam, spammer, failed, "
    "fail, exclude, skip, skipped, draft, abstain, abstained, test, superseded, duplicate, "
    "tainted, abgelehnt, gelöscht, ungültig, ausgeschlossen, übung, rejeté, supprimé"
)
_COUNTING = words_in(
    "valid, approved, accepted, usable, keep, include, included, completed, complete, finished, "
    "consent, active, latest, trusted, passed, gültig"
)
_STATES = words_in("status, state, phase, stage, check, statut, estado, approval, validity")
_AUXILIARIES = words_in("is, was, has, been, as, mark, marked, flag, for")
_TRUE = frozenset({"true", "1", "yes", "y", "t", "x", "ja", "oui"})
_FALSE = frozenset({"false", "0", "no", "n", "f", "nein", "non"})


def leaves_out(name: Any, value: Any) -> bool:
    """Return whether a value in a column of this name says that a judgment may not count.

    Examples
    --------
    >>> leaves_out("AssignmentStatus", "Rejected"), leaves_out("was_cancelled", True)
    (True, True)
    >>> leaves_out("split", "training"), leaves_out("deleted", False), leaves_out("valid", 0)
    (False, False, True)
    """
    words = {*_words_of(name)} if isinstance(name, str) else set()
    text = str(int(value) if value in (0, 1) else value).strip().lower()
    if words & _STATES and not words & (_VOID | _COUNTING):
        return not _VOID.isdisjoint(_words_of(text))
    own = words - _AUXILIARIES - _STATES
    is_gold = own == {"gold"} != words
    return (((bool(own) and own <= _VOID) or is_gold) and text in _TRUE) or (
        bool(own) and own <= _COUNTING and text in _FALSE
    )


def number_what_is_judged(names: Iterable[Any]) -> bool:
    """Return whether names number what people judge, so that columns are items.

    Examples
    --------
    >>> number_what_is_judged(["Video1", "Video2"]), number_what_is_judged(["rater1", "rater2"])
    (True, False)
    >>> number_what_is_judged(["How toxic is it? [1]", "How toxic is it? [2]"])
    True
    """
    every = list(names)
    stems = {_stem_of(name, r"[\W_]*\d+|[\W_]+[A-Za-z]") for name in every}
    if len(every) > 1 and all(isinstance(x, str) and _QUESTION.fullmatch(x) for x in every):
        return True
    if not all(isinstance(name, str) and name.endswith("]") for name in every):
        return len(stems) == 1 and stems <= _JUDGED
    # Forms write the question, and in brackets what it is asked of.
    questions = {name.rpartition("[")[0] for name in every}
    words = {word for question in questions for word in _words_of(question)}
    return len(questions) == 1 and len(words) > 1 and not any(names_a("coder", x) for x in words)


def names_criterion(name: Any) -> bool:
    """Return whether a name is that of a criterion, by which coders judge.

    Examples
    --------
    >>> [names_criterion(name) for name in ("clarity", "Fluency score", "tone of voice", "Ann")]
    [True, True, False, False]
    """
    words = {word for word in _words_of(name) if word.isalpha()} if isinstance(name, str) else set()
    return bool(words & _CRITERIA) and words <= _CRITERIA | _RATED


def asks(name: Any) -> bool:
    """Return whether a column of this name holds the questions or criteria of judgments.

    Examples
    --------
    >>> [asks(name) for name in ("question", "Criterion_ID", "team")]
    [True, True, False]
    """
    words = {*_words_of(name)} - _NUMBERING if isinstance(name, str) else set()
    return bool(words) and words <= _ASKING


def name_criteria(names: Sequence[Any]) -> bool:
    """Return whether two names, and at least half, are those of criteria.

    Examples
    --------
    >>> name_criteria(["clarity", "fluency", "punch"]), name_criteria(["Joy", "Ben", "Cid"])
    (True, False)
    """
    return sum(map(names_criterion, names)) >= max(2, len(names) / 2)


def names_people(name: Any) -> bool:
    """Return whether a column of this name holds people, who may be coders.

    Examples
    --------
    >>> [names_people(name) for name in ("Respondent ID", "worker", "essay", 3)]
    [True, True, False, False]
    """
    return isinstance(name, str) and (
        names_a("coder", name) or not _PEOPLE.isdisjoint(_words_of(name))
    )


def names_coders(values: Sequence[Any]) -> bool:
    """Return whether values are names of coders: "Coder 1" and "Coder 2", or addresses.

    Examples
    --------
    >>> names_coders(["Rater 1", "Rater 2"]), names_coders(["a@b.org", "c@d.org"])
    (True, True)
    >>> names_coders(["text 1", "text 2"]), names_coders(["Ann", "Ben"])
    (False, False)
    """
    texts = [value for value in values if isinstance(value, str)]
    if not texts or len(texts) < len(values):
        return False
    return all(re.fullmatch(r"[^\s@]+@[^\s@]+\.\w+", text) for text in texts) or all(
        names_a("coder", _stem_of(text)) for text in texts
    )


def _stem_of(name: Any, behind: str = r"[\W_]*\d+") -> str:
    """Return the word before a number: "video" of "Video1"; empty for other names."""
    match = re.fullmatch(rf"([^\W\d_]+)({behind})", str(name))
    return match[1].lower() if match else ""


def odd_names(names: Iterable[Any]) -> dict[str, str]:
    """Return the columns whose names make them unlike the coders beside them, and why.

    Examples
    --------
    >>> odd_names(["rater1", "rater2", "final code"])
    {'final code': "has no number, unlike 'rater1' and 'rater2'"}
    >>> odd_names(["Ann", "Ben", "Ann_retest"])
    {'Ann_retest': "begins with the name of column 'Ann'"}
    >>> odd_names(["tone_ann", "tone_ben", "stance_ann"])
    {'stance_ann': "combines parts of 'tone_ann' and others, as variables of a coder do"}
    >>> odd_names(["coder 1", "coder 2", "expert", "GPT-4"]), odd_names(["Ann", "Anna", "Ann 2"])
    ({}, {})
    """
    texts = [name for name in names if isinstance(name, str)]
    odd: dict[str, str] = {}
    for name in texts:
        begins = [x for x in texts if re.match(re.escape(x) + r"[\W_]+[^\W\d_]{2}", name) and x[1:]]
        if begins:
            odd[name] = f"begins with the name of column {begins[0]!r}"
    numbered = [name for name in texts if names_a("coder", _stem_of(name))]
    rest = [name for name in texts if name not in numbered]
    if len(numbered) > 1:
        for name in rest if len(rest) < len(numbered) else ():
            if not looks_like_model(name) and not any(names_a("coder", x) for x in _words_of(name)):
                odd[name] = f"has no number, unlike {numbered[0]!r} and {numbered[1]!r}"
    parts = {name: re.split(r"[\W_]+", name) for name in texts}
    pairs = {name: part for name, part in parts.items() if len(part) == 2 and not part[1].isdigit()}
    often = [Counter(part[i] for part in pairs.values()) for i in (0, 1)]
    crossing = [n for n, (first, last) in pairs.items() if often[0][first] > 1 < often[1][last]]
    for name in crossing[:1]:
        first, last = pairs[name]
        usual = max((first, 0), (last, 1), key=lambda part: often[part[1]][part[0]])
        for other, part in pairs.items():
            if part[usual[1]] != usual[0] and part[1 - usual[1]] == pairs[name][1 - usual[1]]:
                odd[other] = f"combines parts of {name!r} and others, as variables of a coder do"
    return odd


def names_answer_key(name: str) -> bool:
    """Say whether a column of labels with this name holds the right answers.

    Examples
    --------
    >>> [names_answer_key(name) for name in ("key", "Answer key", "primary_key")]
    [True, True, False]
    """
    return re.sub(r"[\W_]", "", name.lower()) in _ANSWER_KEYS


def _speaks(words: Sequence[str], sets: Mapping[str, frozenset[str]]) -> bool:
    """Return whether the words of a name are those of a role."""
    none: frozenset[str] = frozenset()
    alone, whole, beside = (sets.get(key, none) for key in ("any", "all", "with"))
    return not alone.isdisjoint((*words, "_".join(words))) or (
        not whole.isdisjoint(words) and (whole | beside).issuperset(words)
    )


def usual_columns(role: str, columns: Sequence[str]) -> list[str]:
    """Return the columns with a usual name of a role, from the most trusted group."""
    groups = [_group_of(role, name) for name in columns]
    best = min(groups, default=UNKNOWN)
    known = [group == best < UNKNOWN for group in groups]
    return list(compress(columns, known))


@lru_cache(MANY)
def _group_of(role: str, name: str) -> int:
    """Return the place of the group of usual names of a role that a name is in."""
    key = re.sub(r"[\W_]", "", name.lower())
    # The id of an annotation is its number, not a label.
    ends = ("", "name") if role == "label" else ("", "id", "name")
    stems = {key.removesuffix(end) for end in ends}
    known = (i for i, group in enumerate(USUAL_NAMES[role]) if not group.isdisjoint(stems))
    # Nested records and some tools write "part.name"; a plain name is preferred.
    *parts, last = re.split(r"[.:/]", name)
    return next(known, _group_of(role, last) + len(USUAL_NAMES[role]) if parts else UNKNOWN)


def names_a(role: str, name: Any) -> bool:
    """Return whether a name is a usual one of columns with a role.

    Examples
    --------
    >>> [names_a("coder", name) for name in ("annotator", "Worker ID", "Ann", 3)]
    [True, True, False, False]
    """
    return isinstance(name, str) and bool(usual_columns(role, [name]))


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


#: The name of a run: a word for runs and a number, or behind a digit a number alone: "gpt-4o_1".
_RUN = re.compile(
    r"(.+?)(?:[\W_]+|(?<=\d)|(?<=[a-z])(?=[A-Z]))(?i:run|seed|sample|trial|repetition|repeat|rep"
    r"|iteration|iter|attempt|try|pass|lauf)[\W_]*\d+\W?"
)
_NUMBERED = re.compile(r"(.*\d.*?)(?:[_ #]|\s*\()#?(\d+)\)?")


def runs_of_models(names: Iterable[Any]) -> list[list[str]]:
    """Return the names of coders that are runs of one model, if there are coders beside them.

    Examples
    --------
    >>> runs_of_models(["gpt_run1", "gpt_run2", "ann"]), runs_of_models(["gpt_run1", "gpt_run2"])
    ([['gpt_run1', 'gpt_run2']], [])
    >>> runs_of_models(["gpt-4o_1", "gpt-4o_2", "ann"]), runs_of_models(["gpt-3", "gpt-4", "ann"])
    ([['gpt-4o_1', 'gpt-4o_2']], [])
    """
    every = list(names)
    runs: dict[str, list[str]] = {}
    numbers: dict[str, list[int]] = {}
    for name in filter(looks_like_model, every):
        if match := _RUN.fullmatch(name) or _NUMBERED.fullmatch(name):
            runs.setdefault(match[1], []).append(name)
            numbers.setdefault(match[1], []).extend(map(int, match.groups()[1:]))
    return [
        of for model, of in runs.items()
        if 1 < len(of) < len(every)
        and sorted(numbers[model]) in ([], [*range(len(of))], [*range(1, len(of) + 1)])
    ]  # fmt: skip
