"""How offsets change from element to element of a tile, known from the operations that compute them.

Frontends compute addresses with integers of 32 bits: ``base + sign_extend(i * 1024 + range)``.  Elements lie side by
side if the range counts by 1 and the narrow sum does not wrap around inside the tile.  The first is a fact about the
program (`stride`).  The second is a condition: narrow sums are exact, and so are all their parts, if they are at the
corners of the tile, where sums and products of coordinates take their extremes (`Corners`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.nv_tileaa.ops_pointer import AssumeOp
from tilewright.dialects.nv_tileaa.ops_structure import ConstantTensorOp, MakeRangeOp, SplatOp
from tilewright.dialects.nv_tileas.ops_tile import ExpandDimsOp, ViewOp
from tilewright.ir.builtin_attributes import DenseElementsAttr, IntegerAttr
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.targets.cpu.memory.buffer import Coordinate, Coordinates
from tilewright.targets.cpu.nest import elementwise, shape
from tilewright.targets.cpu.plan.recursion import Answering, solved
from tilewright.targets.elements.types import element_of, is_tile, shape_of
from tilewright.targets.llvm.code import Code, Index

WIDENED = {"extsi": True, "index_cast": True, "extui": False, "index_castui": False}
"""Operations that make integers wider; whether they read them as signed."""
SAME = ("assume", *WIDENED)
"""Operations that keep numbers what they are, if those fit."""
SUMS = ("addi", "subi", "addptr")
CONSTANTS = (ConstantOp, ConstantTensorOp, SplatOp)
MAXIMUM_CORNERS = 16
"""Tiles of more corners than that are not looked at."""


def constant_of(value: Value) -> int | None:
    """The number that all elements of a tile, or a scalar, are known to be."""
    owner = value.owner
    while (type(owner) is ExpandDimsOp or type(owner) is ViewOp or type(owner) is SplatOp) and owner.source:
        owner = owner.source.owner
    attribute = owner.value if isinstance(owner, CONSTANTS) else None
    if isinstance(attribute, IntegerAttr):
        return attribute.value
    if isinstance(attribute, DenseElementsAttr) and attribute.is_splat:
        (bits,) = attribute.patterns()
        width: Any = attribute.element_type
        return bits - (1 << width.width) if bits >> (width.width - 1) else bits
    return None


def moved(value: Value, coordinates: Coordinates) -> Coordinates | None:
    """Where the elements of a tile come from; None unless it is made by an operation that only moves them."""
    op = value.owner
    if type(op) is ExpandDimsOp:
        return coordinates[: op.axis] + coordinates[op.axis + 1 :]
    if type(op) is ViewOp and shape_of(value.type):
        return shape.source_coordinates(op, coordinates)
    return None


def mnemonic(value: Value) -> str:
    """The name of the operation that computes a value, without its dialect."""
    return value.owner.kind.mnemonic if isinstance(value, OpResult) else ""


def width_of(value: Value) -> int:
    """The bits of the integers in a tile; 64 for what is no integer."""
    element = element_of(value.type)
    return element.width if isinstance(element, IntegerType) else 64


def marks(extents: Sequence[int]) -> Coordinates:
    """Coordinates that say which dimension they are of."""
    return tuple(Coordinate(at + 1) for at in range(len(extents)))


def place(mark: Coordinate) -> int:
    """The dimension that a mark is of; -1 for none."""
    assert isinstance(mark.base, int), "made by `marks`"
    return mark.base - 1


Along = tuple[Value, int]
"""A tile and one of its dimensions."""
Corner = tuple[Value, Coordinates]
"""A tile and a place in it."""


def _product_stride(op: Operation, dimension: int) -> Answering[Along, int | None]:
    for factor, other in (op.operands, op.operands[::-1]):
        number, step = constant_of(factor), (yield other, dimension)
        if number is not None and step is not None:
            return number * step
    return None


class Offsets:
    """How the elements of the tiles of a function change along their dimensions; keeps what it found out."""

    def __init__(self) -> None:
        self._dependences: dict[Value, frozenset[int]] = {}
        self._strides: dict[Along, int | None] = {}

    def dependences(self, value: Value) -> frozenset[int]:
        """Along which dimensions the elements of a tile may differ."""
        return solved(self._dependences, self._find_dependences, value)

    def _find_dependences(self, value: Value) -> Answering[Value, frozenset[int]]:
        extents = shape_of(value.type)
        long = frozenset(at for at, extent in enumerate(extents) if extent > 1)
        owner: Any = value.owner
        if not is_tile(value.type) or constant_of(value) is not None:
            return frozenset()
        if not isinstance(value, OpResult):
            return long
        if isinstance(owner, SplatOp):
            return frozenset()
        if owner.__class__ in elementwise.EVALUATORS or isinstance(owner, AssumeOp):
            found: list[frozenset[int]] = []
            for operand in owner.operands:
                found.append((yield operand))
            return frozenset[int]().union(*found)
        inner = moved(value, marks(extents))
        if inner is None:
            return long
        below = yield owner.operands[0]
        return long & {place(at) for number, at in enumerate(inner) if number in below}

    def stride(self, value: Value, dimension: int) -> int | None:
        """By how much an element differs from the one before it along a dimension; None if that is not known."""
        return solved(self._strides, self._find_stride, (value, dimension))

    def _find_stride(self, key: Along) -> Answering[Along, int | None]:
        value, dimension = key
        if dimension not in self.dependences(value):
            return 0
        owner: Any = value.owner
        if not isinstance(value, OpResult) or owner.regions:
            return None
        if isinstance(owner, MakeRangeOp):
            return 1
        name = mnemonic(value)
        if name in SAME:
            return (yield owner.operands[0], dimension)
        if name in SUMS:
            left = yield owner.operands[0], dimension
            right = yield owner.operands[1], dimension
            if left is None or right is None:
                return None
            return left - right if name == "subi" else left + right
        if name == "muli":
            return (yield from _product_stride(owner, dimension))
        inner = moved(value, marks(shape_of(value.type))) or ()
        places = [number for number, at in enumerate(inner) if place(at) == dimension]
        return (yield owner.operands[0], places[0]) if places else None

    def narrow_parts(self, value: Value) -> dict[Value, bool]:
        """The narrow integers that pointers are computed from; whether they are read as signed."""
        found: dict[Value, bool] = {}
        pending, seen = [value], set[Value]()
        while pending:
            value = pending.pop()
            if value in seen or not isinstance(value, OpResult) or not self.dependences(value):
                continue
            seen.add(value)
            owner: Any = value.owner
            name = mnemonic(value)
            if name in WIDENED:
                found[owner.operands[0]] = WIDENED[name]
            elif name == "addptr" and width_of(owner.offset) < 64:
                found[owner.offset] = True
                pending.append(owner.base)
            elif name in SUMS or name in ("muli", "assume") or moved(value, marks(shape_of(value.type))):
                pending += owner.operands
        return found


# --- conditions


class NotAffine(Exception):
    """Nothing is known about a number."""


class Corners:
    """Exact numbers at the corners of a tile, and the conditions under which they are what the program computes.

    ``scalar`` gives the element at a point of a tile whose elements are all the same.
    """

    def __init__(self, code: Code, offsets: Offsets, scalar: Callable[[Value], Value]) -> None:
        self.code = code
        self.offsets = offsets
        self.scalar = scalar
        self.conditions: list[Value] = []
        self._known: dict[Corner, Index] = {}

    def check(self, value: Value, *, signed: bool) -> None:
        """Add the conditions for a tile of narrow integers.  Raises `NotAffine`."""
        extents = shape_of(value.type)
        ranges = [
            (0, extent - 1) if at in self.offsets.dependences(value) else (0,)
            for at, extent in enumerate(extents)
        ]
        corners = list(product(*ranges))
        if len(corners) > MAXIMUM_CORNERS:
            raise NotAffine
        for corner in corners:
            exact = self.exact(value, tuple(Coordinate(at) for at in corner))
            self._fits(exact, width_of(value), signed)

    def _fits(self, exact: Index, width: int, signed: bool) -> None:
        most = (1 << (width - 1)) - 1
        least = -most - 1 if signed else 0
        if isinstance(exact, int):
            if not least <= exact <= most:
                raise NotAffine
            return
        self.conditions += [self.code.compare("sge", exact, least), self.code.compare("sle", exact, most)]

    def exact(self, value: Value, at: Coordinates) -> Index:
        """The number at a corner; the conditions say when it is what the program computes.  Raises `NotAffine`."""
        return solved(self._known, self._compute, (value, at))

    def _compute(self, corner: Corner) -> Answering[Corner, Index]:
        value, at = corner
        number = constant_of(value)
        if number is not None:
            return number
        if not self.offsets.dependences(value):
            return self.code.index(self.scalar(value))
        owner: Any = value.owner
        name = mnemonic(value)
        if isinstance(owner, MakeRangeOp):
            return self.code.add(shape.known_index(self.code, self.scalar(owner.lower)), at[0].base)
        if name in ("addi", "subi"):
            combine = self.code.add if name == "addi" else self.code.subtract
            left = yield owner.operands[0], at
            right = yield owner.operands[1], at
            return combine(left, right)
        if name == "muli":
            return (yield from self._product(owner.operands, at, width_of(value)))
        if name in SAME:
            inner = yield owner.operands[0], at
            if name != "assume":
                self._fits(inner, width_of(owner.operands[0]), WIDENED[name])
            return inner
        places = moved(value, at)
        if places is None:
            raise NotAffine
        return (yield owner.operands[0], places)

    def _product(self, operands: Sequence[Value], at: Coordinates, width: int) -> Answering[Corner, Index]:
        """Factors that depend on one dimension both have their extremes elsewhere; large ones leave 64 bits."""
        left, right = operands
        if self.offsets.dependences(left) & self.offsets.dependences(right) or width > 32:
            raise NotAffine
        factors = [(yield left, at), (yield right, at)]
        for factor in factors:
            self._fits(factor, 32, True)
        made = self.code.multiply(*factors)
        self._fits(made, 33, True)
        return made
