"""Expressions over figures and settings: `coalition.hits > 2 * alone.hits`, `settings.scheme == "nested"`.

Names are dotted: those that begin with settings, view, data or seed are parts of the scenario, all others are figures.
`at(2, coalition.hits)` is the figure at step 2 of the lesson, `figure("share.Start-up")` one whose name is no word.
`settings.recipients[0].trust` is a part of the first of several. Numbers, texts, + - * /, comparisons, and, or, not,
len, min, max and abs are understood, and nothing else is: a lesson may come from anybody. One computes with numbers
alone: a text or a row of things times a large number would take all memory.
"""

import ast
import operator
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from trustscope.scenarios.value import Value

STATE = ("settings", "view", "data", "seed")
LONGEST = 400  # characters
DEEPEST = 24  # parts inside one another
_FUNCTIONS: dict[str, Callable[..., Any]] = {"len": len, "min": min, "max": max, "abs": abs}
_CALLED = (*_FUNCTIONS, "at", "figure")
_ARITHMETIC: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.UAdd: operator.pos, ast.USub: operator.neg,
}  # fmt: skip
_OPERATORS = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.In: lambda one, many: one in many,
}  # fmt: skip
_PARTS = (
    ast.Expression, ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.And, ast.Or, ast.Call, ast.Attribute, ast.Name,
    ast.Constant, ast.Load, ast.Tuple, ast.Subscript, ast.Not, *_ARITHMETIC, *_OPERATORS,
)  # fmt: skip


def parsed(text: str) -> ast.expr:
    """The expression as a tree; a ValueError where it is none, or says more than it may."""
    if len(text) > LONGEST:
        raise ValueError(f"the expression “{text[:40]}…” is longer than {LONGEST} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        raise ValueError(f"“{text}” is not an expression") from problem
    for part in ast.walk(tree):
        if not isinstance(part, _PARTS):
            raise ValueError(f"“{text}” has a part that is not understood: {type(part).__name__.lower()}")
        if isinstance(part, ast.Call) and not (isinstance(part.func, ast.Name) and part.func.id in _CALLED):
            raise ValueError(f"“{text}” calls something else than {', '.join(_CALLED)}")
        if isinstance(part, ast.Constant) and not isinstance(part.value, int | float | str):
            raise ValueError(f"“{text}” has a constant that is neither a number nor a text")
    if _depth(tree.body) > DEEPEST:
        raise ValueError(f"the expression “{text[:40]}…” has more than {DEEPEST} parts inside one another")
    return tree.body


def _depth(tree: ast.AST) -> int:
    """How many parts stand inside one another; without calling itself, for it looks at what is too deep for that."""
    deepest, left = 0, [(tree, 1)]
    while left:
        node, depth = left.pop()
        deepest = max(deepest, depth)
        left += [(inner, depth + 1) for inner in ast.iter_child_nodes(node)]
    return deepest


def names(text: str) -> set[str]:
    """The dotted names of an expression, functions left out."""
    found: set[str] = set()

    def walk(node: ast.AST) -> None:
        name = dotted(node)
        if name is not None:
            found.add(name)
            return
        for inner in node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node):
            walk(inner)

    walk(parsed(text))
    return found


def dotted(node: ast.AST) -> str | None:
    """The dotted name that a node is, or None."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "figure":
        match node.args:
            case [ast.Constant(value=str(name))]:
                return name
        return None
    if isinstance(node, ast.Attribute) and (first := dotted(node.value)) is not None:
        return f"{first}.{node.attr}"
    return None


def evaluate(text: str, look_up: Callable[[str, int | None], Any]) -> Any:
    """The value of an expression.

    Parameters
    ----------
    look_up : callable
        The value of a dotted name, here (None) or at the step of this number.

    Raises
    ------
    ValueError
        where it has no value, with a sentence that says why.
    """
    return _value(parsed(text), look_up, None)


def _value(node: ast.AST, look_up: Callable[[str, int | None], Any], at: int | None) -> Any:
    name = dotted(node)
    if name is not None:
        return look_up(name, at)

    def inner(one: ast.AST) -> Any:
        return _value(one, look_up, at)

    match node:
        case ast.Constant(value=value):
            return value
        case ast.Subscript(value=many, slice=ast.Constant(value=int(place))):
            return _one_of(inner(many), place)
        case ast.Attribute(value=one, attr=part):
            return _part_of(inner(one), part)
        case ast.Tuple(elts=parts):
            return tuple(inner(one) for one in parts)
        case ast.UnaryOp(op=ast.Not(), operand=one):
            return not inner(one)
        case ast.UnaryOp(op=op, operand=one):
            return _computed(op, inner(one))
        case ast.BinOp(left=left, op=op, right=right):
            return _computed(op, inner(left), inner(right))
        case ast.BoolOp(op=op, values=parts):
            each = (inner(one) for one in parts)
            return all(each) if isinstance(op, ast.And) else any(each)
        case ast.Compare(left=left, ops=ops, comparators=others):
            values = [inner(left), *(inner(one) for one in others)]
            return all(
                _applied(_OPERATORS[type(op)], a, b) for op, a, b in zip(ops, values[:-1], values[1:], strict=True)
            )
        case ast.Call(func=ast.Name(id="at"), args=[ast.Constant(value=int(step)), one]):
            return _value(one, look_up, step)
        case ast.Call(func=ast.Name(id=function), args=parts) if function in _FUNCTIONS:
            return _applied(_FUNCTIONS[function], *(inner(one) for one in parts))
    raise ValueError(f"“{ast.unparse(node)}” is not understood")


def _computed(op: ast.AST, *values: Any) -> Any:
    if not all(isinstance(value, int | float) for value in values):
        raise ValueError("only numbers can be added, subtracted, multiplied and divided")
    return _applied(_ARITHMETIC[type(op)], *values)


def _applied(function: Callable[..., Any], *values: Any) -> Any:
    """What a function makes of the values.

    Figures are looked up outside of it: an error of theirs stays what it is.
    """
    try:
        return function(*values)
    except ZeroDivisionError as problem:
        raise ValueError("one cannot divide by zero") from problem
    except OverflowError as problem:
        raise ValueError("a number is too large") from problem
    except TypeError as problem:
        raise ValueError("a value is used in a way that its kind does not allow") from problem


def _one_of(many: Any, place: int) -> Any:
    if not isinstance(many, tuple | list) or not 0 <= place < len(many):
        raise ValueError(f"there is no place {place} here: places are counted from 0")
    return many[place]


def _part_of(one: Any, part: str) -> Any:
    if isinstance(one, Value):
        with suppress(AttributeError):
            return one.at(part)
    raise ValueError(f"there is nothing called “{part}” here")
