"""The types of PTX: their kinds and widths."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class ValueKind(Enum):
    """The interpretation of the bits of a value: as bits of no certain type, as an integer, a float or a
    predicate, as several packed elements, or not at all (``OPAQUE``: references to textures and the like).
    """

    BITS = "bits"
    UNSIGNED = "unsigned integer"
    SIGNED = "signed integer"
    FLOAT = "float"
    PREDICATE = "predicate"
    PACKED = "packed"
    """Several elements in a register, which may have any type of this width."""
    OPAQUE = "opaque"
    """Texture, sampler and surface references."""


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A type by its name without the dot. `kind` is the interpretation of its bits, and `bits` the width of a
    value; of all elements if the type is packed.
    """

    name: str
    kind: ValueKind
    bits: int


def _types() -> dict[str, ScalarType]:
    rows = [
        (ValueKind.PREDICATE, {"pred": 1}),
        (ValueKind.BITS, {f"b{bits}": bits for bits in (1, 8, 16, 32, 64, 128, 1024)}),
        (ValueKind.UNSIGNED, {f"u{bits}": bits for bits in (4, 8, 16, 32, 64)}),
        (ValueKind.SIGNED, {f"s{bits}": bits for bits in (4, 8, 16, 32, 64)}),
        (ValueKind.FLOAT, {"f16": 16, "f32": 32, "f64": 64}),
        (ValueKind.PACKED, {"bf16": 16, "tf32": 32, "f16x2": 32, "bf16x2": 32, "f32x2": 64}),
        (ValueKind.PACKED, {"u16x2": 32, "s16x2": 32, "u8x4": 32, "s8x4": 32, "b8x16": 128}),
        (ValueKind.PACKED, {"e4m3": 8, "e5m2": 8, "e2m3": 8, "e3m2": 8, "e2m1": 4, "ue8m0": 8, "ue4m3": 8}),
        (
            ValueKind.PACKED,
            {"e4m3x2": 16, "e5m2x2": 16, "e2m3x2": 16, "e3m2x2": 16, "e2m1x2": 8, "ue8m0x2": 16},
        ),
        (ValueKind.PACKED, {"e4m3x4": 32, "e5m2x4": 32, "e2m3x4": 32, "e3m2x4": 32, "e2m1x4": 16}),
        (ValueKind.PACKED, {"b6x16_p32": 128, "b4x16_p64": 128, "s2f6x2": 16}),
        (ValueKind.OPAQUE, {"texref": 64, "samplerref": 64, "surfref": 64}),
    ]
    return {name: ScalarType(name, kind, bits) for kind, widths in rows for name, bits in widths.items()}


TYPES = _types()
"""Every type by its name."""

STORED = tuple(
    name
    for name, row in TYPES.items()
    if row.kind not in (ValueKind.PREDICATE, ValueKind.PACKED, ValueKind.OPAQUE) and 8 <= row.bits <= 128
)
"""The types of variables and memory accesses."""


def fits(declared: ScalarType, wanted: ScalarType, *, wider: bool = False) -> bool:
    """Return whether a register of the type `declared` may be used where `wanted` is expected.

    Widths must agree. Bit types and packed types match everything; otherwise floats match floats, and
    integers match integers. With `wider`, as for loads, stores and conversions, registers may be larger and
    kinds are not compared. Predicates match predicates only.
    """
    if ValueKind.PREDICATE in (declared.kind, wanted.kind):
        return declared is wanted
    if declared.bits != wanted.bits and not (wider and declared.bits > wanted.bits):
        return False
    if wider or not {ValueKind.BITS, ValueKind.PACKED}.isdisjoint((declared.kind, wanted.kind)):
        return True
    return (declared.kind is ValueKind.FLOAT) == (wanted.kind is ValueKind.FLOAT)
