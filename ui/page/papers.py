"""Which papers does a page follow, and whose section numbers are cited? Each with its link and its version."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A paper that pages cite, as Markdown; the ``version`` is the one whose sections, tables and figures are cited."""

    authors: str
    title: str
    link: str
    version: str

    def cite(self, where: str) -> str:
        """Return authors and title with the link, then where to look in which version; Markdown."""
        return f"{self.authors}, [{self.title}]({self.link}), {where} of {self.version}"


PUBLISHED = "the published version"

DEUTSCH = Paper(
    "Deutsch, Foster and Freitag (2023)",
    "Ties Matter",
    "https://aclanthology.org/2023.emnlp-main.798",
    "the [arXiv version](https://arxiv.org/abs/2305.14324) titled *Modifying Kendall's Tau*",
)
PERRELLA = Paper(
    "Perrella and others (2024)",
    "Guardians of the Machine Translation Meta-Evaluation",
    "https://aclanthology.org/2024.acl-long.856",
    "the [arXiv version](https://arxiv.org/abs/2408.13831)",
)
GAO = Paper(
    "Gao and others (2024)",
    "Analyzing and Evaluating Correlation Measures in NLG Meta-Evaluation",
    "https://arxiv.org/abs/2410.16834",
    "the arXiv version",
)
ZHENG = Paper(
    "Zheng and others (2023)",
    "Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena",
    "https://arxiv.org/abs/2306.05685",
    "the arXiv version",
)
GRAHAM = Paper(
    "Graham, Baldwin and Mathur (2015)",
    "Accurate Evaluation of Segment-level Machine Translation Metrics",
    "https://aclanthology.org/N15-1124",
    PUBLISHED,
)


OF_ARXIV = tuple(f"{paper.authors.partition(',')[0].partition(' and')[0]} et al." for paper in (DEUTSCH, PERRELLA, GAO))
"""How `data/glossary.toml` names the papers whose arXiv version is cited."""

BOJAR = (
    "Bojar and others (2013), [Findings of the 2013 WMT](https://aclanthology.org/W13-2201), on the agreement of judges"
)
DROR = (
    "Deutsch, Dror and Roth (2021), [A Statistical Analysis of Summarization Evaluation Metrics Using Resampling "
    "Methods](https://aclanthology.org/2021.tacl-1.67), on what is swapped"
)


def with_version(source: str) -> str:
    """Return a source of the glossary with the version, where it names a part of a paper that has several."""
    is_part = re.search("Section|Table|Figure|Appendix|Algorithm", source) and any(name in source for name in OF_ARXIV)
    return f"{source} (arXiv version)" if is_part else source


def sources(*cited: str, also: str = "", notebook: str | tuple[str, ...] = "") -> str:
    """Return the last paragraph of *Try this*: what `Paper.cite` wrote, what follows, notebooks of the same lesson."""
    words = f"{'Sources' if len(cited) > 1 else 'Source'}: {'; '.join(cited)}."
    words += f" {also}" * bool(also)
    names = [notebook] if isinstance(notebook, str) else notebook
    if notebook:
        words += f" As {'notebooks' if len(names) > 1 else 'a notebook'}: "
        words += " and ".join(f"`notebooks/{name}`" for name in names) + "."
    return f"\n\n{words}"
