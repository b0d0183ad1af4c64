"""The spelling of types in LLVM IR."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilewright.dialects.llvm import types as llvm_types
from tilewright.ir import builtin_types, diagnostic
from tilewright.ir.attribute import Type
from tilewright.targets import codes
from tilewright.targets.llvm.identifiers import quoted

FLOATS = {
    "f16": "half",
    "bf16": "bfloat",
    "f32": "float",
    "f64": "double",
}
"""LLVM's names of floating-point types, by MLIR's names."""


class TypeSpelling:
    """Spells types, caches the texts, and collects the named structs that need a definition."""

    __slots__ = ("_known", "named")

    def __init__(self) -> None:
        self._known: dict[Type, str] = {}
        self.named: dict[str, llvm_types.LLVMStructType] = {}

    def __call__(self, type: Type) -> str:
        """Return the text of a type. Raises `DiagnosticError` for a type that LLVM lacks."""
        text = self._known.get(type)
        if text is None:
            text = self._known[type] = self._spell(type)
        return text

    def _spell(self, type: Type) -> str:
        rule = RULES.get(type.__class__)
        text = rule(type, self) if rule is not None else None
        if text is None:
            raise diagnostic.failure(
                codes.NO_LLVM_TYPE,
                f"type '{type}' does not exist in LLVM IR",
                hint="convert it with the LLVM type converter of the lowering first",
            )
        return text

    def body(self, type: llvm_types.LLVMStructType) -> str:
        """Return the types of a struct's members in braces, ``{ i32, ptr }``; for a packed struct in angle
        brackets around the braces, ``<{ i32, ptr }>``.
        """
        inside = ", ".join(map(self, type.body or ()))
        text = f"{{ {inside} }}" if inside else "{}"
        return f"<{text}>" if type.packed else text

    def definitions(self) -> list[str]:
        """Return the definitions of the named structs that were spelled, and of the structs in them."""
        lines: dict[str, str] = {}
        while len(lines) < len(self.named):
            for name, type in list(self.named.items()):
                if name not in lines:
                    lines[name] = f"%{quoted(name)} = type {'opaque' if type.is_opaque else self.body(type)}"
        return list(lines.values())


def _float(type: Any, spell: TypeSpelling) -> str | None:
    return FLOATS.get(type.spelling)


def _vector(type: Any, spell: TypeSpelling) -> str | None:
    if len(type.shape) != 1:
        return None
    scalable = "vscale x " if any(getattr(type, "scalable", ())) else ""
    return f"<{scalable}{type.shape[0]} x {spell(type.element_type)}>"


def _struct(type: llvm_types.LLVMStructType, spell: TypeSpelling) -> str:
    if type.identifier is None:
        return spell.body(type)
    if not type.is_reference:
        spell.named.setdefault(type.identifier, type)
    return f"%{quoted(type.identifier)}"


def _function(type: llvm_types.LLVMFunctionType, spell: TypeSpelling) -> str:
    parameters = [*map(spell, type.arguments), *(["..."] if type.variadic else [])]
    return f"{spell(type.result)} ({', '.join(parameters)})"


def _pointer(type: llvm_types.LLVMPointerType, spell: TypeSpelling) -> str:
    return f"ptr addrspace({type.address_space})" if type.address_space else "ptr"


Rule = Callable[[Any, TypeSpelling], str | None]
RULES: dict[type[Type], Rule] = {
    builtin_types.IntegerType: lambda type, spell: f"i{type.width}",
    builtin_types.FloatType: _float,
    builtin_types.VectorType: _vector,
    llvm_types.LLVMPointerType: _pointer,
    llvm_types.LLVMArrayType: lambda type, spell: f"[{type.count} x {spell(type.element_type)}]",
    llvm_types.LLVMStructType: _struct,
    llvm_types.LLVMFunctionType: _function,
    llvm_types.LLVMVoidType: lambda type, spell: "void",
    llvm_types.LLVMTokenType: lambda type, spell: "token",
    llvm_types.LLVMLabelType: lambda type, spell: "label",
    llvm_types.LLVMMetadataType: lambda type, spell: "metadata",
    llvm_types.LLVMX86AMXType: lambda type, spell: "x86_amx",
    llvm_types.LLVMPPCFP128Type: lambda type, spell: "ppc_fp128",
}
"""The spelling of each class of type."""


def mangled(type: Type) -> str:
    """Return a type in the name of an overloaded intrinsic: ``v16f32``, ``p0``, ``i64``."""
    if isinstance(type, builtin_types.VectorType):
        scalable = "nx" if any(getattr(type, "scalable", ())) else ""
        return f"{scalable}v{type.shape[0]}{mangled(type.element_type)}"
    if isinstance(type, llvm_types.LLVMPointerType):
        return f"p{type.address_space}"
    if isinstance(type, llvm_types.LLVMStructType):
        return f"sl_{''.join(map(mangled, type.body or ()))}s"
    return str(type)
