"""Costs of a processor as data for planning: limits, cheap operations, and instructions for products."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tilewright.targets.cpu.machine import instructions as machine_instructions, target as machine_target
from tilewright.targets.cpu.machine.product_kinds import MICRO_KERNELS, MicroKernel, ProductInstruction

WIDEST = 64
"""The vector size in bytes at which nests that are bound by memory use half vectors.

Caches deliver two halves as early as one whole vector.
"""


@dataclass(frozen=True, slots=True)
class PlanningCosts:
    """The costs and limits of one processor. Planning takes every number that may differ between processors
    from here.

    - ``target``: the processor itself, with the width of its vectors.
    - ``micro_kernel``, ``products``: the part of a product in registers, and the instructions for products.
    - ``light_parts``: the parts into which nests that are bound by memory divide vectors.
    - ``light``: the maximum number of instructions for an element in such a nest.
    - ``stack_bytes``: the maximum size of a tile on the stack, where LLVM may keep it in registers.
    - ``roots``: the maximum number of roots of a nest. Nests with more keep too many vectors in registers.
    - ``passed``: the maximum number of unrelated nests that a root may pass to join an earlier nest.
    - ``repeated``: the maximum number of operations that are repeated instead of storing their result.
    - ``crowded_bytes``: the row stride whose multiples map to the same sets of the first-level cache.
    """

    target: machine_target.CpuTarget
    micro_kernel: MicroKernel
    products: tuple[ProductInstruction, ...]
    light_parts: int
    light: int = 4
    stack_bytes: int = 4096
    roots: int = 6
    passed: int = 2
    repeated: int = 4
    crowded_bytes: int = 2048


@cache
def costs_of(target: machine_target.CpuTarget) -> PlanningCosts:
    """Return the costs and limits by which planning chooses code for a processor."""
    return PlanningCosts(
        target=target,
        micro_kernel=MICRO_KERNELS[target.vector_bytes],
        products=machine_instructions.instructions_of(target).products,
        light_parts=2 if target.vector_bytes == WIDEST else 1,
    )
