"""Can a metric's score decide? Which translations are good, and which of several is the best.

`classify` takes translations for good whose metric score reaches a threshold, which is found on other documents, and
reports precision, recall and F1 against a threshold of the human score: `GOOD` and `PERFECT` of MQM, `ERROR_FREE` of
ESA. `rerank` reports how often the translation that a metric prefers is one that the human score prefers. Both give
bootstrap intervals.
"""

from tiekit.research.classification import ERROR_FREE, GOOD, PERFECT, Classification, Reranking, classify, rerank

__all__ = ["ERROR_FREE", "GOOD", "PERFECT", "Classification", "Reranking", "classify", "rerank"]
