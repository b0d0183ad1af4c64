"""Constants, and elements of vectors, arrays and structs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from tilewright.dialects.common import base, functions, traits as common_traits
from tilewright.dialects.llvm import constraints as llvm_constraints, roles as llvm_roles
from tilewright.dialects.llvm.base import ElementResultOp, MemberResultOp, ShuffleResultOp
from tilewright.dialects.llvm.rules import aggregate as llvm_aggregate_rules, constant as constant_rules
from tilewright.dialects.llvm.rules.common import is_extracted_element, is_inserted_element
from tilewright.dialects.llvm.syntax.custom import DIRECTIVES
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_types import i64
from tilewright.ir.declaration import attribute_kind, constraint as declaration_constraint
from tilewright.ir.declaration.fields import attr_def, operand_def, result_def
from tilewright.ir.declaration.traits import ConstantLike, Pure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

SAME_AGGREGATE = declaration_constraint.TypeVariable("T", llvm_constraints.AGGREGATE)
SAME_VECTOR = declaration_constraint.TypeVariable("T", llvm_constraints.VECTOR)
RES_DOC = "The result."
VALUE_DOC = "The value."


class ExtractElementOp(ElementResultOp, name="llvm.extractelement"):
    """Extracts one element of a vector; poison if the position is out of range."""

    vector: Value = operand_def(llvm_constraints.VECTOR, "The vector.")
    position: Value = operand_def(llvm_constraints.INTEGER, "Which element.")
    res: Value = result_def(llvm_constraints.LLVM_TYPE, RES_DOC)
    assembly_format = "$vector `[` $position `:` type($position) `]` attr-dict `:` type($vector)"
    traits = (
        Pure(),
        common_traits.PredicateTrait("result type matches vector element type", is_extracted_element),
    )


class InsertElementOp(base.StandardOp, name="llvm.insertelement"):
    """Returns a copy of a vector with one element replaced; poison if the position is out of range."""

    vector: Value = operand_def(SAME_VECTOR, "The vector.")
    value: Value = operand_def(llvm_constraints.PRIMITIVE, VALUE_DOC)
    position: Value = operand_def(llvm_constraints.INTEGER, "Which element.")
    res: Value = result_def(SAME_VECTOR, RES_DOC)
    assembly_format = "$value `,` $vector `[` $position `:` type($position) `]` attr-dict `:` type($vector)"
    traits = (
        Pure(),
        common_traits.PredicateTrait("argument type matches vector element type", is_inserted_element),
    )

    @classmethod
    def infer_operand_types(cls, parsing: Any, known: Mapping[str, Sequence[Type]]) -> dict[str, list[Type]]:
        """Return the type of the value: the element type of the vector."""
        vector: Any = known["vector"][0]
        return {"value": [getattr(vector, "element_type", vector)]}


class ShuffleVectorOp(ShuffleResultOp, name="llvm.shufflevector"):
    """Selects elements of two vectors by a constant mask, which numbers the elements of both; -1 selects
    poison.
    """

    v1: Value = operand_def(SAME_VECTOR, "The first vector.")
    v2: Value = operand_def(SAME_VECTOR, "The second vector.")
    mask: tuple[int, ...] = attr_def(attribute_kind.DenseArrayKind(), "Which elements.")
    res: Value = result_def(llvm_constraints.VECTOR, RES_DOC)
    assembly_format = (
        "$v1 `,` $v2 $mask attr-dict `:` type($v1) custom<ShuffleType>(ref(type($v1)), type($res), "
        "ref($mask))"
    )
    format_directives: ClassVar[dict[str, Any]] = DIRECTIVES
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        llvm_aggregate_rules.check_shuffle(self)


class ExtractValueOp(MemberResultOp, name="llvm.extractvalue"):
    """Extracts a member of a struct or array, at a path of constant positions."""

    container: Value = operand_def(llvm_constraints.AGGREGATE, "The struct or array.")
    position: tuple[int, ...] = attr_def(attribute_kind.DenseArrayKind(i64), "The path.")
    res: Value = result_def(llvm_constraints.LLVM_TYPE, RES_DOC)
    assembly_format = (
        "$container `` $position attr-dict `:` type($container) "
        "custom<InsertExtractValueElementType>(type($res), ref(type($container)), ref($position))"
    )
    format_directives: ClassVar[dict[str, Any]] = DIRECTIVES
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        llvm_aggregate_rules.check_extracted_value(self)


class InsertValueOp(base.StandardOp, name="llvm.insertvalue"):
    """Returns a copy of a struct or array with one member replaced, at a path of constant positions."""

    container: Value = operand_def(SAME_AGGREGATE, "The struct or array.")
    value: Value = operand_def(llvm_constraints.PRIMITIVE, VALUE_DOC)
    position: tuple[int, ...] = attr_def(attribute_kind.DenseArrayKind(i64), "The path.")
    res: Value = result_def(SAME_AGGREGATE, RES_DOC)
    assembly_format = (
        "$value `,` $container `` $position attr-dict `:` type($container) "
        "custom<InsertExtractValueElementType>(type($value), ref(type($container)), ref($position))"
    )
    format_directives: ClassVar[dict[str, Any]] = DIRECTIVES
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        llvm_aggregate_rules.check_inserted_value(self)


class ConstantOp(base.StandardOp, name="llvm.mlir.constant"):
    """Returns a constant: a number, vector, array, struct or string."""

    value: Attribute = attr_def(attribute_kind.AttributeKind(), VALUE_DOC)
    res: Value = result_def(llvm_constraints.LLVM_TYPE, RES_DOC)
    assembly_format = "`(` $value `)` attr-dict `:` type($res)"
    traits = (
        Pure(),
        ConstantLike(),
    )
    verifies_locally = True

    def verify_(self) -> None:
        constant_rules.check_constant(self)


class NoOperandConstantOp(base.StandardOp):
    """The base of constants that have no attribute: the operation and the result type determine the value."""

    res: Value = result_def(llvm_constraints.LLVM_TYPE, RES_DOC)
    assembly_format = "attr-dict `:` type($res)"
    traits = (
        Pure(),
        ConstantLike(),
    )


class UndefOp(NoOperandConstantOp, name="llvm.mlir.undef"):
    """Returns an unspecified value, which may differ at every use."""


class PoisonOp(NoOperandConstantOp, name="llvm.mlir.poison"):
    """Returns a poison value: results computed from it are poison, too."""


class ZeroOp(NoOperandConstantOp, llvm_roles.ZeroRole, name="llvm.mlir.zero"):
    """Returns a value whose bits are all zero, such as a null pointer."""


class NoneTokenOp(base.StandardOp, name="llvm.mlir.none"):
    """Returns the constant token that refers to nothing."""

    res: Value = result_def(llvm_constraints.TOKEN_TYPE, RES_DOC)
    assembly_format = "attr-dict `:` type($res)"
    traits = (Pure(),)


class AddressOfOp(llvm_roles.AddressOfRole, name="llvm.mlir.addressof"):
    """Returns the address of a global variable, function or alias."""

    global_name: str = attr_def(attribute_kind.SymbolRefKind(), "The name of the symbol.")
    res: Value = result_def(llvm_constraints.POINTER, RES_DOC)
    assembly_format = "$global_name attr-dict `:` qualified(type($res))"
    traits = (
        Pure(),
        ConstantLike(),
        functions.VerifiesSymbolUses(),
    )

    def verify_symbol_uses(self, symbols: functions.Symbols) -> None:
        """Raise `VerifyError` unless the name is a global, alias, function or ifunc. A pointer to a global
        must have its address space.
        """
        llvm_aggregate_rules.check_address_of(self, symbols)


class DSOLocalEquivalentOp(base.StandardOp, name="llvm.dso_local_equivalent"):
    """Returns an address in the same shared object that behaves like the given function when called."""

    function_name: str = attr_def(attribute_kind.SymbolRefKind(), "The name of the function.")
    res: Value = result_def(llvm_constraints.POINTER, RES_DOC)
    assembly_format = "$function_name attr-dict `:` qualified(type($res))"
    traits = (
        Pure(),
        ConstantLike(),
        functions.VerifiesSymbolUses(),
    )

    def verify_symbol_uses(self, symbols: functions.Symbols) -> None:
        """Raise `VerifyError` unless the name is a function or an alias of one, without the linkage
        `extern_weak`.
        """
        llvm_aggregate_rules.check_local_equivalent(self, symbols)


OPERATIONS: tuple[type[Operation], ...] = (
    ExtractElementOp,
    InsertElementOp,
    ShuffleVectorOp,
    ExtractValueOp,
    InsertValueOp,
    ConstantOp,
    UndefOp,
    PoisonOp,
    ZeroOp,
    NoneTokenOp,
    AddressOfOp,
    DSOLocalEquivalentOp,
)
"""The operations of this module."""
