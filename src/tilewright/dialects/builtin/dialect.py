"""The ``builtin`` dialect.  Its types and attributes are part of `tilewright.ir`."""

from __future__ import annotations

from typing import ClassVar

from tilewright.dialects.common import base, functions, traits as common_traits
from tilewright.ir import block as ir_block, dialect
from tilewright.ir.declaration import attribute_kind, fields, traits as ir_traits
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.interfaces.control_flow import InlinerInterface
from tilewright.ir.value import Value


class ModuleOp(base.StandardOp, name="builtin.module"):
    """A container of operations and symbols, without control flow."""

    sym_name: str | None = fields.optional_attr_def(
        attribute_kind.SymbolNameKind(), "The name of the module, if it has one."
    )
    sym_visibility: str | None = fields.optional_attr_def(
        attribute_kind.StringKind(), "The visibility of the module's name."
    )
    bodyRegion: ir_block.Region = fields.region_def("The contents.")
    default_dialect: ClassVar[str] = "builtin"
    assembly_format = "($sym_name^)? attr-dict-with-keyword $bodyRegion"
    traits = (
        ir_traits.IsolatedFromAbove(),
        common_traits.NoEntryBlockArguments(),
        ir_traits.SymbolTable(),
        common_traits.SymbolWithVisibility(optional=True),
        ir_traits.NoTerminator(),
        ir_traits.SingleBlock(),
        common_traits.GraphRegion(),
    )

    def verify_(self) -> None:
        for name in self.held_attributes:
            if "." not in name and not self.kind.is_inherent(name):
                raise ir_traits.VerifyError(
                    f"can only contain attributes with dialect-prefixed names, found: '{name}'",
                    hint=f"write the name of the dialect that owns the attribute: 'dialect.{name}'",
                )

    def verify_regions_(self) -> None:
        functions.check_symbol_users(self)


class UnrealizedConversionCastOp(base.StandardOp, name="builtin.unrealized_conversion_cast"):
    """Converts values to other types in the middle of a conversion; a later pass must remove it."""

    inputs: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "The values as they are.")
    outputs: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, "The values as they are wanted.")
    assembly_format = "($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict"
    traits = (ir_traits.Pure(),)

    def verify_(self) -> None:
        if not self.results:
            raise ir_traits.VerifyError("expected at least one result for cast operation")


OPERATIONS = (ModuleOp, UnrealizedConversionCastOp)


HAND_WRITTEN_SYNTAX: tuple[str, ...] = ()
"""Operations whose custom syntax is not written in the declaration."""

BUILTIN = dialect.Dialect(
    "builtin",
    doc="Modules and casts between type systems.",
    operations=OPERATIONS,
    interfaces=(InlinerInterface(),),
)
