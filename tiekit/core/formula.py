"""One expression in counts, read as arithmetic, as LaTeX and as LaTeX with the numbers put in."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from threading import RLock
from types import CodeType
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

SYMBOLS = ("C", "D", "T_h", "T_m", "T_hm", "n", "k")
"""What a formula may mention: the five counts, the number of scores, the smaller number of distinct scores."""

_EXAMPLE = np.array([2, 3, 5, 7, 11, 8, 3])
"""Counts of the 28 pairs of 8 scores, no two alike."""

_LATEX = {"T_h": "T_h", "T_m": "T_m", "T_hm": "T_{hm}"}
Interval: TypeAlias = tuple[Any, Any]
_SIGN = {ast.Add: "+", ast.Sub: "-"}
_PARSING = RLock()


class Formula:
    """An arithmetic expression in `SYMBOLS` with + - * / ** and sqrt, in Python's notation.

    >>> tau_13 = Formula("(C - D) / (C + D)")
    >>> float(tau_13(np.array([8, 1, 0, 0, 6, 6, 3])))
    0.777...
    >>> tau_13.latex()
    '\\\\frac{C - D}{C + D}'
    >>> tau_13.latex({"C": "8", "D": "1"})
    '\\\\frac{8 - 1}{8 + 1}'
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._tree = _parse(text)

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: all but the compiled code, which cannot be."""
        return {name: value for name, value in vars(self).items() if name != "_code"}

    @cached_property
    def symbols(self) -> set[str]:
        """The `SYMBOLS` that it mentions."""
        return {node.id for node in ast.walk(self._tree) if isinstance(node, ast.Name)}

    @cached_property
    def _code(self) -> CodeType:
        return compile(self._tree, "<formula>", "eval")

    def __call__(self, counts: NDArray[Any]) -> NDArray[np.float64]:
        """Evaluate on counts of shape (..., 7), columns as in `SYMBOLS`; NaN where it divides by zero."""
        exact = counts.astype(np.float64)
        values = {name: exact[..., i] for i, name in enumerate(SYMBOLS) if name in self.symbols}
        with np.errstate(divide="ignore", invalid="ignore"):
            result = np.asarray(eval(self._code, {"__builtins__": {}, "sqrt": np.sqrt}, values))
        return np.where(np.isfinite(result), result, np.nan)

    def upper(self, low: NDArray[Any], high: NDArray[Any]) -> NDArray[np.float64]:
        """The largest value that counts between ``low`` and ``high`` may give, or more; shapes as for calling.

        Infinite where a divisor may be zero, NaN where it must be.
        """
        ends = {name: (low[..., i] * 1.0, high[..., i] * 1.0) for i, name in enumerate(SYMBOLS)}
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.broadcast_to(_interval(self._tree.body, ends)[1], low.shape[:-1])

    @cached_property
    def symmetric(self) -> bool:
        """Whether it stays the same when human and metric are exchanged, so T_h and T_m."""
        return bool(self(_EXAMPLE) == self(_EXAMPLE[[0, 1, 3, 2, 4, 5, 6]]))

    @cached_property
    def divides_by_pairs(self) -> bool:
        """Whether the divisor is the number of all pairs, so that a mean weighted by pairs is that of all pairs."""
        match self._tree.body:
            case ast.BinOp(_, ast.Div(), divisor):
                return bool(Formula(ast.unparse(divisor))(_EXAMPLE) == _EXAMPLE[:5].sum())
        return False

    def role(self, symbol: str) -> tuple[float, bool]:
        """How one more pair of a kind enters a fraction: its weight in the numerator, whether the divisor counts it.

        A divisor in n counts every pair.
        """
        match self._tree.body:
            case ast.BinOp(numerator, ast.Div(), divisor):
                counted = {node.id for node in ast.walk(divisor) if isinstance(node, ast.Name)}
                value = Formula(ast.unparse(numerator))
                one, none = (np.array([number * (name == symbol) for name in SYMBOLS]) for number in (1, 0))
                return float(value(one) - value(none)), bool(counted & {symbol, "n"})
        raise ValueError(f"{self.text} is no fraction")

    @staticmethod
    def symbol(name: str) -> str:
        """One of `SYMBOLS` as LaTeX."""
        return _LATEX.get(name, name)

    def latex(self, values: Mapping[str, str] | None = None) -> str:
        """As LaTeX, each symbol replaced by its entry in ``values`` where it has one."""
        names = values or {}
        return _latex(self._tree.body, lambda name: names.get(name, self.symbol(name)))


class OfAllGroups(Formula):
    """A formula of the counts of all groups together, which are summed first: counts of shape (..., groups, 7)."""

    def __call__(self, counts: NDArray[Any]) -> NDArray[np.float64]:
        """Evaluate on the sums, shape (..., 1), or (..., 0) where there is no group."""
        return self.of_one(counts.sum(axis=-2, keepdims=True))[..., : counts.shape[-2]]

    def of_one(self, counts: NDArray[Any]) -> NDArray[np.float64]:
        """Evaluate on counts that are summed already, as `Formula` does."""
        return super().__call__(counts)

    def upper(self, low: NDArray[Any], high: NDArray[Any]) -> NDArray[np.float64]:
        """Return the largest value that the sums may give, shape (1,)."""
        return super().upper(low.sum(axis=-2, keepdims=True), high.sum(axis=-2, keepdims=True))


@lru_cache(maxsize=256)
def _parse(text: str) -> ast.Expression:
    """Parse one text at a time: CPython 3.11 counts depth for all threads together and fails if two of them parse.

    See https://github.com/python/cpython/issues/106905.
    """
    with _PARSING:
        return ast.parse(text, mode="eval")


def _interval(node: ast.expr, ends: Mapping[str, Interval]) -> Interval:
    """The least and the largest value of an expression whose symbols lie between their ends (interval arithmetic)."""
    match node:
        case ast.Name(id=symbol):
            return ends[symbol]
        case ast.Constant(value=number):
            return (np.float64(cast(float, number)),) * 2
        case ast.Call(args=[argument]):
            low, high = _interval(argument, ends)
            return np.sqrt(np.maximum(low, 0)), np.sqrt(high)
        case ast.BinOp(left, op, right):
            (a, b), (c, d) = _interval(left, ends), _interval(right, ends)
            if isinstance(op, ast.Add):
                return a + c, b + d
            if isinstance(op, ast.Sub):
                return a - d, b - c
            if isinstance(op, ast.Pow):  # of what is not negative
                return a**c, b**d
            inside = isinstance(op, ast.Div) & (c <= 0) & (d >= 0)
            corners = [x / y if isinstance(op, ast.Div) else x * y for x in (a, b) for y in (c, d)]
            unknown = np.where((c == 0) & (d == 0), np.nan, np.inf)
            low, high = np.minimum.reduce(corners), np.maximum.reduce(corners)
            return np.where(inside, -unknown, low), np.where(inside, unknown, high)
    raise ValueError(f"a formula cannot hold {ast.dump(node)}")


def _latex(node: ast.expr, name: Callable[[str], str]) -> str:
    def inner(child: ast.expr, *, group: bool = False) -> str:
        text = _latex(child, name)
        is_sum = isinstance(child, ast.BinOp) and isinstance(child.op, (ast.Add, ast.Sub))
        return f"({text})" if group and is_sum else text

    match node:
        case ast.Name(id=symbol):
            return name(symbol)
        case ast.Constant(value=number):
            return str(number)
        case ast.Call(args=[argument]):
            return rf"\sqrt{{{inner(argument)}}}"
        case ast.BinOp(left, ast.Div(), right):
            return rf"\frac{{{inner(left)}}}{{{inner(right)}}}"
        case ast.BinOp(left, ast.Pow(), right):
            return f"{inner(left, group=True)}^{{{inner(right)}}}"
        case ast.BinOp(left, ast.Mult(), right):
            return rf"{inner(left, group=True)} \cdot {inner(right, group=True)}"
        case ast.BinOp(left, op, right):
            return f"{inner(left)} {_SIGN[type(op)]} {inner(right, group=isinstance(op, ast.Sub))}"
    raise ValueError(f"a formula cannot hold {ast.dump(node)}")
