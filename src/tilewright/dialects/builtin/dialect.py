"""The ``builtin`` dialect.  Its types and attributes are part of `tilewright.ir`."""

from __future__ import annotations

from typing import ClassVar

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.functions import check_symbol_users
from tilewright.dialects.common.traits import GraphRegion, NoEntryBlockArguments, SymbolWithVisibility
from tilewright.ir.block import Region
from tilewright.ir.declaration.attribute_kind import StringKind, SymbolNameKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.declaration.fields import (
    optional_attr_def,
    region_def,
    variadic_operand_def,
    variadic_result_def,
)
from tilewright.ir.declaration.traits import (
    IsolatedFromAbove,
    NoTerminator,
    Pure,
    SingleBlock,
    SymbolTable,
    VerifyError,
)
from tilewright.ir.dialect import Dialect
from tilewright.ir.interfaces.control_flow import InlinerInterface
from tilewright.ir.value import Value


class ModuleOp(StandardOp, name="builtin.module"):
    """A container of operations and symbols, without control flow."""

    sym_name: str | None = optional_attr_def(SymbolNameKind(), "The name of the module, if it has one.")
    sym_visibility: str | None = optional_attr_def(StringKind(), "The visibility of the module's name.")
    bodyRegion: Region = region_def("The contents.")
    default_dialect: ClassVar[str] = "builtin"
    assembly_format = "($sym_name^)? attr-dict-with-keyword $bodyRegion"
    traits = (
        IsolatedFromAbove(),
        NoEntryBlockArguments(),
        SymbolTable(),
        SymbolWithVisibility(optional=True),
        NoTerminator(),
        SingleBlock(),
        GraphRegion(),
    )

    def verify_(self) -> None:
        for name in self.held_attributes:
            if "." not in name and not self.kind.is_inherent(name):
                raise VerifyError(
                    f"can only contain attributes with dialect-prefixed names, found: '{name}'",
                    hint=f"write the name of the dialect that owns the attribute: 'dialect.{name}'",
                )

    def verify_regions_(self) -> None:
        check_symbol_users(self)


class UnrealizedConversionCastOp(StandardOp, name="builtin.unrealized_conversion_cast"):
    """A promise that values of one type system will be converted to another; none may be left at the end."""

    inputs: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "The values as they are.")
    outputs: tuple[Value, ...] = variadic_result_def(ANY_TYPE, "The values as they are wanted.")
    assembly_format = "($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict"
    traits = (Pure(),)

    def verify_(self) -> None:
        if not self.results:
            raise VerifyError("expected at least one result for cast operation")


OPERATIONS = (ModuleOp, UnrealizedConversionCastOp)


HAND_WRITTEN_SYNTAX: tuple[str, ...] = ()
"""Operations whose custom syntax is not written in the declaration."""

BUILTIN = Dialect(
    "builtin",
    doc="Modules and casts between type systems.",
    operations=OPERATIONS,
    interfaces=(InlinerInterface(),),
)
