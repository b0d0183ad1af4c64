"""Functions of the compiler's run-time library that LLVM calls to convert short floats.

Processors without instructions for a format hold scalars of it as f32, and LLVM emits calls for the
conversions. The library may be missing in the process, so modules define the functions that they may need.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass

from tilewright.dialects.llvm import enums as llvm_enums, types as llvm_types
from tilewright.dialects.llvm.ops import control as llvm_control, symbol as llvm_symbol
from tilewright.dialects.nv_tileaa.attributes import MemScope, RmwMode
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import FloatType, RankedTensorType, VectorType, f16, f32
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.math.polynomial import Formula
from tilewright.targets.elements.rounding import NEAREST_EVEN, round_by_parts, scaled
from tilewright.targets.llvm.code import LlvmBuilder

BEYOND = 65536.0
"""2**16: the value of an f16 with the exponent field of infinity and NaN, if that were an ordinary exponent.
"""


def _extend_half(x: Expression) -> Expression:
    value = scaled(x.bits(), f16.format)
    special = value.magnitude().compare("OGE", BEYOND)
    return special.select(value.bits() | f32.format.exponent_mask, value.bits()).as_type(f32)


def _truncate_half(x: Expression) -> Expression:
    return round_by_parts(x, f16, NEAREST_EVEN, saturate=False)


@dataclass(frozen=True)
class _LibraryRow:
    """A function: the format that requires it, its name, the types of argument and result, and its formula."""

    element: FloatType
    name: str
    argument: Type
    result: Type
    formula: Callable[[Expression], Expression]


_ROWS = (
    _LibraryRow(f16, "__extendhfsf2", f16, f32, _extend_half),
    _LibraryRow(f16, "__truncsfhf2", f32, f16, _truncate_half),
)


def uses(module: Operation, element: Type) -> bool:
    """Return whether an operation of the module defines a value of the type `element`, or a tile or vector of
    such elements.
    """
    return any(_element(value.type) is element for op in module.walk() for value in _values(op))


def _values(op: Operation) -> Iterator[Value]:
    """Yield the values that an operation and its blocks define."""
    yield from op.results
    for region in op.regions:
        for block in region.blocks:
            yield from block.arguments


def _element(type: Type) -> Type:
    return type.element_type if isinstance(type, VectorType | RankedTensorType) else type


def functions(module: Operation, conversions: Container[FloatType]) -> Iterator[llvm_symbol.LLVMFuncOp]:
    """Yield definitions of the functions that the module may need for formats of its values, except formats
    in `conversions`, which the target converts itself.
    """
    rows = [row for row in _ROWS if row.element not in conversions]
    used = {element for element in {row.element for row in rows} if uses(module, element)}
    return (_function(row) for row in rows if row.element in used)


def _function(row: _LibraryRow) -> llvm_symbol.LLVMFuncOp:
    body = Region([Block([row.argument])])
    code = LlvmBuilder(body)
    code.effect(llvm_control.ReturnOp, row.formula(Expression(code, code.entry.arguments[0])).value)
    return llvm_symbol.LLVMFuncOp(
        sym_name=row.name,
        function_type=llvm_types.LLVMFunctionType(row.result, (row.argument,)),
        body=body,
        no_unwind=True,
        linkage=llvm_enums.Linkage.WEAK_ODR,
        visibility_=llvm_enums.LlvmVisibility.HIDDEN,
    )


@dataclass(frozen=True, slots=True, eq=False)
class NativeInstructions:
    """The instructions of a chip.

    - ``functions``: elementary functions by name, with better formulas than in `math.library`.
    - ``conversions``: formats below 32 bits that it converts to and from f32; functions of the module convert
      the other formats that registers hold as floats.
    - ``arithmetic``: formats below 32 bits in which it computes, with the names of the operations; other
      operations are computed in f32 and rounded.
    - ``rounded_pairs``: formats to which it rounds two f32 by an instruction.
    - ``narrow_functions``: operations by name (with the rounding mode, unless it is to nearest, and ``ftz`` if
      subnormal numbers are flushed) and format of the result, f32 or shorter: formulas in f32, whose errors may be
      larger than in `math.library`.
    - ``updates``: atomic updates, with the types that it updates in memory; `atomics` implements the others.
    - ``scopes``: LLVM's names of scopes of atomic accesses, if the scope is not all threads.
    """

    functions: Mapping[str, Formula]
    conversions: frozenset[FloatType]
    arithmetic: Mapping[FloatType, frozenset[str]]
    rounded_pairs: frozenset[FloatType]
    narrow_functions: Mapping[tuple[str, FloatType], Formula]
    updates: Mapping[RmwMode, frozenset[Type]]
    scopes: Mapping[MemScope, str]
