"""Structured attributes of LLVM IR: alias analysis metadata, memory effects, targets, and constants without a
builtin attribute.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from tilewright.dialects.common import struct_attribute
from tilewright.dialects.llvm.enums import ENUM_ATTRIBUTES, ModRefInfo, ModuleFlagBehavior
from tilewright.dialects.llvm.loop_attributes import LOOP_ATTRIBUTES
from tilewright.ir import builtin_types, uniquer
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import IntegerAttr, TypeAttr
from tilewright.ir.declaration.enum_attribute import spelling

if TYPE_CHECKING:
    from tilewright.ir.text.parser import AttributeParser
    from tilewright.ir.text.printer import Printer


class UndefAttr(Attribute):
    """An undefined value as an element of a constant array or struct: ``#llvm.undef``."""

    name: ClassVar[str] = "llvm.undef"


class PoisonAttr(Attribute):
    """A poison value as an element of a constant array or struct: ``#llvm.poison``."""

    name: ClassVar[str] = "llvm.poison"


class ZeroAttr(Attribute):
    """A constant whose bits are all zero: ``#llvm.zero``."""

    name: ClassVar[str] = "llvm.zero"


class AddressSpaceAttr(Attribute):
    """The memory space of a memref, as the number of an LLVM address space: ``#llvm.address_space<3>``."""

    name: ClassVar[str] = "llvm.address_space"
    number: int

    def print_parameters(self, printer: Printer) -> None:
        printer.write(f"<{self.number}>")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        number = parser.parse_integer()
        parser.expect(">")
        return cls(number)


class ConstantRangeAttr(Attribute):
    """A range of integers that contains ``lower`` but not ``upper``: ``#llvm.constant_range<i32, 0, 32>``.

    If ``upper`` is below ``lower``, the range wraps around.
    """

    name: ClassVar[str] = "llvm.constant_range"
    type: builtin_types.IntegerType
    lower: int
    upper: int

    @classmethod
    def canonicalize(cls, *parameters: Any) -> tuple[Any, ...]:
        kind, lower, upper = parameters
        return kind, IntegerAttr(kind, lower).value, IntegerAttr(kind, upper).value

    def print_parameters(self, printer: Printer) -> None:
        printer.write(f"<i{self.type.width}, {self.lower}, {self.upper}>")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        kind = parser.parse_type()
        if not isinstance(kind, builtin_types.IntegerType):
            raise parser.error("expected integer type")
        parser.expect(",")
        lower = parser.parse_integer()
        parser.expect(",")
        upper = parser.parse_integer()
        parser.expect(">")
        return cls(kind, lower, upper)


class VScaleRangeAttr(struct_attribute.StructAttribute):
    """The minimum and maximum of ``vscale``, the run-time factor of scalable vectors' lengths, in a function:
    ``#llvm.vscale_range<minRange = 1 : i32, maxRange = 16 : i32>``.
    """

    name: ClassVar[str] = "llvm.vscale_range"
    codecs: ClassVar[dict[str, struct_attribute.Codec]] = {
        "minRange": struct_attribute.ATTRIBUTE,
        "maxRange": struct_attribute.ATTRIBUTE,
    }
    minRange: IntegerAttr
    maxRange: IntegerAttr


class TargetFeaturesAttr(Attribute):
    """The features of a target to turn on (``+``) or off (``-``): ``#llvm.target_features<["+ptx80",
    "+sm_90"]>``. Each text begins with one of these signs and has no comma.
    """

    name: ClassVar[str] = "llvm.target_features"
    features: tuple[str, ...] = ()

    def verify_parameters(self) -> None:
        for feature in self.features:
            if not feature.startswith(("+", "-")):
                raise uniquer.InvalidParameters("target features must start with '+' or '-'")
            if "," in feature:
                raise uniquer.InvalidParameters("target features can not contain ','")

    def print_parameters(self, printer: Printer) -> None:
        printer.write("<[")
        for position, feature in enumerate(self.features):
            printer.write(", " if position else "")
            printer.print_string(feature)
        printer.write("]>")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        parser.expect("[")
        features: list[str] = []
        while not parser.accept("]"):
            if features:
                parser.expect(",")
            features.append(parser.parse_string())
        parser.expect(">")
        return cls(tuple(features))


class TargetAttr(struct_attribute.StructAttribute):
    """The target of a module, as a triple, a chip and optional features: ``#llvm.target<triple =
    "nvptx64-nvidia-cuda", chip = "sm_90">``.
    """

    name: ClassVar[str] = "llvm.target"
    codecs: ClassVar[dict[str, struct_attribute.Codec]] = {
        "triple": struct_attribute.STRING,
        "chip": struct_attribute.STRING,
        "features": struct_attribute.nested(TargetFeaturesAttr),
    }
    triple: str
    chip: str
    features: TargetFeaturesAttr | None = None


