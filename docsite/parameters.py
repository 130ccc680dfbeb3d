"""What does a page of the reference say of parameters that share a line of a docstring, and of what is returned?"""

from __future__ import annotations

from importlib import import_module
from itertools import groupby
from typing import Any

import griffe

KINDS = griffe.DocstringSectionKind


class OwnTypes(griffe.Extension):  # type: ignore[misc, unused-ignore]  # without `make docs` griffe is not there
    """Says shared sentences once, where griffe repeats them, with the first one's type and default for all.

    The types of such parameters, and of what is returned without a word on it, stand in the signature.
    """

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        """Correct the sections of a function's docstring, which is parsed here."""
        _correct(func.docstring, func.parameters, func.module.path)

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """Correct the sections of a class; the ``__init__`` of a dataclass is not known yet, its signature is shown."""
        if cls.docstring is not None and "__init__" not in cls.members:
            cls.docstring.parser_options = {"warn_unknown_params": False}
        _correct(cls.docstring, cls.parameters, cls.module.path)


def _correct(docstring: griffe.Docstring | None, parameters: griffe.Parameters, module: str) -> None:
    for one in parameters:  # the value of a constant says more than its name
        value = getattr(import_module(module), str(one.default), None) if str(one.default).isupper() else None
        if isinstance(value, str | int | float):
            one.default = repr(value)
    if docstring is None:
        return
    docstring.parser = griffe.Parser.numpy
    defaults = {one.name: one.default for one in parameters}
    of_signature = {id(one.annotation) for one in parameters}
    for section in docstring.parsed:
        if section.kind is KINDS.parameters:
            for one in section.value:  # of choices in braces griffe takes the first
                one.value = defaults.get(one.name, one.value)
            groups = groupby(section.value, key=lambda one: one.description)
            section.value = [_join([*group], of_signature) for _, group in groups]
    told = [one for one in docstring.parsed if one.kind is not KINDS.returns or any(it.description for it in one.value)]
    docstring.parsed[:] = told


def _join(group: list[griffe.DocstringParameter], of_signature: set[int]) -> griffe.DocstringParameter:
    """Return one entry for parameters that one sentence describes."""
    first = group[0]
    if len(group) > 1:
        first.name, first.value = ", ".join(one.name for one in group), None
        if id(first.annotation) in of_signature:
            first.annotation = None
    return first
