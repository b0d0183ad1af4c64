"""The attribute kinds of vector operations, described in MLIR's words."""

from __future__ import annotations

from tilewright.dialects.common.kinds import DescribedArrayKind
from tilewright.dialects.vector.enums import CombiningKindAttr, IteratorTypeAttr, PrintPunctuationAttr
from tilewright.ir.arithmetic.affine import AffineMapAttr
from tilewright.ir.builtin_types import i64
from tilewright.ir.declaration.attribute_kind import BoolKind, InstanceKind, IntegerKind, StringKind
from tilewright.ir.declaration.enum_attribute import SpelledEnumKind

COMBINING_KIND = SpelledEnumKind(
    CombiningKindAttr, "Kind of combining function for contractions and reductions"
)
PUNCTUATION = SpelledEnumKind(PrintPunctuationAttr, "Punctuation for separating vectors or vector elements")
ITERATOR_TYPES = DescribedArrayKind(SpelledEnumKind(IteratorTypeAttr), "Iterator type should be an enum.")
AFFINE_MAP = InstanceKind(AffineMapAttr, "AffineMap attribute")
AFFINE_MAPS = DescribedArrayKind(InstanceKind(AffineMapAttr, "AffineMap attribute"), "array attribute")
INTEGERS = DescribedArrayKind(IntegerKind(i64), "64-bit integer array attribute")
BOOLEANS = DescribedArrayKind(BoolKind(), "1-bit boolean array attribute")


class LiteralKind(StringKind):
    """A string to print, shown as str."""

    description = "An Attribute containing a string"


LITERAL = LiteralKind()
