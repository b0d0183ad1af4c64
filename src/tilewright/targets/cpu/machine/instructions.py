"""The instructions of processors, as a table by feature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from tilewright.dialects.nv_tileaa.attributes import RmwMode
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.targets.cpu.machine import avx512, product_kinds, target as machine_target
from tilewright.targets.elements import atomics, run_time_library
from tilewright.targets.elements.math.polynomial import Formula


@dataclass(frozen=True, slots=True, eq=False)
class CpuInstructions(run_time_library.NativeInstructions):
    """The instructions of one processor. A matrix product uses the first instruction of ``products`` that
    fits.
    """

    products: tuple[product_kinds.ProductInstruction, ...]


@dataclass(frozen=True, slots=True)
class Feature:
    """The instructions that a processor feature, ``name`` in LLVM, adds: formulas of functions by their
    names, the formats below 32 bits that are converted to and from f32, and instructions for products.
    """

    name: str
    functions: Mapping[str, Formula] = field(default_factory=dict[str, Formula])
    conversions: frozenset[builtin_types.FloatType] = frozenset()
    products: tuple[product_kinds.ProductInstruction, ...] = ()


FEATURES: tuple[Feature, ...] = (
    Feature(
        "amx-bf16",
        products=(
            product_kinds.ProductInstruction(
                builtin_types.bf16,
                64,
                product_kinds.tiled("tdpbf16ps", builtin_types.i16, builtin_types.f32, 2),
            ),
        ),
    ),
    Feature(
        "amx-fp16",
        products=(
            product_kinds.ProductInstruction(
                builtin_types.f16,
                64,
                product_kinds.tiled("tdpfp16ps", builtin_types.f16, builtin_types.f32, 2),
            ),
        ),
    ),
    Feature(
        "amx-int8",
        products=tuple(
            product_kinds.ProductInstruction(
                builtin_types.i8,
                64,
                product_kinds.tiled(f"tdpb{name}d", builtin_types.i8, builtin_types.i32, 4),
                signs,
            )
            for name, signs in (
                ("ss", (True, True)),
                ("su", (True, False)),
                ("us", (False, True)),
                ("uu", (False, False)),
            )
        ),
    ),
    Feature("avx512dq", functions=avx512.FUNCTIONS),
    Feature("f16c", conversions=frozenset({builtin_types.f16})),
    Feature(
        "avx512vnni",
        products=(
            product_kinds.ProductInstruction(
                builtin_types.i8, 64, product_kinds.short("llvm.x86.avx512.vpdpwssd.512")
            ),
        ),
    ),
    Feature(
        "avx512bw",
        products=(
            product_kinds.ProductInstruction(
                builtin_types.i8, 64, product_kinds.pairs_of_i16("llvm.x86.avx512.pmaddw.d.512")
            ),
        ),
    ),
    Feature(
        "avx2",
        products=(
            product_kinds.ProductInstruction(
                builtin_types.i8, 32, product_kinds.pairs_of_i16("llvm.x86.avx2.pmadd.wd")
            ),
        ),
    ),
    Feature(
        "sse2",
        products=(
            product_kinds.ProductInstruction(
                builtin_types.i8, 16, product_kinds.pairs_of_i16("llvm.x86.sse2.pmadd.wd")
            ),
        ),
    ),
)
"""The features, best first.

8-bit integers are widened to 16 bits for products: no sum of two products overflows, whatever their signs.
The vector instructions of bf16 are missing on purpose: they flush subnormal factors and sums to zero, so
that 2**-130 times 2**60 is 0. Matrix tiles do so, too, and are used where they exist: they are eight times as
fast as vectors.
"""
CONVERTED = frozenset({builtin_types.f16})
"""The formats below 32 bits that most processors convert to and from f32 by instructions."""
LACKING: Mapping[str, frozenset[builtin_types.FloatType]] = {"x86_64": frozenset({builtin_types.f16})}
"""The formats of `CONVERTED` that a processor family (the first word of a triple) converts only with a
feature.
"""

UPDATED: Mapping[RmwMode, frozenset[Type]] = dict.fromkeys(
    atomics.INTEGER_UPDATES,
    frozenset({builtin_types.i8, builtin_types.i16, builtin_types.i32, builtin_types.i64}),
)
"""The integer types that all processors update atomically. Atomic updates are atomic for the whole system."""


@cache
def instructions_of(target: machine_target.CpuTarget) -> CpuInstructions:
    """Return the instructions of a processor: those that all processors of its family have, and those that
    its features add. If several features have a formula for a function, the first one in `FEATURES` counts.
    """
    present = [feature for feature in FEATURES if target.has(feature.name)]
    family = target.triple.partition("-")[0]
    return CpuInstructions(
        functions={name: formula for row in reversed(present) for name, formula in row.functions.items()},
        conversions=(CONVERTED - LACKING.get(family, frozenset())).union(
            *(feature.conversions for feature in present)
        ),
        arithmetic={},
        rounded_pairs=frozenset(),
        narrow_functions={},
        updates=UPDATED,
        scopes={},
        products=tuple(
            offer for feature in present for offer in feature.products if offer.bytes == target.vector_bytes
        ),
    )
