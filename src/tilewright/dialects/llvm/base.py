"""Base classes of LLVM operations: they infer result types from operands, and declare the attributes that
memory accesses share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.constraints import i1_of_same_shape
from tilewright.dialects.llvm import attributes as llvm_attributes, kinds as llvm_kinds
from tilewright.dialects.llvm.rules import common as common_rules
from tilewright.dialects.llvm.rules.common import member_type
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.declaration import fields, traits as ir_traits
from tilewright.ir.value import Value

Regions = Sequence[Region]
Attributes = Mapping[str, Attribute]


class LLVMComparisonOp(StandardOp):
    """An operation whose result is an i1, or a vector of i1 for vector operands."""

    text_stands_alone: ClassVar[bool] = True

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Attributes, regions: Regions
    ) -> Sequence[Type]:
        return [i1_of_same_shape(operands[0].type)]


class ElementResultOp(StandardOp):
    """An operation whose result is an element of its first operand."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Attributes, regions: Regions
    ) -> Sequence[Type]:
        vector: Any = operands[0].type
        return [vector.element_type]


class StartValueResultOp(StandardOp):
    """An operation whose result has the type of its first operand."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Attributes, regions: Regions
    ) -> Sequence[Type]:
        return [operands[0].type]


class OverflowResultOp(StandardOp):
    """An operation whose result is a struct of the wrapped number and an i1 that is true if it wrapped."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Attributes, regions: Regions
    ) -> Sequence[Type]:
        return [common_rules.overflow_type(operands[0].type)]


class MemberResultOp(StandardOp):
    """An operation whose result has the type of the struct or array member at its position."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Attributes, regions: Regions
    ) -> Sequence[Type]:
        position: Any = attributes["position"]
        try:
            return [member_type(operands[0].type, position.values)]
        except ir_traits.VerifyError as problem:
            raise ValueError(problem.message) from problem


class ShuffleResultOp(StandardOp):
    """An operation whose result is a vector of the elements that a mask selects from two vectors."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Attributes, regions: Regions
    ) -> Sequence[Type]:
        mask: Any = attributes["mask"]
        return [common_rules.shuffled_type(operands[0].type, mask.values)]


class AtomicResultOp(StandardOp):
    """An operation whose result is the previous value in memory."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Attributes, regions: Regions
    ) -> Sequence[Type]:
        return [operands[1].type]


class ExchangeResultOp(StandardOp):
    """An operation whose result is a struct of the previous value in memory, and an i1 that is true if the
    value was exchanged.
    """

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Attributes, regions: Regions
    ) -> Sequence[Type]:
        return [common_rules.exchange_type(operands[1].type)]


class MemoryAccessOp(StandardOp):
    """An operation that may access memory, with metadata for alias analysis."""

    access_groups: tuple[llvm_attributes.AccessGroupAttr, ...] | None = fields.optional_attr_def(
        llvm_kinds.ACCESS_GROUPS, "Groups of accesses that loops may run in parallel.", default=None
    )
    alias_scopes: tuple[llvm_attributes.AliasScopeAttr, ...] | None = fields.optional_attr_def(
        llvm_kinds.ALIAS_SCOPES, "Scopes that the access belongs to.", default=None
    )
    noalias_scopes: tuple[llvm_attributes.AliasScopeAttr, ...] | None = fields.optional_attr_def(
        llvm_kinds.ALIAS_SCOPES, "Scopes that the access has nothing to do with.", default=None
    )
    tbaa: tuple[llvm_attributes.TBAATagAttr, ...] | None = fields.optional_attr_def(
        llvm_kinds.TBAA_TAGS, "The types that the access touches.", default=None
    )
