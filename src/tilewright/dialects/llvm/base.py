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
    """The base of comparisons: their result is an i1, or a vector of i1 for vector operands."""

    text_stands_alone: ClassVar[bool] = True

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Attributes, regions: Regions
    ) -> Sequence[Type]:
        return [i1_of_same_shape(operands[0].type)]


class ElementResultOp(StandardOp):
    """The base of operations whose result has the element type of their first operand, a vector."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Attributes, regions: Regions
    ) -> Sequence[Type]:
        vector: Any = operands[0].type
        return [vector.element_type]


class StartValueResultOp(StandardOp):
    """The base of operations whose result has the type of their first operand, the start value of a
    reduction.
    """

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Attributes, regions: Regions
    ) -> Sequence[Type]:
        return [operands[0].type]


class OverflowResultOp(StandardOp):
    """The base of arithmetic with overflow: the result is a struct of the wrapped number and an i1 that is
    true if it wrapped; for a vector, a struct of two vectors.
    """

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Attributes, regions: Regions
    ) -> Sequence[Type]:
        return [common_rules.overflow_type(operands[0].type)]


class MemberResultOp(StandardOp):
    """The base of operations whose result has the type of the member of the first operand, a struct or array,
    at the attribute ``position``. A position that does not exist raises `ValueError` when the type is
    inferred.
    """

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
    """The base of `shufflevector`: the result is a vector with an element for each number in ``mask``."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Attributes, regions: Regions
    ) -> Sequence[Type]:
        mask: Any = attributes["mask"]
        return [common_rules.shuffled_type(operands[0].type, mask.values)]


class AtomicResultOp(StandardOp):
    """The base of atomic updates: the result is the previous value in memory, with the type of the second
    operand.
    """

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Attributes, regions: Regions
    ) -> Sequence[Type]:
        return [operands[1].type]


class ExchangeResultOp(StandardOp):
    """The base of `cmpxchg`: the result is a struct of the previous value in memory, and an i1 that is true
    if the value was exchanged.
    """

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Attributes, regions: Regions
    ) -> Sequence[Type]:
        return [common_rules.exchange_type(operands[1].type)]


class MemoryAccessOp(StandardOp):
    """The base of operations that may access memory, with optional metadata for alias analysis:
    `access_groups`, `alias_scopes`, `noalias_scopes` and `tbaa`.
    """

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
