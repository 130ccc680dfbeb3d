"""Which type and default has each of several parameters that one line of a docstring names? Those of the signature."""

from __future__ import annotations

from typing import Any

import griffe


class OwnTypes(griffe.Extension):  # type: ignore[misc, unused-ignore]  # without `make docs` griffe is not there
    """Gives each parameter its own type and default, where griffe takes those of the first in the line for all."""

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        """Correct the sections on parameters of a function, which are parsed here."""
        if func.docstring is None:
            return
        of_others = {id(one.annotation): one.name for one in func.parameters if one.annotation is not None}
        func.docstring.parser = griffe.Parser.numpy
        for section in func.docstring.parsed:
            if section.kind is griffe.DocstringSectionKind.parameters:
                for one in section.value:
                    if one.name in func.parameters:
                        own = func.parameters[one.name]
                        one.value = own.default
                        if of_others.get(id(one.annotation), one.name) != one.name:
                            one.annotation = own.annotation
