"""Affine expressions and maps: ``affine_map<(d0, d1)[s0] -> (d0 + s0, d1 floordiv 4)>``.

Expressions are uniqued and simplified where they are made, by the rules of MLIR, so that equal ones are identical:
constants fold and stand on the right, ``x * 4 floordiv 2`` is ``x * 2``, ``x + x * 2`` is ``x * 3``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import Enum
from typing import ClassVar

from tilewright.ir.builtin_types import MemRefLayout
from tilewright.ir.uniquer import InvalidParameters, Uniqued


class AffineOperator(Enum):
    """The operators of affine expressions and their spelling."""

    ADD = "+"
    MULTIPLY = "*"
    MODULO = "mod"
    FLOOR_DIVIDE = "floordiv"
    CEIL_DIVIDE = "ceildiv"


class AffineExpression(Uniqued):
    """Base of affine expressions; built with Python's ``+``, ``-``, ``*``, ``//``, ``%`` and `ceil_divide`,
    which simplify. They raise `InvalidParameters` if the result is not affine, or a constant does not fit in
    64 bits.
    """

    @property
    def is_symbolic(self) -> bool:
        """Whether no dimension occurs in the expression, only symbols and constants."""
        return not any(isinstance(leaf, AffineDimension) for leaf in leaves(self))

    def __add__(self, other: AffineExpression | int) -> AffineExpression:
        return _add(self, as_expression(other))

    def __sub__(self, other: AffineExpression | int) -> AffineExpression:
        return _add(self, as_expression(other) * -1)

    def __neg__(self) -> AffineExpression:
        return self * -1

    def __mul__(self, other: AffineExpression | int) -> AffineExpression:
        return _multiply(self, as_expression(other))

    def __mod__(self, other: AffineExpression | int) -> AffineExpression:
        return _modulo(self, as_expression(other))

    def __floordiv__(self, other: AffineExpression | int) -> AffineExpression:
        return _floor_divide(self, as_expression(other))

    def ceil_divide(self, other: AffineExpression | int) -> AffineExpression:
        """Return the quotient rounded towards positive infinity. Raises `InvalidParameters` if `other` has
        dimensions.
        """
        return _ceil_divide(self, as_expression(other))

    def __str__(self) -> str:
        return _text(self, enclosed=False)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


class AffineDimension(AffineExpression):
    """``d0``: the dimension of the map at ``position``, from 0."""

    position: int


class AffineSymbol(AffineExpression):
    """``s0``: the symbol of the map at ``position``, from 0."""

    position: int


class AffineConstant(AffineExpression):
    """A constant in an affine expression, a signed number of 64 bits."""

    value: int

    def verify_parameters(self) -> None:
        if not -(1 << 63) <= self.value < 1 << 63:
            raise InvalidParameters(f"affine constant {self.value} does not fit in 64 bits")


class AffineBinary(AffineExpression):
    """An operator between two expressions; make it with Python's operators, which simplify."""

    operator: AffineOperator
    left: AffineExpression
    right: AffineExpression


def as_expression(value: AffineExpression | int) -> AffineExpression:
    """Return `value`, as an `AffineConstant` if it is a number."""
    return AffineConstant(value) if isinstance(value, int) else value


def leaves(expression: AffineExpression) -> list[AffineExpression]:
    """Return the dimensions, symbols and constants of an expression from left to right, each as often as it
    occurs.
    """
    found: list[AffineExpression] = []
    pending = [expression]
    while pending:
        current = pending.pop()
        if isinstance(current, AffineBinary):
            pending += (current.right, current.left)
        else:
            found.append(current)
    return found


def known_divisor(expression: AffineExpression) -> int:
    """Return the largest number that is known to divide every value of the expression: 0 for the constant 0,
    and 1 if no larger divisor is known.
    """
    match expression:
        case AffineConstant():
            return abs(expression.value)
        case AffineBinary(operator=AffineOperator.MULTIPLY):
            return known_divisor(expression.left) * known_divisor(expression.right)
        case AffineBinary(operator=AffineOperator.ADD | AffineOperator.MODULO):
            return math.gcd(known_divisor(expression.left), known_divisor(expression.right))
        case AffineBinary(right=AffineConstant(value=value)) if value:
            divisor = known_divisor(expression.left)
            return divisor // abs(value) if divisor % value == 0 else 1
        case _:
            return 1


