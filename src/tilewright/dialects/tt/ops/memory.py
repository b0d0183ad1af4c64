"""Pointers, and loads and stores through them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tilewright.dialects.common.traits import ElementwiseMappable, SameOperandsAndResultShape
from tilewright.dialects.tt import attributes as tt_attributes, traits as tt_traits, types as tt_types
from tilewright.dialects.tt.constraints import BOOL_LIKE, INT_LIKE, POINTER_LIKE, VALUE
from tilewright.dialects.tt.enums import CacheModifier
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.declaration import attribute_kind, enum_attribute, fields, traits as ir_traits
from tilewright.ir.support.record import Record
from tilewright.ir.value import Value


class AccessKind(Record, frozen=True):
    """A kind of access: its name in messages (`words`), and the cache modifiers that it may have."""

    words: str
    modifiers: frozenset[CacheModifier]


LOAD = AccessKind(
    "loads",
    frozenset((CacheModifier.NONE, CacheModifier.CA, CacheModifier.CG, CacheModifier.CS, CacheModifier.CV)),
)
STORE = AccessKind(
    "stores",
    frozenset((CacheModifier.NONE, CacheModifier.WB, CacheModifier.CG, CacheModifier.CS, CacheModifier.WT)),
)


def check_cache_policy(policy: Attribute | None, access: AccessKind) -> None:
    """Raise `VerifyError` unless `policy` is None, or a `CachePolicyAttr` whose cache modifier the kind of
    access may have.
    """
    if policy is None:
        return
    if not isinstance(policy, tt_attributes.CachePolicyAttr):
        raise ir_traits.VerifyError(f"unsupported cache policy attribute {policy}")
    if policy.cache_modifier not in access.modifiers:
        raise ir_traits.VerifyError(
            f"invalid cache policy: cache modifier '{enum_attribute.spelling(policy.cache_modifier)}' "
            f"is not supported for {access.words}"
        )


POINTER_DOC = "The address, or one for each element."
MASK_DOC = "The mask of the elements that take part; all without it."
CACHE_DOC = "Hints for the caches; the result does not depend on them."


def mask_for(pointer: Type) -> Type:
    """Return the type of the mask of an access through a pointer, i1, or through a tensor of pointers, a
    tensor of i1 of the same shape.
    """
    return tt_types.mask_of(tt_types.pointee_of(pointer))


class AddPtrOp(tt_traits.TritonOp, name="tt.addptr"):
    """Adds offsets in elements, read as signed numbers, to a pointer or to each pointer of a tensor."""

    ptr: Value = fields.operand_def(POINTER_LIKE, "The address.")
    offset: Value = fields.operand_def(INT_LIKE, "How many elements further, as a signed number.")
    result: Value = fields.result_def(POINTER_LIKE, "The address of the other element.")
    assembly_format = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)"
    traits = (
        ir_traits.Pure(),
        ElementwiseMappable(),
        SameOperandsAndResultShape(),
        tt_traits.SameEncoding(),
        tt_traits.TypesMatch("result type matches ptr type", "result", "ptr", tt_traits.identity),
        tt_traits.TENSOR_SIZE,
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [operands[0].type]

    @classmethod
    def infer_operand_types(cls, parsing: Any, known: Mapping[str, Sequence[Type]]) -> dict[str, list[Type]]:
        return {"ptr": list(known["result"])}


class AccessOp(tt_traits.TritonOp):
    """The base of reads and writes of memory through pointers. The type of the pointers implies the types of
    values and masks, which the text leaves out.
    """

    @classmethod
    def infer_operand_types(cls, parsing: Any, known: Mapping[str, Sequence[Type]]) -> dict[str, list[Type]]:
        pointer = known["ptr"][0]
        value, mask = tt_types.pointee_of(pointer), mask_for(pointer)
        types = {"value": value, "mask": mask, "other": value}
        return {name: [type] for name, type in types.items() if parsing.uses.get(name)}


class ResultAccessOp(AccessOp):
    """The base of accesses whose result is the value that they read."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [tt_types.pointee_of(operands[0].type)]


LOAD_TRAITS = (
    tt_traits.SameAccessOperandsShape(),
    tt_traits.SameEncoding(),
    tt_traits.TypesMatch("result matches ptr type", "ptr", "result", tt_types.pointee_of),
    tt_traits.TypesMatch("mask type matches ptr type", "ptr", "mask", mask_for),
)
STORE_TRAITS = (
    tt_traits.SameAccessOperandsShape(),
    tt_traits.SameOperandsEncoding(),
    tt_traits.TypesMatch("value type matches ptr type", "ptr", "value", tt_types.pointee_of),
    tt_traits.TypesMatch("mask type matches ptr type", "ptr", "mask", mask_for),
)


class LoadOp(ResultAccessOp, name="tt.load"):
    """Reads the value at a pointer, or a value for each element of a tensor of pointers. Elements whose mask
    is false are not read; their result is `other`, or undefined without it.
    """

    ptr: Value = fields.operand_def(POINTER_LIKE, POINTER_DOC)
    mask: Value | None = fields.optional_operand_def(BOOL_LIKE, MASK_DOC)
    other: Value | None = fields.optional_operand_def(
        VALUE, "The results of the elements that do not take part; without it they are undefined."
    )
    cachePolicy: Attribute | None = fields.optional_attr_def(tt_attributes.CACHE_POLICY, CACHE_DOC)
    isVolatile: bool = fields.attr_def(
        attribute_kind.BoolKind(), "Whether the access may not be moved, merged or dropped.", default=False
    )
    result: Value = fields.result_def(VALUE, "What was read.")
    assembly_format = "$ptr (`,` $mask^)? (`,` $other^)? attr-dict `:` type($ptr)"
    traits = (
        *LOAD_TRAITS,
        tt_traits.TypesMatch("other matches ptr type", "ptr", "other", tt_types.pointee_of),
        tt_traits.TENSOR_SIZE,
    )

    def writes_memory(self) -> bool:
        return self.isVolatile

    def verify_(self) -> None:
        check_cache_policy(self.cachePolicy, LOAD)


class StoreOp(AccessOp, name="tt.store"):
    """Writes a value to a pointer, or a value for each element of a tensor of pointers; elements whose mask
    is false are not written.
    """

    ptr: Value = fields.operand_def(POINTER_LIKE, POINTER_DOC)
    value: Value = fields.operand_def(VALUE, "What is written.")
    mask: Value | None = fields.optional_operand_def(BOOL_LIKE, MASK_DOC)
    cachePolicy: Attribute | None = fields.optional_attr_def(tt_attributes.CACHE_POLICY, CACHE_DOC)
    ignore_cta: bool = fields.flag_def(
        "Every thread block of a cluster writes, also where they hold the same data."
    )
    assembly_format = "$ptr `,` $value (`,` $mask^)? attr-dict `:` type($ptr)"
    traits = (*STORE_TRAITS, tt_traits.WritesMemory(), tt_traits.TENSOR_SIZE)

    def verify_(self) -> None:
        check_cache_policy(self.cachePolicy, STORE)


OPERATIONS = (AddPtrOp, LoadOp, StoreOp)
