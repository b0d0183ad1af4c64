"""Rules of products, reductions and scans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.vector.enums import CombiningKind
from tilewright.dialects.vector.rules_shape import element_type, require
from tilewright.ir.arithmetic.affine import AffineDimension
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IndexType, IntegerType, VectorType
from tilewright.ir.declaration.traits import VerifyError

if TYPE_CHECKING:
    from tilewright.dialects.vector import ops_arithmetic as vector_arithmetic

INTEGER_KINDS = (
    CombiningKind.MINUI,
    CombiningKind.MINSI,
    CombiningKind.MAXUI,
    CombiningKind.MAXSI,
    CombiningKind.AND,
    CombiningKind.OR,
    CombiningKind.XOR,
)
FLOAT_KINDS = (
    CombiningKind.MINNUMF,
    CombiningKind.MAXNUMF,
    CombiningKind.MINIMUMF,
    CombiningKind.MAXIMUMF,
)


def is_supported(kind: CombiningKind, element: Type) -> bool:
    """Return whether `kind` can combine elements of the type `element`: bitwise kinds and signed or unsigned
    extrema for integers and `index`, float extrema for floats, addition and multiplication for all of these.
    """
    if kind in INTEGER_KINDS:
        return isinstance(element, IntegerType | IndexType)
    if kind in FLOAT_KINDS:
        return isinstance(element, FloatType)
    return isinstance(element, IntegerType | IndexType | FloatType)


def check_reduction(op: vector_arithmetic.ReductionOp) -> None:
    """Raise `VerifyError` unless a reduction has a vector of rank 0 or 1 and a kind that its element type
    supports.
    """
    vector = checked_type(op.vector)
    require(len(vector.shape) <= 1, f"unsupported reduction rank: {len(vector.shape)}")
    words = f"unsupported reduction type ''{op.dest.type}'' for kind '{op.kind_.name.lower()}'"
    require(is_supported(op.kind_, op.dest.type), words)


def check_multi_reduction(op: vector_arithmetic.MultiDimReductionOp) -> None:
    """Raise `VerifyError` unless the result has the type of the source without the reduced dimensions."""
    source, dims = checked_type(op.source), set(op.reduction_dims)
    scalable = source.scalable or (False,) * len(source.shape)
    kept = [number for number in range(len(source.shape)) if number not in dims]
    shape = tuple(source.shape[number] for number in kept)
    scales = tuple(scalable[number] for number in kept)
    expected: Type = VectorType(shape, source.element_type, scales) if shape else source.element_type
    words = f"destination type '{op.dest.type}' is incompatible with source type '{source}'"
    require(op.dest.type is expected, words)


def check_scan(op: vector_arithmetic.ScanOp) -> None:
    """Raise `VerifyError` unless the initial value has the shape of the source without the scanned dimension,
    which must exist, and the element type supports the kind.
    """
    source, initial = checked_type(op.source), checked_type(op.initial_value)
    rank, dimension = len(source.shape), op.reduction_dim
    require(dimension < rank, f"reduction dimension {dimension} has to be less than {rank}")
    found = len(initial.shape)
    require(found == rank - 1, f"initial value rank {found} has to be equal to {rank - 1}")
    expected = (*source.shape[:dimension], *source.shape[dimension + 1 :])
    require(initial.shape == expected, "incompatible input/initial value shapes")
    kind, element = op.kind_, checked_type(op.dest).element_type
    words = f"unsupported reduction type '{element}' for kind '{kind.name.lower()}'"
    require(is_supported(kind, element), words)


def check_outer_product(op: vector_arithmetic.OuterProductOp) -> None:
    """Raise `VerifyError` unless the operands have rank 1 and M and N elements and the result is M x N, or
    `rhs` is a scalar and the result has M elements. An accumulator has the type of the result, whose element
    type must support the kind.
    """
    left, right, result = checked_type(op.lhs), op.rhs.type, checked_type(op.results[0])
    require(len(left.shape) == 1, "expected 1-d vector for operand #1")
    if isinstance(right, VectorType):
        require(len(right.shape) == 1, "expected 1-d vector for operand #2")
        require(len(result.shape) == 2, "expected 2-d vector result")
        words = "expected #1 operand dim to match result dim #1"
        require(left.shape[0] == result.shape[0], words)
        words = "expected #2 operand dim to match result dim #2"
        require(right.shape[0] == result.shape[1], words)
    else:
        require(len(result.shape) == 1, "expected 1-d vector result")
        words = "expected #1 operand dim to match result dim #1"
        require(left.shape[0] == result.shape[0], words)
    if op.acc is not None:
        require(op.acc.type is result, "expected operand #3 of same type as result type")
    words = "unsupported outerproduct type"
    require(is_supported(op.kind_, result.element_type), words)


def check_contraction(op: vector_arithmetic.ContractionOp) -> None:
    """Raise `VerifyError` unless a contraction has a map for each of its three operands: a projected
    permutation of the loops, with a result for each dimension. Extents of the same loop must be equal,
    accumulator and result must have the extents of their loops, and the element type must support the kind.
    """
    operands = [op.lhs.type, op.rhs.type, op.acc.type]
    maps = [attribute.map for attribute in op.indexing_maps]
    count = len(op.iterator_types)
    require(len(maps) == len(operands), "expected an indexing map for each vector operand")
    for number, (map, operand) in enumerate(zip(maps, operands, strict=True)):
        rank = len(operand.shape) if isinstance(operand, VectorType) else 0
        require(not map.symbol_count, f"expected indexing map {number} to have no symbols")
        words = f"expected indexing map {number} to have {count} number of inputs"
        require(map.dimension_count == count, words)
        words = f"expected indexing map {number} to have {rank} number of outputs"
        require(len(map.results) == rank, words)
        words = f"expected indexing map {number} to be a projected permutation of its inputs"
        require(map.is_projected_permutation, words)
    _check_contracted_shape(op, operands, maps)
    require(is_supported(op.kind_, element_type(op.results[0].type)), "unsupported contraction type")


def _check_contracted_shape(
    op: vector_arithmetic.ContractionOp, operands: list[Any], maps: list[Any]
) -> None:
    extents: dict[int, tuple[int, bool]] = {}
    for operand, map in zip(operands[:2], maps[:2], strict=True):
        scalable = operand.scalable or (False,) * len(operand.shape)
        for number, result in enumerate(map.results):
            if isinstance(result, AffineDimension):
                found = operand.shape[number], scalable[number]
                if extents.setdefault(result.position, found) != found:
                    raise VerifyError("invalid contracting dimension map")
    wanted = [extents[result.position] for result in maps[2].results if result.position in extents]
    expected: Type = element_type(op.acc.type)
    if wanted:
        shape, scales = tuple(extent for extent, _ in wanted), tuple(flag for _, flag in wanted)
        expected = VectorType(shape, expected, scales)
    words = f"invalid accumulator/result vector shape, expected: '{expected}'"
    require(op.acc.type is expected and op.results[0].type is expected, words)