def _number(expression: AffineExpression) -> int | None:
    return expression.value if isinstance(expression, AffineConstant) else None


def _operand_and_constant(
    expression: AffineExpression, operator: AffineOperator
) -> tuple[AffineExpression, int] | None:
    """Return ``(x, c)`` if the expression is ``x operator c`` with a constant ``c``, else None."""
    if isinstance(expression, AffineBinary) and expression.operator is operator:
        constant = _number(expression.right)
        return None if constant is None else (expression.left, constant)
    return None


def _summands(expression: AffineExpression) -> tuple[AffineExpression, ...]:
    """Return both sides of a sum; an empty tuple for other expressions."""
    if isinstance(expression, AffineBinary) and expression.operator is AffineOperator.ADD:
        return expression.left, expression.right
    return ()


def _swapped(left: AffineExpression, right: AffineExpression) -> bool:
    """Return whether the sides of a sum or product have to be swapped: constants and symbols belong on the
    right.
    """
    return isinstance(left, AffineConstant) or (left.is_symbolic and not right.is_symbolic)


def _add(left: AffineExpression, right: AffineExpression) -> AffineExpression:
    first, second = _number(left), _number(right)
    if first is not None and second is not None:
        return AffineConstant(first + second)
    if _swapped(left, right):
        return _add(right, left)
    if second == 0:
        return left
    inner = _operand_and_constant(left, AffineOperator.ADD)
    if inner is not None:  # constants move to the right end
        return (
            _add(inner[0], AffineConstant(inner[1] + second))
            if second is not None
            else inner[0] + right + inner[1]
        )
    joined = _joined_terms(left, right)
    if joined is None and (summands := _summands(right)):  # sums associate to the left, as their text does
        return left + summands[0] + summands[1]
    return joined or AffineBinary(AffineOperator.ADD, left, right)


def _joined_terms(left: AffineExpression, right: AffineExpression) -> AffineExpression | None:
    """Return the simpler form of the sum ``left + right``: ``x * a + x * b`` is ``x * (a + b)``, and ``x + (x
    floordiv q) * -q`` is ``x mod q``. Return None if neither rule applies.
    """
    term, factor = _operand_and_constant(left, AffineOperator.MULTIPLY) or (left, 1)
    other, other_factor = _operand_and_constant(right, AffineOperator.MULTIPLY) or (right, 1)
    if term is other:
        return term * (factor + other_factor)
    quotient = _operand_and_constant(other, AffineOperator.FLOOR_DIVIDE)
    if quotient is not None and quotient[1] == -other_factor and quotient[0] is left:
        return left % quotient[1]
    return None


def _multiply(left: AffineExpression, right: AffineExpression) -> AffineExpression:
    first, second = _number(left), _number(right)
    if first is not None and second is not None:
        return AffineConstant(first * second)
    if not left.is_symbolic and not right.is_symbolic:
        raise InvalidParameters(
            "non-affine expression: at least one of the multiply operands has to be symbolic"
        )
    if _swapped(left, right):
        return _multiply(right, left)
    if second in (0, 1):
        return left if second else right
    inner = _operand_and_constant(left, AffineOperator.MULTIPLY)
    if inner is not None:
        return inner[0] * (inner[1] * second) if second is not None else inner[0] * right * inner[1]
    return AffineBinary(AffineOperator.MULTIPLY, left, right)


def _check_divisor(right: AffineExpression, word: str) -> None:
    if not right.is_symbolic:
        raise InvalidParameters(f"non-affine expression: right operand of {word} has to be symbolic")


