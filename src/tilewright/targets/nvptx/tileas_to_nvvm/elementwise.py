"""Element-wise operations: each register of the result is computed from the registers of the operands with
the same number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.llvm.ops.aggregate import ExtractElementOp
from tilewright.dialects.nv_tileaa.ops.pointer import AddPtrOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import VectorType, f32, i32
from tilewright.ir.operation import Operation
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements import convert as elements_convert, rounding as elements_rounding
from tilewright.targets.elements.element_types import element_of
from tilewright.targets.elements.lanes import Lanes, rounding_mode
from tilewright.targets.elements.rules import RULES
from tilewright.targets.elements.run_time_library import NativeInstructions
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode, held_type
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers, ThreadPattern


class ElementRule(ThreadPattern[Operation]):
    """Lower an elementwise operation by its rule in `RULES`, once for each register; scalars have one
    register. ``native`` are the instructions of the chip: conversions of f32 and some functions are computed
    for two registers at once.
    """

    def __init__(self, converter: LLVMTypeConverter, native: NativeInstructions, **named: Any) -> None:
        super().__init__(converter, **named)
        self.native = native

    def lower(self, op: Operation, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        operands = [
            [code.in_form(value, held_type(element_of(operand.type))) for value in values]
            for operand, values in zip(op.operands, at.operands, strict=True)
        ]
        (result,) = op.results
        rule, native = RULES[op.__class__], self.native
        count = max(map(len, operands))
        spread = [values * count if len(values) < count else values for values in operands]
        type = held_type(element_of(result.type))
        rows = list(zip(*spread, strict=True))
        if len(rows) % 2 == 0 and self._in_pairs(op):
            made = [
                one
                for pair in zip(rows[::2], rows[1::2], strict=True)
                for one in self._pair(code, op, pair, type)
            ]
        else:
            made = [rule(Lanes(code, op, row, type, 1, native)) for row in rows]
        return [self.scalars(code, made, result.type)]

    def _in_pairs(self, op: Operation) -> bool:
        """Return whether the results of `op` are computed in f32 and rounded to nearest even in pairs, by one
        instruction for two: `op` converts f32, or has a formula in `narrow_functions` for its element type.
        """
        element, native = element_of(op.results[0].type), self.native
        if element not in native.rounded_pairs or rounding_mode(op) != elements_rounding.NEAREST_EVEN:
            return False
        if RULES[op.__class__] is elements_convert.float_to_float:
            return element_of(op.operands[0].type) is f32
        return (op.op_kind.mnemonic, element) in native.narrow_functions

    def _pair(self, code: PatternCode, op: Operation, rows: Sequence[Registers], type: Type) -> Registers:
        """Return two registers of the result, computed as a vector of two lanes; `rows` has the registers of
        the operands for each lane.
        """
        operands = [code.joined(values) for values in zip(*rows, strict=True)]
        lanes = Lanes(code, op, operands, VectorType((2,), type), 2, self.native)
        made = RULES[op.__class__](lanes)
        return [code(ExtractElementOp, made, code.integer(at, i32), type=type) for at in range(2)]


class AddPointer(ThreadPattern[AddPtrOp]):
    """Lower the addition of offsets, in elements, to addresses; the addresses keep their address space."""

    def lower(self, op: AddPtrOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        rows = zip(at.base, at.offset, strict=True)
        return [[RULES[AddPtrOp](Lanes(code, op, row, row[0].type, 1)) for row in rows]]


def populate_elementwise(
    patterns: RewritePatternSet, converter: LLVMTypeConverter, native: NativeInstructions
) -> None:
    """Add one pattern for each row of the table of element rules, and the arithmetic of addresses."""
    patterns.add(
        *(
            ElementRule(converter, native, root=root, debug_name=f"elements of {root.op_kind.name}")
            for root in RULES
            if root is not AddPtrOp
        )
    )
    patterns.add(AddPointer(converter))
