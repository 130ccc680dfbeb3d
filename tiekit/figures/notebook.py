"""What have all widgets in common? Traits that the browser and Python share, and a page of their own."""

from __future__ import annotations

from abc import abstractmethod
from os import PathLike
from typing import Any, Self

import anywidget
import traitlets

from tiekit.base.atomic import write_file
from tiekit.base.errors import InputError
from tiekit.figures.figure import WHOLE, Figure, Scope
from tiekit.figures.json_values import plain


class Checked(traitlets.Any):
    """A trait whose validator sees every value; that of `traitlets.Any` does not see None."""

    allow_none = False


class Moving(Checked):
    """A trait of which the figure's table holds the rule."""

    def validate(self, obj: Widget, value: Any) -> Any:
        """Return the value as it is kept."""
        return obj._check(str(self.name), value)


class Widget(anywidget.AnyWidget):
    """Base of a figure in a notebook.

    A subclass names its figure, whose keys are the traits that the browser changes too.
    """

    FIGURE: Figure

    _esm = traitlets.Unicode().tag(sync=True)
    _keys = traitlets.List(traitlets.Unicode()).tag(sync=True)
    _fixed = traitlets.Dict().tag(sync=True)

    def __init__(self, fixed: dict[str, Any], scope: Scope = WHOLE, **traits: Any) -> None:
        keys, fixed = list(self.FIGURE.keys), self._with_scope(fixed, scope)
        super().__init__(_esm=self.FIGURE.for_notebook(), _keys=keys, _fixed=fixed, **traits)

    def _with_scope(self, fixed: dict[str, Any], scope: Scope) -> dict[str, Any]:
        """Keep where the data are from, and return what the browser is given with how much of them is shown."""
        self._source = scope.source
        return {**fixed, "part": scope.part, "item_names": list(scope.items)}

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and not hasattr(type(self), name):
            told = f"{type(self).__name__} has no {name!r}; what moves: {', '.join(self.FIGURE.keys)}"
            raise AttributeError(told, name=name, obj=self)
        super().__setattr__(name, value)

    @abstractmethod
    def _title_and_origin(self) -> tuple[str, str]:
        """The title of a page of its own, and of which numbers it was made."""

    def _check(self, key: str, value: Any) -> Any:
        """Return a value of what moves as JSON takes it, or refuse one that the figure cannot show."""
        value, rule = plain(value), self.FIGURE.rules[key]
        data = {**self._fixed, **{key: self._json_of(key) for key in self.FIGURE.keys if self.trait_has_value(key)}}
        if not rule.holds(value, data):
            raise InputError(f"{key}: must be {rule.words(data)}, found {value!r}")
        return value

    def data(self) -> dict[str, Any]:
        """Return what the browser shows at present, as JSON takes it."""
        return {**self._fixed, **{key: self._json_of(key) for key in self.FIGURE.keys}}

    def _json_of(self, key: str) -> Any:
        to_json = self.trait_metadata(key, "to_json") or (lambda value, _: value)
        return to_json(getattr(self, key), self)

    def hide_answer(self) -> Self:
        """Hide what would tell a reader the answer, such as the star at ε*, where the figure has such; return it."""
        self._fixed = {**self._fixed, "asks": True}
        return self

    def show_answer(self) -> Self:
        """Show what `hide_answer` has hidden, and return the figure."""
        self._fixed = {**self._fixed, "asks": False}
        return self

    def to_html(self, path: str | PathLike[str]) -> None:
        """Write the figure as one page that needs nothing else: no server, no network, no other file.

        It shows what the widget shows now. What a visitor changes is kept in the address, so a link to it shows the
        same; light or dark follows his system; it fits an ``<iframe>`` of any width.

        Parameters
        ----------
        path : str or path
            Where the page is written, for example ``"lab.html"``.
        """
        title, origin = self._title_and_origin()
        write_file(path, self.FIGURE.page(self.data(), origin, title, self._source))

    def __repr__(self) -> str:
        title, origin = self._title_and_origin()
        return f"{type(self).__name__}: {title}{'' if title.endswith('?') else '.'} {origin}"
