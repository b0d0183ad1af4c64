"""The common parts of reductions and scans: the dimension along which they combine elements, and the
combining body.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from tilewright.dialects.arith import ops_float as floats, ops_integer as integers
from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.nv_tileas import ops_arith as tileas_arith, ops_tile as tileas_tile
from tilewright.ir import builtin_attributes, builtin_types, diagnostic
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.declaration.traits import Commutative
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.targets.elements.element_types import is_native, is_tile
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.lanes import UNSEEN, shows_nan
from tilewright.targets.elements.rounding import canonical
from tilewright.targets.nvptx import codes
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers
from tilewright.targets.nvptx.tileas_to_nvvm.program import as_scalar, inlined, to_register_type

Aggregate = tileas_tile.ReduceOp | tileas_tile.ScanOp
"""Operations whose body combines elements along a dimension."""
Row = tuple[Value, ...]
"""One register of each operand."""


@dataclass(frozen=True)
class Axis:
    """The bits of element numbers along a dimension: from stride ``low`` up to, but excluding, ``high``;
    powers of two.

    For example, dimension 0 of the shape (4, 8) has the strides 8 and 16: ``Axis(8, 32)``.
    """

    low: int
    high: int

    @classmethod
    def of(cls, shape: Sequence[int], dimension: int) -> Axis:
        """Return the bits of the row-major element numbers along `dimension` of a tile of shape `shape`."""
        low = prod(shape[dimension + 1 :])
        return cls(low, low * shape[dimension])

    @property
    def strides(self) -> list[int]:
        """Return the stride of each bit of the dimension, lowest first: the distance between the elements
        that a step combines.
        """
        return [1 << bit for bit in range(self.low.bit_length() - 1, self.high.bit_length() - 1)]

    def has(self, stride: int) -> bool:
        """Return whether elements that are `stride` row-major numbers apart differ in the coordinate along
        the dimension.
        """
        return self.low <= stride < self.high

    def without(self, number: int) -> int:
        """Return the number of an element in the reduced tile: `number` without the bits of this dimension."""
        return number // self.high * self.low + number % self.low


class RowCombination:
    """The body of a reduction or scan as a function of two rows: a call emits the body and returns the
    combined row. `types` are the element types of the operands. The constructor raises `DiagnosticError` for
    a body that `check_body` refuses.
    """

    def __init__(
        self, converter: LLVMTypeConverter, code: PatternCode, op: Aggregate, types: Sequence[Type]
    ) -> None:
        check_body(op)
        self.converter = converter
        self.code = code
        self.op = op
        self.types = types
        self.commutes = commutes(op)
        inside = op.body.blocks[0].ops
        self.showing = frozenset(
            inner for inner in inside if any(shows_nan(result, stored=False) for result in inner.results)
        )
        """The operations of the body that observe the bits of a NaN; yielded values reach the body again."""

    def __call__(self, left: Row, right: Row) -> Row:
        """Emit the body of the operation for the values of `left` and `right`, one for each input, in
        registers, and return its results.
        """
        code = self.code
        given = [
            as_scalar(code, self.converter, value, type)
            for value, type in zip((*left, *right), (*self.types, *self.types), strict=True)
        ]
        made = inlined(code, self.op.body.blocks[0], given, self._marks)
        return tuple(to_register_type(code, self.converter, value) for value in made)

    def canonical_results(self, columns: Iterable[Registers]) -> list[Registers]:
        """Return the registers of the results; NaN is canonical in results whose bits can be observed.

        Between two applications of the body the bits of a NaN are not observable.
        """
        results = zip(columns, self.op.results, self.types, strict=True)
        return [self._canonical(values, result, type) for values, result, type in results]

    def _canonical(self, values: Registers, result: Value, type: Type) -> Registers:
        if not is_native(type) or not shows_nan(result, stored=False):
            return values
        return [canonical(Expression(self.code, value)).value for value in values]

    def _marks(self, op: Operation) -> Mapping[str, Attribute]:
        return {} if op in self.showing else {UNSEEN: builtin_attributes.UNIT}

    def of_either(self, comes_first: Value, row: Row, other: Row) -> Row:
        """Return the combination of two rows whose order is known at run time: `other` precedes `row` where
        ``comes_first``, an i1, is true.
        """
        if self.commutes:
            return self(row, other)
        return self(
            selected(self.code, comes_first, other, row), selected(self.code, comes_first, row, other)
        )


EXACT = frozenset(
    both
    for one in (
        *(floats.MaximumFOp, floats.MinimumFOp, floats.MaxNumFOp, floats.MinNumFOp),
        *(integers.AddIOp, integers.MulIOp, integers.AndIOp, integers.OrIOp, integers.XOrIOp),
        *(integers.MaxSIOp, integers.MinSIOp, integers.MaxUIOp, integers.MinUIOp),
    )
    for both in tileas_arith.of_both(one)
)
"""Operations that give the same bits in whatever order they combine elements."""


def is_exact(op: Aggregate) -> bool:
    """Return whether elements may be combined in any order with the same bits as result: the body is one
    commutative operation of `EXACT`.
    """
    return commutes(op) and op.body.blocks[0].ops[0].__class__ in EXACT


def commutes(op: Aggregate) -> bool:
    """Return whether the order of two elements does not matter: the body is a single commutative operation on
    both elements, whose results it yields.
    """
    (block,) = op.body.blocks
    first, last = block.ops[0], block.ops[-1]
    return (
        len(block.ops) == 2
        and first.has_trait(Commutative)
        and set(first.operands) == set(block.arguments)
        and list(last.operands) == list(first.results)
    )


def check_body(op: Aggregate) -> None:
    """Raise `DiagnosticError` if an operation on tiles in the body depends on the combined elements, or is in
    a region: a tile is distributed over all threads, so all threads must compute it, and they combine
    different elements.
    """
    (block,) = op.body.blocks
    changing = set[Value](block.arguments)
    for inner in [inner for top in block.ops for inner in top.walk()]:
        if inner.parent is not block or inner.regions or changing.intersection(inner.operands):
            changing.update(inner.results)
            if any(is_tile(value.type) for value in (*inner.operands, *inner.results)):
                message = f"'{inner.name}' on tiles has no form on GPUs inside '{op.name}'"
                hint = "compute the tile before the operation, or combine elements one by one"
                raise diagnostic.failure(codes.NO_GPU_FORM, message, inner.location, hint=hint)


def selected(code: PatternCode, condition: Value, row: Row, other: Row) -> Row:
    """Return `row` if the i1 `condition` is true, else `other`: one select for each register."""
    pairs = zip(row, other, strict=True)
    return tuple(code(llvm.SelectOp, condition, *pair, type=pair[0].type) for pair in pairs)


def has_bit(code: PatternCode, bit: int, *, is_set: bool = True) -> Value:
    """Return whether bit `bit` of this thread's number is set, or without `is_set` whether it is clear."""
    field = code(llvm.AndOp, code.thread(), code.integer(1 << bit, builtin_types.i32))
    return code.compare_integers("ne" if is_set else "eq", field, code.integer(0, builtin_types.i32))
