"""Which instruction a matrix product or a reduction becomes, by target.

On the host one thread owns whole tiles, so that nothing is exchanged and any product is a sum of products: the atoms
say so, and the back end chooses its instructions by the processor's features.
"""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.nv_tileaa.constraints import element_of, shape_of
from tilewright.dialects.nv_tileaa.ops.math import DotOp
from tilewright.dialects.nv_tileas.attributes import AtomAttr
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.lowering import codes
from tilewright.lowering.capability import Capability

REFUSED_SCALES = "mma block scale is not supported by compute capability < sm100"
NO_PARTITION = "failed to find available mma partition"
NO_PLANE = "failed to infer 2d layout"
"""The texts are contract: tools look for them."""
ON_HOST = "compile for the host (compute-capability=host), which multiplies tiles of any elements"
MULTIPLY_ADD = "universal_fma"
"""The threads multiply and add element by element, without a matrix instruction."""


@dataclass(frozen=True, slots=True)
class Atoms:
    """Names of instructions, in which the spelled element types stand for `{a}`, `{b}`, `{c}`.

    ``most_dimensions`` is the rank of a product.
    """

    dot: str
    scaled_dot: str
    aggregate: str
    most_dimensions: int


HOST_ATOMS = Atoms(MULTIPLY_ADD, "universal_fma_bs", "in_thread", 3)
GPU_ATOMS = Atoms("mma_{a}_{b}_{c}", "umma_bs_{a}_{b}_{c}", "warp_shfl_xor_{a}", 2)
MULTIPLIED_BY_THREADS = frozenset({"f32", "f64"})
"""Element types that the threads of every GPU multiply themselves where no matrix instruction does."""


def atoms_of(target: Capability) -> Atoms:
    """The row of a target."""
    return HOST_ATOMS if target.is_host else GPU_ATOMS


def dot_atom(op: DotOp, target: Capability) -> AtomAttr:
    """The instruction of a matrix product.  Raises `DiagnosticError` if the target has none."""
    atoms, scaled = atoms_of(target), op.sfa is not None
    a, b, c = (spelled(value.type) for value in (op.a, op.b, op.c))
    if target.gpu is not None:
        if not scaled and not {a, b} <= target.gpu.factors and {a, b} <= MULTIPLIED_BY_THREADS:
            return AtomAttr(MULTIPLY_ADD)
        _require_instruction(op, target.gpu, {a, b}, scaled=scaled)
    return AtomAttr((atoms.scaled_dot if scaled else atoms.dot).format(a=a, b=b, c=c))


def _require_instruction(op: DotOp, gpu: Chip, factors: set[str], *, scaled: bool) -> None:
    """Raise `DiagnosticError` unless a GPU has a matrix instruction for a product."""
    if scaled and not gpu.block_scales:
        hint = "compile for sm_100 or newer, or the host"
        raise failure(codes.NO_BLOCK_SCALE, REFUSED_SCALES, op.location, hint=hint)
    if not factors <= gpu.factors:
        missing = ", ".join(sorted(factors - gpu.factors))
        raise _refused(op, NO_PARTITION, f"{gpu.name} has no matrix instruction for {missing}")
    if len(shape_of(op.result.type)) > GPU_ATOMS.most_dimensions:
        raise _refused(op, NO_PLANE, f"{gpu.name} has no matrix instruction for batches")


def _refused(op: Operation, text: str, reason: str) -> Exception:
    return failure(codes.NO_MATRIX_ATOM, text, op.location, hint=f"{reason}; {ON_HOST}")


def aggregate_atom(op: Operation, target: Capability) -> AtomAttr:
    """The instruction with which a reduction or scan combines elements of several threads."""
    return AtomAttr(atoms_of(target).aggregate.format(a=spelled(op.operands[0].type)))


def spelled(type: Type) -> str:
    """An element type as part of the name of an instruction."""
    element = element_of(type)
    return element.spelling if isinstance(element, FloatType) else str(element)