def _floor_divide(left: AffineExpression, right: AffineExpression) -> AffineExpression:
    _check_divisor(right, "floordiv")
    by = _number(right)
    if by:
        number, product = _number(left), _operand_and_constant(left, AffineOperator.MULTIPLY)
        if number is not None:
            return AffineConstant(number // by)
        if by == 1:
            return left
        if product is not None and product[1] % by == 0:
            return product[0] * (product[1] // by)
        summands = _summands(left)
        if summands and any(known_divisor(summand) % by == 0 for summand in summands):
            return summands[0] // by + summands[1] // by
    return AffineBinary(AffineOperator.FLOOR_DIVIDE, left, right)


def _ceil_divide(left: AffineExpression, right: AffineExpression) -> AffineExpression:
    _check_divisor(right, "ceildiv")
    by = _number(right)
    if by:
        number, product = _number(left), _operand_and_constant(left, AffineOperator.MULTIPLY)
        if number is not None:
            return AffineConstant(-(-number // by))
        if by == 1:
            return left
        if product is not None and product[1] % by == 0:
            return product[0] * (product[1] // by)
    return AffineBinary(AffineOperator.CEIL_DIVIDE, left, right)


def _modulo(left: AffineExpression, right: AffineExpression) -> AffineExpression:
    _check_divisor(right, "mod")
    by = _number(right)
    if by is not None and by >= 1:
        number = _number(left)
        if number is not None:
            return AffineConstant(number % by)
        if known_divisor(left) % by == 0:
            return AffineConstant(0)
        rest = [summand for summand in _summands(left) if known_divisor(summand) % by]
        if len(rest) == 1 and _summands(left):
            return rest[0] % by
        inner = _operand_and_constant(left, AffineOperator.MODULO)
        if inner is not None and inner[1] >= 1 and inner[1] % by == 0:
            return inner[0] % by
    return AffineBinary(AffineOperator.MODULO, left, right)


_EVALUATE: dict[AffineOperator, Callable[[int, int], int]] = {
    AffineOperator.ADD: lambda left, right: left + right,
    AffineOperator.MULTIPLY: lambda left, right: left * right,
    AffineOperator.MODULO: lambda left, right: left % right,
    AffineOperator.FLOOR_DIVIDE: lambda left, right: left // right,
    AffineOperator.CEIL_DIVIDE: lambda left, right: -(-left // right),
}
_BUILD: dict[AffineOperator, Callable[[AffineExpression, AffineExpression], AffineExpression]] = {
    AffineOperator.ADD: _add,
    AffineOperator.MULTIPLY: _multiply,
    AffineOperator.MODULO: _modulo,
    AffineOperator.FLOOR_DIVIDE: _floor_divide,
    AffineOperator.CEIL_DIVIDE: _ceil_divide,
}


def combine(operator: AffineOperator, left: AffineExpression, right: AffineExpression) -> AffineExpression:
    """Return the simplified expression ``left operator right``. Raises `InvalidParameters` if it is not
    affine.
    """
    return _BUILD[operator](left, right)


def evaluate(expression: AffineExpression, dimensions: Sequence[int], symbols: Sequence[int] = ()) -> int:
    """Return the value of an expression; ``dimensions`` and ``symbols`` have the values by position.

    Raises `ZeroDivisionError` for a division by zero, `IndexError` for a missing value, and `TypeError` for
    anything but an expression.
    """
    match expression:
        case AffineDimension(position=position):
            return dimensions[position]
        case AffineSymbol(position=position):
            return symbols[position]
        case AffineConstant(value=value):
            return value
        case AffineBinary():
            left = evaluate(expression.left, dimensions, symbols)
            return _EVALUATE[expression.operator](left, evaluate(expression.right, dimensions, symbols))
        case _:
            raise TypeError(f"not an affine expression: {expression!r}")


def _text(expression: AffineExpression, *, enclosed: bool) -> str:
    """Return the spelling of MLIR's printer; ``enclosed`` puts an expression with an operator in parentheses."""
    match expression:
        case AffineDimension(position=position):
            return f"d{position}"
        case AffineSymbol(position=position):
            return f"s{position}"
        case AffineConstant(value=value):
            return str(value)
        case AffineBinary(operator=AffineOperator.ADD):
            text = _sum_text(expression)
        case AffineBinary(operator=AffineOperator.MULTIPLY, right=AffineConstant(value=-1)):
            text = f"-{_text(expression.left, enclosed=True)}"
        case AffineBinary(operator=operator):
            left, right = _text(expression.left, enclosed=True), _text(expression.right, enclosed=True)
            text = f"{left} {operator.value} {right}"
        case _:
            raise TypeError(f"not an affine expression: {expression!r}")
    return f"({text})" if enclosed else text


def _sum_text(expression: AffineBinary) -> str:
    left, right = _text(expression.left, enclosed=False), expression.right
    product = _operand_and_constant(right, AffineOperator.MULTIPLY)
    if product is not None and product[1] == -1:
        operand = product[0]
        weak = isinstance(operand, AffineBinary) and operand.operator is AffineOperator.ADD
        return f"{left} - {_text(operand, enclosed=weak)}"
    if product is not None and product[1] < -1:
        return f"{left} - {_text(product[0], enclosed=True)} * {-product[1]}"
    number = _number(right)
    if number is not None and number < 0:
        return f"{left} - {-number}"
    return f"{left} + {_text(right, enclosed=False)}"


class AffineMap(Uniqued):
    """A list of affine expressions, ``results``, over ``dimension_count`` dimensions and ``symbol_count``
    symbols. Raises `InvalidParameters` if a result uses a dimension or symbol that the map does not have.
    """

    dimension_count: int
    symbol_count: int
    results: tuple[AffineExpression, ...]

    def verify_parameters(self) -> None:
        for leaf in (leaf for result in self.results for leaf in leaves(result)):
            if isinstance(leaf, AffineDimension) and leaf.position >= self.dimension_count:
                raise InvalidParameters(f"affine map uses dimension {leaf} but has {self.dimension_count}")
            if isinstance(leaf, AffineSymbol) and leaf.position >= self.symbol_count:
                raise InvalidParameters(f"affine map uses symbol {leaf} but has {self.symbol_count}")

    @property
    def is_identity(self) -> bool:
        """Whether the results are all dimensions in order: ``(d0, d1) -> (d0, d1)``. The map may have
        symbols.
        """
        return self.results == identity_map(self.dimension_count).results

    @property
    def is_projected_permutation(self) -> bool:
        """Whether every result is a dimension, each dimension occurs at most once, and the map has no
        symbols: ``(d0, d1, d2) -> (d2, d0)``.
        """
        return all(isinstance(result, AffineDimension) for result in self.results) and (
            len(set(self.results)) == len(self.results) and not self.symbol_count
        )

    def evaluate(self, dimensions: Sequence[int], symbols: Sequence[int] = ()) -> tuple[int, ...]:
        """Return the values of all results for the given values of dimensions and symbols."""
        return tuple(evaluate(result, dimensions, symbols) for result in self.results)

    def __str__(self) -> str:
        symbols = ", ".join(f"s{position}" for position in range(self.symbol_count))
        dimensions = ", ".join(f"d{position}" for position in range(self.dimension_count))
        results = ", ".join(map(str, self.results))
        return f"({dimensions}){f'[{symbols}]' if symbols else ''} -> ({results})"

    def __repr__(self) -> str:
        return f"<AffineMap {self}>"


def identity_map(rank: int) -> AffineMap:
    """Return the map of `rank` dimensions to themselves: ``(d0, d1) -> (d0, d1)`` for 2."""
    return AffineMap(rank, 0, tuple(AffineDimension(position) for position in range(rank)))


def permutation_map(permutation: Sequence[int]) -> AffineMap:
    """Return the map whose results are the dimensions at the given positions: ``(d0, d1) -> (d1, d0)`` for
    ``[1, 0]``.
    """
    return AffineMap(len(permutation), 0, tuple(AffineDimension(position) for position in permutation))


class AffineMapAttr(MemRefLayout):
    """An affine map as an attribute; also a memref layout."""

    name: ClassVar[str] = "builtin.affine_map"
    map: AffineMap

    @property
    def spelling(self) -> str:
        """The text: ``affine_map<(d0) -> (d0)>``."""
        return f"affine_map<{self.map}>"

    @property
    def layout_rank(self) -> int:
        """The number of dimensions of a memref that has this layout."""
        return self.map.dimension_count

    @property
    def identity_rank(self) -> int | None:
        """The number of dimensions if the map is the identity and has no symbols; None for other maps."""
        plain = self.map.is_identity and not self.map.symbol_count
        return self.map.dimension_count if plain else None
