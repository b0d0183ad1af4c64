"""Selects the instruction (the atom) of a matrix product or a reduction for a target.

On the host one thread owns whole tiles, so no data is exchanged: the atoms only say that elements are
multiplied and added, and the back end chooses instructions by the processor's features.
"""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.nv_tileaa.constraints import element_of
from tilewright.dialects.nv_tileaa.ops.math import DotOp
from tilewright.dialects.nv_tileas import ops_tile as tileas_tile, rules as tileas_rules
from tilewright.dialects.nv_tileas.attributes import AtomAttr
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType
from tilewright.ir.operation import Operation
from tilewright.lowering.capability import Capability


@dataclass(frozen=True, slots=True)
class Atoms:
    """Names of the instructions of a target: for products (``dot``), products with scales (``scaled_dot``),
    and reductions (``aggregate``). `{a}`, `{b}` and `{c}` stand for the element types of the operands.
    """

    dot: str
    scaled_dot: str
    aggregate: str


BY_THREADS = Atoms("universal_fma", "universal_fma_bs", "in_thread")
"""The instructions for any element type: threads multiply and add element by element, and one thread owns
whole tiles.
"""
GPU_ATOMS = Atoms("mma_{a}_{b}_{c}", "umma_bs_{a}_{b}_{c}", "warp_shfl_xor_{a}")


def atoms_of(target: Capability) -> Atoms:
    """Return the names of the instructions of a target: `BY_THREADS` for the host, `GPU_ATOMS` for a GPU."""
    return BY_THREADS if target.is_host else GPU_ATOMS


def dot_atom(op: DotOp | tileas_tile.DotOp, target: Capability) -> AtomAttr:
    """Return the atom of a matrix product on a target, such as ``mma_f16_f16_f32``. On the host, and on a GPU
    without a matching matrix instruction, it says that threads multiply and add elements: ``universal_fma``.
    """
    scaled = op.sfa is not None
    a, b, c = (spelled(value.type) for value in (op.a, op.b, op.c))
    multiplies = target.gpu is not None and has_matrix_instruction(op, target.gpu)
    atoms = GPU_ATOMS if multiplies else BY_THREADS
    return AtomAttr((atoms.scaled_dot if scaled else atoms.dot).format(a=a, b=b, c=c))


def has_matrix_instruction(op: DotOp | tileas_tile.DotOp, gpu: Chip) -> bool:
    """Return whether a GPU has a matrix instruction for the element types of the factors of a product, and
    for the scales of their blocks if it has some. Shapes and the type of the sum are not considered.
    """
    has_scales = op.sfa is None or (gpu.block_scales and tileas_rules.block_scale_problem(op) is None)
    has_factors = {spelled(op.a.type), spelled(op.b.type)} <= gpu.factors
    return has_scales and has_factors


def aggregate_atom(op: Operation, target: Capability) -> AtomAttr:
    """Return the atom of a reduction or scan: the instruction with which it combines elements of several
    threads; on the host, where a thread has all elements, ``in_thread``.
    """
    return AtomAttr(atoms_of(target).aggregate.format(a=spelled(op.operands[0].type)))


def spelled(type: Type) -> str:
    """Return the spelling of a scalar type, or of the element type of a tile, in the name of an instruction:
    ``f16`` or ``i32``.
    """
    element = element_of(type)
    return element.spelling if isinstance(element, FloatType) else str(element)
