"""The enumerations of the ``vector`` dialect and the attributes that hold them."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration.enum_attribute import SpelledEnum, SpelledEnumAttribute


class CombiningKind(Enum):
    """The function by which reductions, scans and contractions combine two elements. ``UI`` and ``SI`` read
    integers as unsigned or signed. With NaN and a number, ``MINNUMF`` and ``MAXNUMF`` give the number,
    ``MINIMUMF`` and ``MAXIMUMF`` NaN.
    """

    ADD = 0
    MUL = 1
    MINUI = 2
    MINSI = 3
    MINNUMF = 4
    MAXUI = 5
    MAXSI = 6
    MAXNUMF = 7
    AND = 8
    OR = 9
    XOR = 10
    MINIMUMF = 11
    MAXIMUMF = 12


class IteratorType(Enum):
    """The type of a loop of a contraction: a parallel loop has a result for each iteration, a reduction loop
    combines them.
    """

    PARALLEL = 0
    REDUCTION = 1


class PrintPunctuation(SpelledEnum):
    """The text printed after a value: nothing, a new line, a comma, or an opening or closing parenthesis."""

    NO_PUNCTUATION = 0
    NEW_LINE = 1, "newline"
    COMMA = 2
    OPEN = 3
    CLOSE = 4


class CombiningKindAttr(SpelledEnumAttribute):
    """The attribute form of `CombiningKind`, such as ``#vector.kind<add>``."""

    name: ClassVar[str] = "vector.kind"
    enumeration = CombiningKind


class IteratorTypeAttr(SpelledEnumAttribute):
    """The attribute form of `IteratorType`, such as ``#vector.iterator_type<parallel>``."""

    name: ClassVar[str] = "vector.iterator_type"
    enumeration = IteratorType


class PrintPunctuationAttr(SpelledEnumAttribute):
    """The attribute form of `PrintPunctuation`, such as ``#vector.punctuation<newline>``."""

    name: ClassVar[str] = "vector.punctuation"
    enumeration = PrintPunctuation


ATTRIBUTES: tuple[type[Attribute], ...] = (CombiningKindAttr, IteratorTypeAttr, PrintPunctuationAttr)
"""All attributes of the dialect."""
