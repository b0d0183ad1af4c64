"""Rules of views of buffers beyond the types of single operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.common.traits import cast_message
from tilewright.dialects.memref import rules as memref_rules, types as memref_types
from tilewright.ir.arithmetic.strided_layout import strides_and_offset
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import DYNAMIC, MemRefType, UnrankedMemRefType
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.dialects.memref import ops_view as memref_view


def check_cast(op: Operation) -> None:
    """Raise `VerifyError` unless the types of a cast are compatible (`are_cast_compatible`)."""
    source, target = op.operands[0].type, op.results[0].type
    if not are_cast_compatible(source, target):
        raise VerifyError(cast_message(op))


def are_cast_compatible(source: Any, target: Any) -> bool:
    """Return whether two memref types have the same element type and memory space, and agree in all extents,
    strides and offsets that both state. Layouts that are not strided must be identical. One type, but not
    both, may be unranked.
    """
    if source.element_type is not target.element_type or source.memory_space is not target.memory_space:
        return False
    if isinstance(source, UnrankedMemRefType) or isinstance(target, UnrankedMemRefType):
        return not (isinstance(source, UnrankedMemRefType) and isinstance(target, UnrankedMemRefType))
    if not _agree(source.shape, target.shape):
        return False
    layouts = strides_and_offset(source), strides_and_offset(target)
    if layouts[0] is None or layouts[1] is None:
        return source.layout is target.layout
    return _agree(layouts[0][0], layouts[1][0]) and _agree(layouts[0][1:], layouts[1][1:])


def _agree(left: Sequence[Any], right: Sequence[Any]) -> bool:
    """Return whether two lists have equal length and equal numbers; `DYNAMIC` equals any number."""
    return len(left) == len(right) and all(
        a == b or DYNAMIC in (a, b) for a, b in zip(left, right, strict=True)
    )


def check_space_cast(op: Operation) -> None:
    """Raise `VerifyError` unless the types of a cast are equal except for the memory space."""
    source, target = op.operands[0].type, op.results[0].type
    if _without_space(source) is not _without_space(target):
        raise VerifyError(cast_message(op))


def _without_space(type: Any) -> Type:
    return type.replace(memory_space=None)


def check_slice_arguments(op: memref_view.ReinterpretCastOp | memref_view.SubViewOp) -> None:
    """Raise `VerifyError` unless there are as many operands for offsets, for sizes and for strides as
    `DYNAMIC` occurs in the static list of each.
    """
    lists = {
        "offset": (op.static_offsets, op.offsets),
        "size": (op.static_sizes, op.sizes),
        "stride": (op.static_strides, op.strides),
    }
    for name, (static, dynamic) in lists.items():
        unknown = static.count(DYNAMIC)
        if unknown != len(dynamic):
            raise VerifyError(
                f"expected the number of '{name}s' to match the number of dynamic entries in "
                f"'static_{name}s' ({len(dynamic)} vs {unknown})",
                prefix=False,
            )


def check_subview(op: memref_view.SubViewOp) -> None:
    """Raise `VerifyError` unless the source of a slice is strided, the result has its memory space and the
    type that offsets, sizes and strides give, possibly without dimensions of extent 1, and the static numbers
    keep the slice inside the source.
    """
    check_slice_ranks(op.static_offsets, op.static_sizes, op.static_strides)
    check_slice_arguments(op)
    source, result = checked_type(op.source), checked_type(op.result)
    arguments = op.static_offsets, op.static_sizes, op.static_strides
    if strides_and_offset(source) is None:
        raise VerifyError(f"base type {source} is not strided")
    if source.memory_space is not result.memory_space:
        raise VerifyError(
            f"different memory spaces specified for base memref type {source} and subview memref type {result}"
        )
    check_reduced(memref_types.subview_type(source, *arguments), result, len(source.shape))
    check_bounds(source.shape, *arguments)


def check_slice_ranks(offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int]) -> None:
    """Raise `VerifyError` unless offsets, sizes and strides are of one rank."""
    for words, other in (("sizes", sizes), ("strides", strides)):
        if len(offsets) != len(other):
            raise VerifyError(
                f"expected mixed offsets rank to match mixed {words} rank ({len(offsets)} vs {len(other)}) "
                "so the rank of the result type is well-formed.",
                prefix=False,
            )


def check_bounds(
    shape: Sequence[int], offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int]
) -> None:
    """Raise `VerifyError` if the static numbers show that a slice exceeds its source of the given `shape`.
    Dimensions with a dynamic extent or offset are not checked; with a dynamic size or stride, only the offset
    is.
    """
    for number, (extent, offset, size, stride) in enumerate(
        zip(shape, offsets, sizes, strides, strict=False)
    ):
        if DYNAMIC in (extent, offset):
            continue
        if not 0 <= offset < extent:
            words = f"offset {number} is out-of-bounds: {offset} >= {extent}"
            raise VerifyError(words, prefix=False)
        if DYNAMIC in (size, stride):
            continue
        last = offset + (size - 1) * stride
        if not 0 <= last < extent:
            words = f"slice along dimension {number} runs out-of-bounds: {last} >= {extent}"
            raise VerifyError(words, prefix=False)


def check_reduced(expected: MemRefType, result: MemRefType, rank: int) -> None:
    """Raise `VerifyError` unless ``result`` is ``expected``, possibly without some dimensions of extent 1, in
    element type, shape, strides and offset; ``rank`` is its maximum rank. Memory spaces are not compared.
    """
    if len(result.shape) > rank:
        words = f"expected result rank to be smaller or equal to the source rank, but got '{result}'"
        raise VerifyError(words, prefix=False)
    if expected.element_type is not result.element_type:
        words = f"expected result element type to be '{expected.element_type}', but got '{result}'"
        raise VerifyError(words, prefix=False)
    dropped = memref_types.dropped_dimensions(expected.shape, result.shape)
    if dropped is None:
        raise _mismatch(expected, "sizes", result)
    if not _same_layout(expected, result):
        raise _mismatch(expected, "layout", result)


def _mismatch(expected: Type, what: str, result: Type) -> VerifyError:
    return VerifyError(
        f"expected result type to be '{expected}' or a rank-reduced version. (mismatch of result {what}), "
        f"but got '{result}'",
        prefix=False,
    )


def _same_layout(expected: MemRefType, result: MemRefType) -> bool:
    """Return whether ``result`` has the offset of ``expected``, and its strides in all dimensions that are
    not dropped. False if a layout is not strided.
    """
    ours, theirs = strides_and_offset(expected), strides_and_offset(result)
    if ours is None or theirs is None or ours[1] != theirs[1]:
        return False
    position = 0
    pairs = list(zip(result.shape, theirs[0], strict=True))
    for extent, stride in zip(expected.shape, ours[0], strict=True):
        if position < len(pairs) and pairs[position] == (extent, stride):
            position += 1
        elif extent != 1:
            return False
    return position == len(pairs)


def check_reinterpretation(op: memref_view.ReinterpretCastOp) -> None:
    """Raise `VerifyError` unless the result of ``reinterpret_cast`` has the memory space and element type of
    the source, and is strided with the given offset, sizes and strides. The result type may leave a number
    dynamic.
    """
    check_slice_arguments(op)
    source, result = checked_type(op.source), checked_type(op.result)
    if source.memory_space is not result.memory_space:
        words = f"different memory spaces specified for source type {source} and result memref type {result}"
        raise VerifyError(words, prefix=False)
    if source.element_type is not result.element_type:
        words = (
            f"different element types specified for source type '{source}' and result memref type '{result}'"
        )
        raise VerifyError(words, prefix=False)
    _check_numbers("size", result.shape, op.static_sizes)
    layout = strides_and_offset(result)
    if layout is None:
        raise VerifyError(f"expected result type to have strided layout but found {result}", prefix=False)
    if DYNAMIC != layout[1] != op.static_offsets[0]:
        words = f"expected result type with offset = {_number(op.static_offsets[0])} instead of {layout[1]}"
        raise VerifyError(words, prefix=False)
    _check_numbers("stride", layout[0], op.static_strides)


def _check_numbers(what: str, found: Sequence[int], wanted: Sequence[int]) -> None:
    for number, (ours, given) in enumerate(zip(found, wanted, strict=True)):
        if DYNAMIC != ours != given:
            words = f"expected result type with {what} = {_number(given)} instead of {ours} in dim = {number}"
            raise VerifyError(words, prefix=False)


def _number(value: int) -> str:
    return "dynamic" if value == DYNAMIC else str(value)


def check_transpose(op: memref_view.TransposeOp) -> None:
    """Raise `VerifyError` unless the map of ``transpose`` permutes the dimensions of the source, and the
    result has the element type, shape, strides and offset that follow.
    """
    source, permutation = checked_type(op.in_), op.permutation.map
    if not permutation.is_projected_permutation or len(permutation.results) != permutation.dimension_count:
        raise VerifyError("expected a permutation map")
    if permutation.dimension_count != len(source.shape):
        raise VerifyError("expected a permutation map of same rank as the input")
    expected, result = memref_types.transposed_type(source, permutation), checked_type(op.result)
    same = result.shape == expected.shape and strides_and_offset(result) == strides_and_offset(expected)
    if not same or result.element_type is not expected.element_type:
        raise VerifyError(
            f"result type '{result}' is not equivalent to the canonical transposed input type '{expected}'"
        )


def check_view(op: memref_view.ViewOp) -> None:
    """Raise `VerifyError` unless the result of a view of bytes has no layout, the memory space of the source,
    and one size operand per dynamic extent.
    """
    source, result = checked_type(op.source), checked_type(op.result)
    if result.layout is not None:
        raise VerifyError(f"unsupported map for result memref type {result}")
    if source.memory_space is not result.memory_space:
        raise VerifyError(
            f"different memory spaces specified for base memref type {source} and view memref type {result}"
        )
    memref_rules.check_dynamic_sizes(op.sizes, result)


def check_expansion(op: memref_view.ExpandShapeOp) -> None:
    """Raise `VerifyError` unless each dimension of the source of ``expand_shape`` is the product of a group
    of dimensions of the result, and there is a static or dynamic extent for each dimension of the result.
    """
    check_groups(checked_type(op.result), checked_type(op.src), op.reassociation)
    if len(op.static_output_shape) != len(checked_type(op.result).shape):
        raise VerifyError("expected number of static shape dims to be equal to the output rank")


def check_collapse(op: memref_view.CollapseShapeOp) -> None:
    """Raise `VerifyError` unless each dimension of the result of ``collapse_shape`` is the product of a group
    of dimensions of the source.
    """
    check_groups(checked_type(op.src), checked_type(op.result), op.reassociation)


def check_groups(expanded: MemRefType, collapsed: MemRefType, groups: Sequence[Sequence[int]]) -> None:
    """Raise `VerifyError` unless `groups` has a list of dimensions of ``expanded`` for each dimension of
    ``collapsed``, whose extents multiply to its extent. A product with a dynamic factor is dynamic. That the
    dimensions are adjacent is not checked.
    """
    if len(groups) != len(collapsed.shape):
        raise VerifyError(
            f"expected collapsed rank ({len(collapsed.shape)}) to equal the number of reassociation maps "
            f"({len(groups)})"
        )
    for group, extent in zip(groups, collapsed.shape, strict=True):
        product = 1
        for dimension in group:
            if not 0 <= dimension < len(expanded.shape):
                raise VerifyError("reassociation map element out of bounds")
            product = memref_types.times(product, expanded.shape[dimension])
        if product != extent:
            raise VerifyError(
                f"collapsed dim size ({_extent(extent)}) must equal reassociation group size ({_extent(product)})"
            )


def _extent(value: int) -> str:
    return "?" if value == DYNAMIC else str(value)


def check_reshape(op: memref_view.ReshapeOp) -> None:
    """Raise `VerifyError` unless source and result of ``reshape`` have one element type and no layout, and
    the shape has as many elements as a ranked result has dimensions.
    """
    source, shape, result = checked_type(op.source), checked_type(op.shape), checked_type(op.result)
    if source.element_type is not result.element_type:
        raise VerifyError("element types of source and destination memref types should be the same")
    if isinstance(source, MemRefType) and source.layout is not None:
        raise VerifyError("source memref type should have identity affine map")
    if isinstance(result, UnrankedMemRefType):
        return
    if result.layout is not None:
        raise VerifyError("result memref type should have identity affine map")
    if shape.shape[0] == DYNAMIC:
        raise VerifyError(
            "cannot use shape operand with dynamic length to reshape to statically-ranked memref type"
        )
    if shape.shape[0] != len(result.shape):
        raise VerifyError("length of shape operand differs from the result's memref rank")
