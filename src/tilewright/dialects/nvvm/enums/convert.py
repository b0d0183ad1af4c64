"""Enumerations of ``nvvm``'s conversions."""

from __future__ import annotations

from typing import ClassVar

from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration.enum_attribute import SpelledEnum, SpelledEnumAttribute


class FPRoundingMode(SpelledEnum):
    """How an inexact result is chosen: to nearest even (`RN`), down (`RM`), up (`RP`), towards zero (`RZ`),
    to nearest with ties away from zero (`RNA`), or stochastically (`RS`); `NONE` states no mode.
    """

    NONE = 0
    RN = 1
    RM = 2
    RP = 3
    RZ = 4
    RNA = 5
    RS = 6


class SaturationMode(SpelledEnum):
    """The treatment of numbers that are out of range: replaced by the largest finite number (`SATFINITE`), or
    not treated (`NONE`).
    """

    NONE = 0
    SATFINITE = 1


class DotAccumulateType(SpelledEnum):
    """Whether the integers of a factor of a dot product are read as signed or unsigned."""

    SIGNED = 1
    UNSIGNED = 0


class FPRoundingModeAttr(SpelledEnumAttribute):
    """The attribute form of `FPRoundingMode`, such as ``#nvvm.fp_rnd_mode<none>``."""

    name: ClassVar[str] = "nvvm.fp_rnd_mode"
    enumeration = FPRoundingMode


class SaturationModeAttr(SpelledEnumAttribute):
    """The attribute form of `SaturationMode`, such as ``#nvvm.sat_mode<none>``."""

    name: ClassVar[str] = "nvvm.sat_mode"
    enumeration = SaturationMode


class DotAccumulateTypeAttr(SpelledEnumAttribute):
    """The attribute form of `DotAccumulateType`, such as ``#nvvm.dot_accumulate_type<signed>``."""

    name: ClassVar[str] = "nvvm.dot_accumulate_type"
    enumeration = DotAccumulateType


ENUM_ATTRIBUTES: tuple[type[Attribute], ...] = (
    FPRoundingModeAttr,
    SaturationModeAttr,
    DotAccumulateTypeAttr,
)
"""The enum attributes of this module."""
