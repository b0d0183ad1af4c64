"""The spelling of constants in LLVM IR."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.dialects.llvm import attributes as llvm_attributes, types as llvm_types
from tilewright.ir import builtin_attributes, diagnostic
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_types import FloatType, IntegerType, VectorType, f64
from tilewright.targets import codes
from tilewright.targets.llvm import identifiers, type_spelling

PREFIXES = {"f16": ("0xH", 4), "bf16": ("0xR", 4)}
"""The prefix and number of digits of hexadecimal floating-point constants; float and double have no prefix of
their own.
"""
NUMBERS = (IntegerType, FloatType)


def float_text(type: FloatType, bits: int) -> str:
    """Return the hexadecimal text of a floating-point constant with the bits `bits`, such as ``0xH3C00`` for
    f16. An f32 is written as the double of equal value, as LLVM does.
    """
    prefix = PREFIXES.get(type.spelling)
    if prefix is None:
        return f"0x{bits if type is f64 else _widened(bits):016X}"
    word, digits = prefix
    return f"{word}{bits:0{digits}X}"


def _widened(bits: int) -> int:
    """Return the bits of the double that is equal to a float; the payload of a NaN is shifted up."""
    sign, exponent, mantissa = bits >> 31, bits >> 23 & 0xFF, bits & 0x7FFFFF
    if exponent == 0 and mantissa == 0:
        return sign << 63
    if (
        exponent == 0
    ):  # subnormal numbers of f32 are normal doubles: their leading bit moves to the hidden place
        exponent = mantissa.bit_length() - 23
        mantissa = mantissa << 1 - exponent & 0x7FFFFF
    wide = 0x7FF if exponent == 0xFF else exponent + 896
    return sign << 63 | wide << 52 | mantissa << 29


def integer_text(value: int, width: int) -> str:
    """Return an integer constant from the low `width` bits of `value`: signed, except that one bit is `true`
    or `false`.
    """
    if width == 1:
        return "true" if value & 1 else "false"
    value &= (1 << width) - 1
    return str(value - (1 << width) if value >> width - 1 else value)


class ConstantSpelling:
    """Spells constants: the value alone (`__call__`) or after its type (`typed`)."""

    __slots__ = ("_type",)

    def __init__(self, spell_type: type_spelling.TypeSpelling) -> None:
        self._type = spell_type

    def typed(self, value: Attribute, type: Type) -> str:
        """Return a constant after its type, such as ``i32 7``. Raises `DiagnosticError` for a value that does
        not fit the type.
        """
        return f"{self._type(type)} {self(value, type)}"

    def __call__(self, value: Attribute, type: Type) -> str:
        """Return a constant without its type: ``7``. Raises `DiagnosticError` for a value that does not fit
        the type.
        """
        rule = RULES.get(value.__class__)
        text = rule(self, value, type) if rule is not None else None
        if text is None:
            raise diagnostic.failure(
                codes.NO_LLVM_CONSTANT,
                f"constant '{value}' of type '{type}' cannot be written in LLVM IR",
                hint="use a value that fits the type",
            )
        return text

    def integer(self, value: Any, type: Type) -> str | None:
        """Return the text of the integer attribute `value`, or a splat of it for a vector type; `None` for
        another type.
        """
        if isinstance(type, IntegerType):
            return integer_text(int(value.value), type.width)
        if isinstance(type, VectorType):
            return self.splat(self(value, type.element_type), type)
        return None

    def float(self, value: builtin_attributes.FloatAttr, type: Type) -> str | None:
        """Return a float, or a splat of it for a vector type. For an integer type, return the bits of the
        float; for another type `None`.
        """
        if isinstance(type, VectorType):
            return self.splat(self(value, type.element_type), type)
        if isinstance(type, IntegerType):  # a float that LLVM lacks is represented by its bits
            return integer_text(value.bits, type.width)
        return float_text(type, value.bits) if isinstance(type, FloatType) else None

    def splat(self, text: str, type: VectorType) -> str:
        """Return a vector whose lanes are all `text`, a constant without its type: ``splat (i32 7)``;
        scalable vectors have no other notation.
        """
        return f"splat ({self._type(type.element_type)} {text})"

    def dense(self, value: builtin_attributes.DenseElementsAttr, type: Type) -> str | None:
        """Return the elements of a vector or of nested arrays, without the type: ``zeroinitializer`` or a
        splat if one number stands for all elements, otherwise the elements in brackets.
        """
        patterns = value.patterns()
        element = value.element_type
        inner: Any = type
        while isinstance(inner, llvm_types.LLVMArrayType | VectorType):
            inner = inner.element_type
        element = inner if isinstance(inner, IntegerType) else element
        spelled = {bits: self._number(element, bits) for bits in dict.fromkeys(patterns)}
        if len(patterns) == 1 and not any(patterns):
            return "zeroinitializer"
        if len(patterns) == 1 and isinstance(type, VectorType):
            return self.splat(spelled[patterns[0]], type)
        texts = [spelled[bits] for bits in patterns]
        return self._nested(type, texts * value.count if len(texts) == 1 else texts)

    def _number(self, element: Type, bits: int) -> str:
        if isinstance(element, FloatType):
            return float_text(element, bits)
        return integer_text(bits, element.width if isinstance(element, IntegerType) else 64)

    def _nested(self, type: Type, texts: Sequence[str]) -> str:
        """Return the elements `texts`, without types and in row-major order, with their types in the brackets
        of their vector or arrays: ``[i32 1, i32 2]``.
        """
        if isinstance(type, VectorType):
            word = self._type(type.element_type)
            return f"<{', '.join(f'{word} {text}' for text in texts)}>"
        assert isinstance(type, llvm_types.LLVMArrayType), "checked by the verifier of the constant"
        word = self._type(type.element_type)
        if isinstance(type.element_type, NUMBERS):
            return f"[{', '.join(f'{word} {text}' for text in texts)}]"
        size = len(texts) // type.count if type.count else 0
        parts = (texts[at * size : (at + 1) * size] for at in range(type.count))
        return f"[{', '.join(f'{word} {self._nested(type.element_type, part)}' for part in parts)}]"

    def array(self, value: builtin_attributes.ArrayAttr, type: Type) -> str | None:
        """Return the elements, each after its type, in the brackets of a struct, an array or a vector: ``{
        i32 1, i8 2 }``; `None` for another type.
        """
        if isinstance(type, llvm_types.LLVMStructType):
            parts = [self.typed(part, kind) for part, kind in zip(value, type.body or (), strict=True)]
            text = f"{{ {', '.join(parts)} }}"
            return f"<{text}>" if type.packed else text
        if not isinstance(type, llvm_types.LLVMArrayType | VectorType):
            return None
        parts = [self.typed(part, type.element_type) for part in value]
        opening, closing = "[]" if isinstance(type, llvm_types.LLVMArrayType) else "<>"
        return f"{opening}{', '.join(parts)}{closing}"

    def numbers(self, value: builtin_attributes.DenseArrayAttr, type: Type) -> str:
        """Return the elements of the dense array attribute `value`, without the type, for a vector or array
        type.
        """
        element: Any = type
        return self._nested(
            type, [self._number(element.element_type, int(number)) for number in value.values]
        )

    def zero(self, value: Attribute | None, type: Type) -> str:
        """Return the constant of `type` with all bits zero; `value` is not used."""
        if isinstance(type, llvm_types.LLVMPointerType):
            return "null"
        if isinstance(type, IntegerType):
            return integer_text(0, type.width)
        return float_text(type, 0) if isinstance(type, FloatType) else "zeroinitializer"


Rule = Callable[[ConstantSpelling, Any, Type], str | None]
RULES: dict[type[Attribute], Rule] = {
    builtin_attributes.IntegerAttr: ConstantSpelling.integer,
    builtin_attributes.FloatAttr: ConstantSpelling.float,
    builtin_attributes.DenseElementsAttr: ConstantSpelling.dense,
    builtin_attributes.DenseArrayAttr: ConstantSpelling.numbers,
    builtin_attributes.ArrayAttr: ConstantSpelling.array,
    builtin_attributes.StringAttr: lambda spell, value, type: f'c"{identifiers.escaped(value.value)}"',
    builtin_attributes.SymbolRefAttr: lambda spell, value, type: f"@{identifiers.quoted(value.root)}",
    llvm_attributes.UndefAttr: lambda spell, value, type: "undef",
    llvm_attributes.PoisonAttr: lambda spell, value, type: "poison",
    llvm_attributes.ZeroAttr: ConstantSpelling.zero,
    builtin_attributes.UnitAttr: ConstantSpelling.zero,
}
"""The spelling of each class of attribute, given the type of the constant; `None` if it does not fit."""
