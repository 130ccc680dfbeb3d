"""How does a browser show a formula of the registry? As MathML, which needs no script and no font of its own."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tiekit.core import Formula

_SIGNS = {ast.Add: "+", ast.Sub: "−", ast.Mult: "·"}


def display(
    left: str, formula: Formula, values: Mapping[str, str] | None = None, right: str = "", said: str = ""
) -> str:
    """Write "left = formula = right" as one displayed line.

    Parameters
    ----------
    left : str
        A symbol such as ``"τ_b"``; what follows an underscore is lowered.
    formula : Formula
    values : mapping of str to str, optional
        Numbers that stand for symbols.
    right, said : str, optional
        The value, and words after it.
    """
    parts = [symbol(left), "<mo>=</mo>", _node(ast.parse(formula.text, mode="eval").body, values or {})]
    if right:
        parts += ["<mo>=</mo>", f"<mn>{right}</mn>"]
    if said:
        parts.append(f'<mspace width="0.6em"/><mtext>{said}</mtext>')
    return f'<math display="block">{"".join(parts)}</math>'


def symbol(name: str) -> str:
    """Write a name such as T_hm with what follows the underscore lowered."""
    base, _, below = name.partition("_")
    return f"<msub><mi>{base}</mi><mi>{below}</mi></msub>" if below else f"<mi>{base}</mi>"


def _node(node: ast.expr, values: Mapping[str, str]) -> str:
    """Write one part of the tree; sums are bracketed where a product, a power or a difference holds them."""
    match node:
        case ast.Name(id=name):
            return f"<mn>{values[name]}</mn>" if name in values else symbol(name)
        case ast.Constant(value=number):
            return f"<mn>{number!r}</mn>"
        case ast.Call(args=[inner]):
            return f"<msqrt>{_node(inner, values)}</msqrt>"
        case ast.BinOp(left, ast.Div(), right):
            return f"<mfrac><mrow>{_node(left, values)}</mrow><mrow>{_node(right, values)}</mrow></mfrac>"
        case ast.BinOp(left, ast.Pow(), right):
            return f"<msup>{_brackets(left, values)}<mrow>{_node(right, values)}</mrow></msup>"
        case ast.BinOp(left, ast.Mult(), right):
            return f"{_brackets(left, values)}<mo>·</mo>{_brackets(right, values)}"
        case ast.BinOp(left, ast.Sub() as op, right) | ast.BinOp(left, ast.Add() as op, right):
            after = _brackets(right, values) if isinstance(op, ast.Sub) else _node(right, values)
            return f"{_node(left, values)}<mo>{_SIGNS[type(op)]}</mo>{after}"
    raise ValueError(f"a formula cannot hold {ast.dump(node)}")


def _brackets(node: ast.expr, values: Mapping[str, str]) -> str:
    """Write a part, in brackets if it is a sum or a difference."""
    text = _node(node, values)
    is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
    return f"<mrow><mo>(</mo>{text}<mo>)</mo></mrow>" if is_sum else f"<mrow>{text}</mrow>"
