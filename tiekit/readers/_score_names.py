"""What does the name of a column say of its scores? Those of people, of a metric, perhaps of either, or none."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import InputError, quote
from tiekit.base.names import SHOWN, fold, known_names, plain_name
from tiekit.readers._questions import Choice

_STRONG = re.compile(
    r"(.+_human|human|mqm|esa|gold).*|da|da_?(sqm|score)|sqm|psqm|mos|gt|ground_?truth|experts?(_?\d+)?(_.+)?"
)
"""Names of human scores, in lower case with _ for other signs."""

_PERSON = r"(.*_)?(annotator|rater)(_?(\d+|[a-z]))?"
WHO = re.compile("annotator|rater")
"""Names of columns that say who rated, unless no other column can hold human scores."""

WEAK = tuple(map(re.compile, (r"ratings?", r"labels?", _PERSON, r"overall", r"score")))
"""Names that often are those of human scores, but not always; the first that fits counts."""

PERHAPS = re.compile(
    rf"{_PERSON}|ratings?|overall|likert|(da|mqm|esa|sqm|mos)?_?(z|raw|z_?scores?)|[a-z]mos|silver|fluency|adequacy|"
    r"coherence|relevance|consistency|quality|preference|confidence|"
    r"(.*_)?(crowd|non_?experts?|lay(men|people|person)?|students?|linguists?|translators?|m?turk(er)?s?|volunteers?)(_.+)?"
)
"""Names that beside human scores may also be such: those of persons, of scales and of what people judge."""

SCORE = re.compile(r"(.*_)?(scores?|ratings?|grades?|pred|predictions?|parsed|extracted)")
"""Names of scores, whosesoever: a column of texts with such a name is asked about."""

CONFIDENCE = re.compile(
    r"(.*_)?(confidence|(un)?certainty|prob|probs|probabilit(y|ies)|log_?p(rob)?s?|likelihood|nll|loss|perplexity|ppl|"
    r"entropy)(_scores?)?"
)
"""Names of how sure a judge or a model is, which is not what it says."""

REMARKS = re.compile(r"(.*_)?(errors?|spans?|severit(y|ies)|categor(y|ies)|comments?|explanations?|details?|types?)")
"""Names of texts about scores, of people too."""

_KNOWN = (
    r"x?comet.*|.*kiwi.*|unbabel.*|.*bleu.*|chrf.*|(h|neg)?ter|(neg)?wer|(neg)?cer|clip_?score.*|nist\d?|spice|cider.*|"
    r"bleurt.*|bert.*|bart.*|metricx.*|yisi.*|meteor.*|rouge.*|matese.*|gemba.*|unite.*|"
    r"prism.*|maee.*|remedy.*|xlsim.*|sentinel.*|sescore.*|mover.*|supert|unieval.*|geval|reuse.*|hwtsc.*"
)
_METRIC = re.compile(
    rf"{_KNOWN}|f1|em|metric.*|gpt.*|llm.*|claude.*|gemini.*|llama.*|qwen.*|mistral.*|pred|predict.*|auto|autorater.*|"
    r"automatic"
)
"""Words in names of metrics and of predictions, in lower case."""

_JUDGE = re.compile(r"judge(?!ments?).*|model.*")

_WORKERS = r"worker|listener|user|participant|evaluator|reviewer|labell?er|coder|subject"
PERSONS = re.compile(rf"(.*_)?(annotator|rater|{_WORKERS})(_?id)?|completed_by")
"""Names of columns that say who rated, and are no names of segments."""

MEASURES = re.compile(r"(.*_)?(metric|measure|variable|aspect|criterion|criteria|dimension)s?(_name)?")
"""Names of columns whose values are of scores that no mean or sum joins."""

STOPPED = re.compile(
    r"year|turn|annotators|raters?|line|lines|n|rank|start|end|(start|end|n|num|number_of)_.*|id|.*_(ids?|number|idx|index)|idx|index|no|"
    r"num|number|pos|position|row|page|count|counts|seed|fold|split|date|day|month|time|times|timestamp|duration|"
    rf"{_WORKERS}|completed_by|session|round|lead_time|.*_hash|"
    r"unnamed_\d+|(.*_)?(std|stdev|stderr|sd|se|sem|var|variance|ci|ci95|p_?value|tokens|cost|price|latency|seconds)|"
    r"(.*_)?(status_code|http_code|temperature|top_p|created|valid|latency_ms)|"
    r"(word|char|token|sentence)_(count|length)s?|.*_(len|lengths?)|(.*_)?(rank|ranking|year)|level_\d+|weights?|votes|age|batch|"
    r".*_in_doc(ument)?"
)
"""Names of numbers that are no scores, in lower case with _ for other signs."""

_BESIDE = re.compile(
    r"(.*_)?(lo|hi|low|high|lower|upper|bounds?|min|max|minimum|maximum|range|dev|iqr|len|length|size|words|chars)(_.*)?"
)
"""Names of bounds and spreads of scores, and of lengths, beside which the scores stand."""

_RUNS = "epochs?|runs?|trials?|iterations?|attempts?|steps?"
RUNS = re.compile(_RUNS)
"""Names of numbers that say which try a row is of."""

_OTHERS = re.compile(
    rf"(.*_)?(.*time|.*_?stamp|tstamp|latency|.*duration|usage|.*cost|price|.*tokens?|.*counts?|orders?|{_RUNS}|"
    r"success|pass(ed)?|failed|thresholds?|.*_?idx|variance|levels?|difficulty|sum_squared)(_?(ms|s|usd|in|input|output))?"
)
"""Names of what is counted or timed beside scores, and of what is true or not."""

_LIKE_SCORES = re.compile(
    r"score|feedback|correct|quality|accura|relevan|faithful|similar|rating|grade|fluen|adequa|coheren|consisten|helpful"
)
_VALUES, _Z = re.compile(r"(.*_)?(value|mean)"), re.compile(r"(.*_)?z(_?scores?)?")


def is_beside_scores(name: str) -> bool:
    """Whether a number is named as what stands beside scores: a spread, a length, a count, a time, a probability."""
    return any(pattern.fullmatch(plain_name(name)) for pattern in (STOPPED, _BESIDE, CONFIDENCE, _OTHERS))


def is_like_score(name: str) -> bool:
    """Whether a number is named as scores are: those of people, of a known metric, or of something that is scored."""
    is_scored = _LIKE_SCORES.search(plain_name(name)) is not None
    return is_metric(name) or is_named_human(name) or (is_scored and not is_beside_scores(name))


def likely_score(names: Sequence[str], scores: Mapping[str, NDArray[np.float64]]) -> str:
    """Return the name that is most likely one of scores; empty where none may be one.

    It is none of a spread, a length, a count, a time or a z-score, nor one whose ``scores`` never differ; then one
    like that of a score, of a known metric, or of a mean.
    """

    def doubts(name: str) -> tuple[bool, bool, bool, bool]:
        plain = plain_name(name)
        is_beside = is_beside_scores(name) or _Z.fullmatch(plain_name(name.rpartition(".")[2])) is not None
        is_value = _VALUES.fullmatch(plain) is not None
        found = scores[name][~np.isnan(scores[name])] if name in scores else np.empty(0)
        is_constant = found.size > 1 and bool((found == found[0]).all())
        return is_beside or is_constant, _LIKE_SCORES.search(plain) is None, not is_metric(name), not is_value

    best = min(names, key=doubts, default="")
    return "" if best and doubts(best)[0] else best


def ask_score(argument: str, names: Sequence[str], scores: Mapping[str, NDArray[np.float64]]) -> str:
    """Ask for one of the names, with an example that may be meant, by an argument."""
    likely = likely_score(names, scores)
    return f"choose it, such as {argument}={likely!r}" if likely else f"choose it by {argument}="


def is_human(name: str) -> bool:
    """Whether a column is named like human scores, and not like a metric that predicts them."""
    plain = plain_name(name)
    return bool(_STRONG.fullmatch(plain)) and not (
        STOPPED.fullmatch(plain) or any(_METRIC.fullmatch(word) for word in plain.split("_"))
    )


def is_named_human(name: str) -> bool:
    """Whether a column is named like human scores, or as they often are."""
    plain = plain_name(name)
    return is_human(name) or (any(one.fullmatch(plain) for one in WEAK) and not is_metric(name))


def is_metric(name: str) -> bool:
    """Whether a column is named like a known metric, or like a prediction."""
    return any(_METRIC.fullmatch(word) or _JUDGE.fullmatch(word) for word in plain_name(name).split("_")) and (
        not is_human(name)
    )


def is_other_metric(name: str, wanted: str) -> bool:
    """Whether a column is named like a known metric other than the one that is wanted."""
    words, ours = [word for word in plain_name(name).split("_") if re.fullmatch(_KNOWN, word)], fold(wanted)
    return bool(words) and not any(word in ours or ours in word for word in words)


_NUMBER_OF_PERSON = re.compile(r"_?(\d+|[a-z])$")


def advise_mean(names: Sequence[str]) -> str:
    """How several columns that are named like persons become one score, their mean; empty of others."""
    if len(names) < 2 or not all(PERSONS.fullmatch(_NUMBER_OF_PERSON.sub("", plain_name(one))) for one in names):
        return ""
    mean = f"frame.assign(score=frame[{[*names]}].mean(axis=1)).drop(columns={[*names]})"
    return f"; for the mean of all, pass {mean}, where frame is pandas.read_csv(PATH)"


def unclear_columns(question: Choice) -> list[str]:
    """Columns of a table that may be the metric to add, but are named as human scores often are, before the others."""
    if question.key != "metric_columns":
        return []
    found = [name for name in question.options if is_named_human(name) and name not in question.usual]
    return [*found, *question.usual] if found else []


def refuse_unclear(question: Choice) -> None:
    """Ask which column is the metric where one is named as human scores often are."""
    if found := unclear_columns(question):
        either = " or ".join(f"metrics={one!r}" for one in (found[0], likely_score(found[1:], {})) if one)
        problem = f"columns {known_names(map(quote, found))} may each be the metric, or {quote(found[0])} human scores"
        raise InputError(f"metrics: {problem}; pass {either}")


def refuse_unnamed(question: Choice) -> NoReturn:
    """Ask which of several columns without names holds the scores to add."""
    number = len(question.options)
    numbers = " or ".join(question.options) if number <= SHOWN else f"one of 1 to {number}"
    matrix = "; if each column, or each row, is a system in the set's order, pass pandas.read_csv(PATH, header=None)"
    raise InputError(
        f"{question.argument}: the file has {number} columns of numbers and no header; pass "
        f"{question.argument}={numbers}. {question.needed} If others hold systems or segments, put a line such as "
        f"system,segment,score above them{f'{matrix}.to_numpy()' * (number > 2) or '.'}"
    )
