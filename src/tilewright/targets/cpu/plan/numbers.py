"""Positions as far as planning knows them: the arithmetic of `Code`, without any code.

The rules that find out where an access is work with numbers where numbers are known, and write code for the rest.
Planning runs the same rules with `Numbers`: what would be code is a value of which nothing is known but its type, and
whether it is even.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.builtin.ops import UnrealizedConversionCastOp
from tilewright.dialects.llvm import ops_arithmetic as arithmetic
from tilewright.dialects.llvm.ops_aggregate import ConstantOp as HeldConstant
from tilewright.dialects.nv_tileaa.ops_pointer import AssumeOp
from tilewright.dialects.nv_tileas.ops_tile import PragmaOp
from tilewright.dialects.scf.ops_loop import WhileOp
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import i64
from tilewright.ir.value import Value
from tilewright.optimizer.analysis.on_demand import FactsOnDemand
from tilewright.targets.elements.types import element_of, register_type
from tilewright.targets.llvm.code import POINTER, Code, Index


@cache
def unknown(type: Type) -> Value:
    """What stands for a value that is only known when the kernel runs."""
    return Block([type]).arguments[0]


EVEN: Value = Block([i64]).arguments[0]
"""What stands for a position of which it is known that it is even."""


class Numbers(Code):
    """Arithmetic on positions that writes nothing."""

    def __init__(self) -> None:
        super().__init__(Region([Block()]))
        self.even.add(EVEN)

    def __call__(self, op_class: Any, *arguments: Any, type: Type | None = None, **named: Any) -> Value:
        """What the result is known to be: nothing, or even."""
        even = [argument is EVEN for argument in arguments]
        if op_class is arithmetic.MulOp and any(even):
            return EVEN
        if op_class in (arithmetic.AddOp, arithmetic.SubOp) and all(even):
            return EVEN
        return unknown(type or i64)

    def constant(self, value: Attribute, type: Type) -> Value:
        """A constant, of which nothing needs to be known any more."""
        return unknown(type)

    def value(self, index: Index) -> Value:
        """A position as a value, in a sum or product of which the other part is not known."""
        if isinstance(index, int):
            return unknown(i64) if index % 2 else EVEN
        return index

    def address(self, base: Value, offset: Index, element: Type = i64) -> Value:
        """An address."""
        return unknown(POINTER)


class KnownScalars(dict[Value, Value]):
    """The scalars of a kernel, as far as planning knows them: constants are constants, and facts say what is even."""

    def __init__(self, known: FactsOnDemand) -> None:
        super().__init__()
        self.known = known

    def __missing__(self, value: Value) -> Value:
        found = self[value] = self._find(value)
        return found

    def _find(self, value: Value) -> Value:
        source = _passed(value)
        if source is not None:
            return self[source]
        attribute = getattr(value.owner, "value", None)
        held = register_type(element_of(value.type))
        if isinstance(value.owner, ConstantOp | HeldConstant) and isinstance(attribute, IntegerAttr):
            return HeldConstant(IntegerAttr(held, attribute.value), result_types=[held]).results[0]
        if held is i64 and self.known.facts(value).divisor % 2 == 0:
            return EVEN
        return unknown(held)


def _passed(value: Value) -> Value | None:
    """The scalar that a value is another name for."""
    owner: Any = value.owner
    loop = owner.parent_op if isinstance(owner, Block) else owner
    if isinstance(loop, WhileOp):
        is_passed = not isinstance(owner, Block) or owner is loop.regions[1].block
        return loop.regions[0].block.ops[-1].operands[1 + value.index] if is_passed else None
    if isinstance(owner, AssumeOp | UnrealizedConversionCastOp | PragmaOp):
        return owner.operands[value.index]
    return None