class DereferenceableAttr(struct_attribute.StructAttribute):
    """The number of bytes at a pointer that can be loaded without a trap: ``#llvm.dereferenceable<bytes =
    16>``. With ``mayBeNull`` the pointer may also be null.
    """

    name: ClassVar[str] = "llvm.dereferenceable"
    codecs: ClassVar[dict[str, struct_attribute.Codec]] = {
        "bytes": struct_attribute.INTEGER,
        "mayBeNull": struct_attribute.BOOLEAN,
    }
    bytes: int
    mayBeNull: bool = False


class VecTypeHintAttr(struct_attribute.StructAttribute):
    """A hint of the vector type in which an OpenCL kernel mostly computes: ``#llvm.vec_type_hint<hint =
    vector<4xf32>>``. ``is_signed`` says whether its integers are signed.
    """

    name: ClassVar[str] = "llvm.vec_type_hint"
    codecs: ClassVar[dict[str, struct_attribute.Codec]] = {
        "hint": struct_attribute.TYPE,
        "is_signed": struct_attribute.BOOLEAN,
    }
    hint: TypeAttr
    is_signed: bool = False


_MEMORY = struct_attribute.word(ModRefInfo)


class MemoryEffectsAttr(struct_attribute.StructAttribute):
    """Whether a function reads or writes each kind of memory: ``#llvm.memory_effects<other = none, argMem =
    read, ...>``.

    ``argMem`` is memory that pointer arguments refer to, ``inaccessibleMem`` memory that the module cannot
    access.
    """

    name: ClassVar[str] = "llvm.memory_effects"
    codecs: ClassVar[dict[str, struct_attribute.Codec]] = {
        "other": _MEMORY,
        "argMem": _MEMORY,
        "inaccessibleMem": _MEMORY,
        "errnoMem": _MEMORY,
        "targetMem0": _MEMORY,
        "targetMem1": _MEMORY,
    }
    other: ModRefInfo
    argMem: ModRefInfo
    inaccessibleMem: ModRefInfo
    errnoMem: ModRefInfo
    targetMem0: ModRefInfo
    targetMem1: ModRefInfo


class AliasScopeDomainAttr(struct_attribute.StructAttribute):
    """A group of alias scopes, identified by ``id``: ``#llvm.alias_scope_domain<id = "domain">``. The
    ``description`` is for readers, and may be None.
    """

    name: ClassVar[str] = "llvm.alias_scope_domain"
    codecs: ClassVar[dict[str, struct_attribute.Codec]] = {
        "id": struct_attribute.ATTRIBUTE,
        "description": struct_attribute.STRING,
    }
    id: Attribute
    description: str | None = None


class AliasScopeAttr(struct_attribute.StructAttribute):
    """A scope for alias analysis: ``#llvm.alias_scope<id = "scope", domain = <id = "domain">>``.

    An access does not alias another one that lists all scopes of the first in its ``noalias_scopes``.
    """

    name: ClassVar[str] = "llvm.alias_scope"
    codecs: ClassVar[dict[str, struct_attribute.Codec]] = {
        "id": struct_attribute.ATTRIBUTE,
        "domain": struct_attribute.nested(AliasScopeDomainAttr),
        "description": struct_attribute.STRING,
    }
    id: Attribute
    domain: AliasScopeDomainAttr
    description: str | None = None


class AccessGroupAttr(struct_attribute.StructAttribute):
    """A group of memory accesses, identified by ``id``: ``#llvm.access_group<id = ...>``.

    A loop that lists the group as parallel states that no iteration depends on its accesses in another
    iteration.
    """

    name: ClassVar[str] = "llvm.access_group"
    codecs: ClassVar[dict[str, struct_attribute.Codec]] = {"id": struct_attribute.ATTRIBUTE}
    id: Attribute


class TBAARootAttr(struct_attribute.StructAttribute):
    """The root of a type tree for type-based alias analysis: ``#llvm.tbaa_root<id = "C++">``, or
    ``#llvm.tbaa_root`` without an ``id``.
    """

    name: ClassVar[str] = "llvm.tbaa_root"
    codecs: ClassVar[dict[str, struct_attribute.Codec]] = {"id": struct_attribute.STRING}
    id: str | None = None

    def print_parameters(self, printer: Printer) -> None:
        if self.id is not None:
            super().print_parameters(printer)

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        return super().parse_parameters(parser) if parser.at("<") else cls()


