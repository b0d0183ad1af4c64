"""Which instruction a matrix product or a reduction becomes, by target.

On the host one thread owns whole tiles, so that nothing is exchanged and any product is a sum of products: the atoms
say so, and the back end chooses its instructions by the processor's features.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tilewright.dialects.nv_tileaa.constraints import element_of, shape_of
from tilewright.dialects.nv_tileas.attributes import AtomAttr
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.lowering import codes
from tilewright.lowering.capability import Capability

OLD_FOR_SCALES = 99
"""Block scales need a larger compute capability."""
REFUSED_SCALES = "mma block scale is not supported by compute capability < sm100"
NO_PARTITION = "failed to find available mma partition"
NO_PLANE = "failed to infer 2d layout"
"""The texts are contract: tools look for them."""
ON_HOST = "compile for the host (compute-capability=host), which multiplies tiles of any elements"


@dataclass(frozen=True, slots=True)
class Atoms:
    """Names of instructions, in which the spelled element types stand for `{a}`, `{b}`, `{c}`.

    ``factors`` are the element types that can be multiplied; None: all.  ``most_dimensions`` is the rank of a product.
    """

    dot: str
    scaled_dot: str
    aggregate: str
    factors: frozenset[str] | None = None
    most_dimensions: int = 3


HOST_ATOMS = Atoms("universal_fma", "universal_fma_bs", "in_thread")
GPU_ATOMS = Atoms(
    "mma_{a}_{b}_{c}",
    "umma_bs_{a}_{b}_{c}",
    "warp_shfl_xor_{a}",
    frozenset({"f16", "bf16", "tf32", "f64", "i8", "f8E4M3FN", "f8E5M2", "f4E2M1FN"}),
    2,
)


def atoms_of(target: Capability) -> Atoms:
    """The row of a target."""
    return HOST_ATOMS if target.is_host else GPU_ATOMS


def dot_atom(op: Any, target: Capability) -> AtomAttr:
    """The instruction of a matrix product.  Raises `DiagnosticError` if the target has none."""
    atoms = atoms_of(target)
    scaled = op.sfa is not None
    if scaled and not target.is_host and target.number <= OLD_FOR_SCALES:
        raise failure(
            codes.NO_BLOCK_SCALE, REFUSED_SCALES, op.location, hint="compile for sm_100 or newer, or the host"
        )
    factors = {spelled(op.a.type), spelled(op.b.type)}
    if atoms.factors is not None and not factors <= atoms.factors:
        raise _refused(op, NO_PARTITION, target)
    if len(shape_of(op.result.type)) > atoms.most_dimensions:
        raise _refused(op, NO_PLANE, target)
    name = atoms.scaled_dot if scaled else atoms.dot
    return AtomAttr(name.format(a=spelled(op.a.type), b=spelled(op.b.type), c=spelled(op.c.type)))


def _refused(op: Operation, text: str, target: Capability) -> Exception:
    hint = f"{target.chip} has no instruction for it; {ON_HOST}"
    return failure(codes.NO_MATRIX_ATOM, text, op.location, hint=hint)


def aggregate_atom(op: Any, target: Capability) -> AtomAttr:
    """The instruction with which a reduction or scan combines elements of several threads."""
    return AtomAttr(atoms_of(target).aggregate.format(a=spelled(op.inputs[0].type)))


def spelled(type: Type) -> str:
    """An element type as part of the name of an instruction."""
    element = element_of(type)
    return element.spelling if isinstance(element, FloatType) else str(element)
