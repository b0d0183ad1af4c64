"""Pointers: casts, arithmetic, and assumptions about values."""

from __future__ import annotations

from tilewright.dialects.nv_tileaa import constraints as tileaa_constraints, types as tileaa_types
from tilewright.dialects.nv_tileaa.rules.assume import check_assumptions
from tilewright.dialects.nv_tileaa.rules.shape import check_same_encoding, check_same_shape
from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration import attribute_kind, constraint as declaration_constraint
from tilewright.ir.declaration.fields import attr_def, operand_def, result_def
from tilewright.ir.declaration.traits import Pure, VerifyError, same_type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class AddPtrOp(tileaa_constraints.SameTypeResultOp, name="nv_tileaa.addptr"):
    """Adds offsets in elements to pointers; address space and pointee do not change."""

    base: Value = operand_def(tileaa_constraints.POINTER_LIKE, "The pointers.")
    offset: Value = operand_def(tileaa_constraints.INTEGER_LIKE, "How many elements to go, for each pointer.")
    result: Value = result_def(tileaa_constraints.POINTER_LIKE, "The moved pointers.")
    traits = (Pure(), same_type("base", "result"))
    verifies_locally = True

    def verify_(self) -> None:
        check_same_shape(self.base.type, self.offset.type, "pointers and offsets")
        check_same_encoding(self.base.type, self.offset.type)


class BitcastOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.bitcast"):
    """Reads the bits as another type of the same width in memory; pointers may get another pointee type.

    A tf32 is 32 bits wide in memory; its unused low bits are dropped, as by a load.
    """

    source: Value = operand_def(tileaa_constraints.ELEMENT_LIKE, "The value.")
    result: Value = result_def(tileaa_constraints.ELEMENT_LIKE, "The value of the other type.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_same_shape(self.source.type, self.result.type)
        check_same_encoding(self.source.type, self.result.type)
        source, result = (
            tileaa_constraints.element_of(self.source.type),
            tileaa_constraints.element_of(self.result.type),
        )
        if tileaa_constraints.is_pointer(source) != tileaa_constraints.is_pointer(
            result
        ) or tileaa_constraints.bits_in_memory(source) != tileaa_constraints.bits_in_memory(result):
            raise VerifyError(f"expects types of the same width, got {source} and {result}")
        if isinstance(source, tileaa_types.PtrType) and isinstance(result, tileaa_types.PtrType):
            _check_space(source, result)


def _check_space(source: tileaa_types.PtrType, result: tileaa_types.PtrType) -> None:
    if source.address_space != result.address_space:
        raise VerifyError(f"expects pointers to one address space, got {source} and {result}")


class PtrToIntOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.ptr_to_int"):
    """Converts pointers to addresses as integers."""

    source: Value = operand_def(tileaa_constraints.POINTER_LIKE, "The pointers.")
    result: Value = result_def(tileaa_constraints.FIXED_INTEGER_LIKE, "The addresses in bytes.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_same_shape(self.source.type, self.result.type)
        check_same_encoding(self.source.type, self.result.type)


class IntToPtrOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.int_to_ptr"):
    """Converts addresses as integers to pointers."""

    source: Value = operand_def(tileaa_constraints.FIXED_INTEGER_LIKE, "The addresses in bytes.")
    result: Value = result_def(tileaa_constraints.POINTER_LIKE, "The pointers.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_same_shape(self.source.type, self.result.type)
        check_same_encoding(self.source.type, self.result.type)


class AssumeOp(tileaa_constraints.SameTypeResultOp, name="nv_tileaa.assume"):
    """Returns the operand and states assumptions about it: `div_by`, `bounded` and `same_elements`. If one is
    false, the behaviour is undefined.
    """

    source: Value = operand_def(declaration_constraint.ANY_TYPE, "The value.")
    predicates: tuple[Attribute, ...] = attr_def(
        attribute_kind.ArrayKind(), "The assumptions: `div_by`, `bounded`, `same_elements`."
    )
    result: Value = result_def(declaration_constraint.ANY_TYPE, "The same value.")
    traits = (Pure(), same_type("source", "result"))
    verifies_locally = True

    def verify_(self) -> None:
        check_assumptions(self.source.type, self.predicates)


OPERATIONS: tuple[type[Operation], ...] = (AddPtrOp, BitcastOp, PtrToIntOp, IntToPtrOp, AssumeOp)