class TBAATypeDescriptorAttr(Attribute):
    """A type for type-based alias analysis: ``#llvm.tbaa_type_desc<id = "int", members = {<#root, 0>}>``.

    ``members`` are pairs of a member's type and its offset in bytes; a scalar type has its parent type at
    offset 0.
    """

    name: ClassVar[str] = "llvm.tbaa_type_desc"
    id: str
    members: tuple[tuple[Attribute, int], ...] = ()

    def print_parameters(self, printer: Printer) -> None:
        printer.write("<id = ")
        printer.print_string(self.id)
        printer.write(", members = {")
        for position, (member, offset) in enumerate(self.members):
            printer.write(", <" if position else "<")
            printer.print_attribute(member)
            printer.write(f", {offset}>")
        printer.write("}>")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        parser.accept_keyword("id")
        parser.expect("=")
        identifier = parser.parse_string()
        parser.expect(",")
        parser.accept_keyword("members")
        parser.expect("=")
        parser.expect("{")
        members: list[tuple[Attribute, int]] = []
        while not parser.accept("}"):
            if members:
                parser.expect(",")
            parser.expect("<")
            member = parser.parse_attribute()
            parser.expect(",")
            members.append((member, parser.parse_integer()))
            parser.expect(">")
        parser.expect(">")
        return cls(identifier, tuple(members))


class TBAATagAttr(struct_attribute.StructAttribute):
    """The type of a memory access for type-based alias analysis: ``#llvm.tbaa_tag<base_type = <...>,
    access_type = <...>, offset = 0>``.

    It accesses ``access_type`` at ``offset`` bytes in an object of ``base_type``; with ``constant`` the
    memory never changes.
    """

    name: ClassVar[str] = "llvm.tbaa_tag"
    codecs: ClassVar[dict[str, struct_attribute.Codec]] = {
        "base_type": struct_attribute.nested(TBAATypeDescriptorAttr),
        "access_type": struct_attribute.nested(TBAATypeDescriptorAttr),
        "offset": struct_attribute.INTEGER,
        "constant": struct_attribute.BOOLEAN,
    }
    base_type: TBAATypeDescriptorAttr
    access_type: TBAATypeDescriptorAttr
    offset: int
    constant: bool = False


class ModuleFlagAttr(Attribute):
    """A flag of a module: ``#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>``.

    ``behavior`` says what the linker does if two modules have different values for the ``key``.
    """

    name: ClassVar[str] = "llvm.mlir.module_flag"
    behavior: ModuleFlagBehavior
    key: str
    value: Attribute

    def print_parameters(self, printer: Printer) -> None:
        printer.write(f"<{spelling(self.behavior)}, ")
        printer.print_string(self.key)
        printer.write(", ")
        printer.print_attribute(self.value)
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        behavior = struct_attribute.word(ModuleFlagBehavior).parse(parser)
        parser.expect(",")
        key = parser.parse_string()
        parser.expect(",")
        value = parser.parse_attribute()
        parser.expect(">")
        return cls(behavior, key, value)


class WorkgroupAttributionAttr(Attribute):
    """The size of the shared memory that a kernel argument points to, as a number of elements and their type:
    ``#llvm.mlir.workgroup_attribution<32 : i64, f32>``.
    """

    name: ClassVar[str] = "llvm.mlir.workgroup_attribution"
    num_elements: IntegerAttr
    element_type: TypeAttr

    def print_parameters(self, printer: Printer) -> None:
        printer.write("<")
        printer.print_attribute(self.num_elements)
        printer.write(", ")
        printer.print_attribute(self.element_type)
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        count = parser.parse_attribute()
        parser.expect(",")
        element_type = TypeAttr(parser.parse_type())
        parser.expect(">")
        if not isinstance(count, IntegerAttr):
            raise parser.error("expected an integer number of elements")
        return cls(count, element_type)


ATTRIBUTES: tuple[type[Attribute], ...] = (
    *ENUM_ATTRIBUTES,
    *LOOP_ATTRIBUTES,
    UndefAttr,
    PoisonAttr,
    ZeroAttr,
    AddressSpaceAttr,
    ConstantRangeAttr,
    VScaleRangeAttr,
    TargetFeaturesAttr,
    TargetAttr,
    DereferenceableAttr,
    VecTypeHintAttr,
    MemoryEffectsAttr,
    AliasScopeDomainAttr,
    AliasScopeAttr,
    AccessGroupAttr,
    TBAARootAttr,
    TBAATypeDescriptorAttr,
    TBAATagAttr,
    ModuleFlagAttr,
    WorkgroupAttributionAttr,
)
"""All attribute classes of the dialect."""
