"""The base of the patterns that lower operations on tiles: every tile becomes registers of the thread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types import address_spaces, converter as llvm_types_converter
from tilewright.lowering.tileas import distribution as tileas_distribution, layout_rules
from tilewright.rewrite.conversion.pattern import Adaptor, ConversionPattern
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.conversion.type_converter import REFUSED, Converted
from tilewright.rewrite.pattern import NoMatch
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode, held_type

_Op = TypeVar("_Op", bound=Operation)
Registers = Sequence[Value]
"""The values of one operand or result: one value for a scalar, one for each register of a tile."""


def registers_of(type: RankedTensorType) -> Converted:
    """Return the converted types of a tile: one for each element that a thread holds, or a local pointer for
    a tile in an array. Return `REFUSED` for a tile without a layout.
    """
    if layout_rules.is_in_arrays(type):
        return (LLVMPointerType(address_spaces.LlvmAddressSpace.LOCAL.value),)
    found = tileas_distribution.distribution_of(type)
    return REFUSED if found is None else (held_type(type.element_type),) * len(found.offsets)


def distribution(type: Type) -> tileas_distribution.Distribution:
    """Return the distribution of a tile over threads; the converter has accepted its type."""
    found = tileas_distribution.distribution_of(type)
    assert found is not None, "the converter accepts only tiles with layouts"
    return found


class ThreadPattern(ConversionPattern[_Op], Generic[_Op]):
    """A pattern whose `lower` returns, for each result of an operation, the values of this thread, which
    replace the result. An operation with a result type that has no form on a GPU does not match.
    """

    one_to_n: ClassVar[bool] = True

    def __init__(self, converter: llvm_types_converter.LLVMTypeConverter, **named: Any) -> None:
        super().__init__(converter, **named)
        self.converter = converter

    def match_and_rewrite(self, op: _Op, adaptor: Adaptor, rewriter: ConversionRewriter) -> NoMatch | None:
        for result in op.results:
            if self.converter.converted(result.type) is None:
                return rewriter.no_match("result types {} have no form on a GPU", op.result_types)
        found = self.lower(op, adaptor, PatternCode(op, rewriter))
        if isinstance(found, NoMatch):
            return found
        rewriter.replace(op, [tuple(values) for values in found])
        return None

    def lower(self, op: _Op, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        """Return, for each result of `op`, the values of this thread; or why the pattern does not match. `at`
        has the converted operands by name, and `code` emits operations before `op`.
        """
        raise NotImplementedError(f"{type(self).__name__} does not implement lower")

    def scalars(self, code: PatternCode, values: Registers, type: Type) -> Registers:
        """Return `values` as the result of an operation with the type `type`: a scalar is converted from its
        register type to the type of the type converter; a tile is returned unchanged.
        """
        if isinstance(type, RankedTensorType):
            return values
        form = self.converter.convert_type(type)
        assert form is not None, "the pattern was asked for types that have a form"
        return [code.in_form(value, form) for value in values]
