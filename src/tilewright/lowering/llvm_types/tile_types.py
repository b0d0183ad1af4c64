"""The LLVM types that represent types of the tile dialects, in tables if possible.

Layouts follow one rule: a mode is a pair of extent and stride, modes stand side by side in a struct, nested
modes are nested structs. Numbers are i32, or i64 if the type says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.common.interfaces import AtomTypeInterface, concept
from tilewright.dialects.cute.layout_types import ComposedLayoutType, LayoutType, TileType
from tilewright.dialects.cute_nvgpu import copy_types, mma_types
from tilewright.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.layouts.trees import Tree, Unknown
from tilewright.lowering.llvm_types.address_spaces import LlvmAddressSpace

EMPTY = LLVMStructType(())
"""The LLVM type of values that have no state at run time."""
TOKEN = builtin_types.i32
PIPELINE_ITERATOR = LLVMStructType((builtin_types.i32, builtin_types.i32))
"""The LLVM type of a pipeline iterator: stage and phase."""
SWIZZLE = LLVMStructType((builtin_types.i32, builtin_types.i32, builtin_types.i32))
"""The LLVM type of a swizzle: bits, base and shift."""

SHARED_POINTER = LLVMPointerType(LlvmAddressSpace.SHARED.value)
GENERIC_POINTER = LLVMPointerType(LlvmAddressSpace.GENERIC.value)

ATOM_STATE: dict[type[Type], LLVMStructType] = {
    copy_types.TmaLoadType: LLVMStructType((GENERIC_POINTER, SHARED_POINTER)),
    copy_types.TmaStoreType: LLVMStructType((GENERIC_POINTER,)),
    copy_types.TmaReduceType: LLVMStructType((GENERIC_POINTER,)),
    mma_types.Sm90MmaType: LLVMStructType((builtin_types.i1,)),
    mma_types.Sm100MmaType: LLVMStructType((builtin_types.i1,)),
}
"""The run-time state of an atom: the descriptor and the barrier of a copy, the accumulate flag of a matrix product.

Atoms that are not listed, and whose base classes are not, have no state.
"""


def tile_payload(shape: Sequence[int], element: Type) -> LLVMStructType:
    """Return the type of a tile by value: a struct of its elements in row-major order; a tile of rank 0 has
    one element.
    """
    count = 1
    for extent in shape:
        count *= extent
    return LLVMStructType((LLVMArrayType(element, count) if shape else element,))


def tiled_view_descriptor(space: int) -> LLVMStructType:
    """Return the LLVM type of a tiled view: a struct of the base address in address space `space`, the
    swizzle encoding, the first tile extent, and the other three extents.
    """
    return LLVMStructType(
        (LLVMPointerType(space), builtin_types.i32, builtin_types.i32, LLVMArrayType(builtin_types.i32, 3))
    )


def partition_descriptor(space: int, rank: int) -> LLVMStructType:
    """Return the LLVM type of a partition view: the descriptor of the tiled view, with a base address in
    address space `space`, and the number of tiles in each of `rank` dimensions.
    """
    return LLVMStructType((tiled_view_descriptor(space), LLVMArrayType(builtin_types.i32, rank)))


def int_tuple_form(tree: Tree) -> Type:
    """Return the LLVM type of an integer tuple: a struct of the types of its members, or, for a leaf, i64 if
    it is an unknown number of 64 bits, else i32.
    """
    if isinstance(tree, tuple):
        return LLVMStructType(tuple(map(int_tuple_form, tree)))
    return builtin_types.i64 if isinstance(tree, Unknown) and tree.width == 64 else builtin_types.i32


def layout_form(shape: Tree, stride: Tree) -> LLVMStructType:
    """Return the type of a layout: a struct that has, for each mode in order, the types of its extent and of
    its stride (`int_tuple_form`), or for a nested mode the struct of that mode. A layout with a single mode
    that is no tuple has one extent and one stride.
    """
    if not isinstance(shape, tuple) or not isinstance(stride, tuple):
        return LLVMStructType((int_tuple_form(shape), int_tuple_form(stride)))
    members: list[Type] = []
    for extent, step in zip(shape, stride, strict=True):
        nested = isinstance(extent, tuple)
        members += [layout_form(extent, step)] if nested else [int_tuple_form(extent), int_tuple_form(step)]
    return LLVMStructType(tuple(members))


def composed_layout_form(layout: ComposedLayoutType) -> LLVMStructType:
    """Return the LLVM type of a composed layout: a struct of the mapping that is applied to the offsets
    (``inner``, a swizzle or layout), the offset ``middle``, and the layout of the coordinates (``outer``).
    """
    inner = layout.inner
    first = layout_form(inner.shape, inner.stride) if isinstance(inner, LayoutType) else SWIZZLE
    outer = layout_form(layout.outer.shape, layout.outer.stride)
    return LLVMStructType((first, int_tuple_form(layout.middle), outer))


def tiler_form(tile: TileType) -> LLVMStructType:
    """Return the type of a tiler: a struct with one layout for each mode; a mode that is not tiled is an
    empty struct.
    """
    forms = [layout_form(m.shape, m.stride) if isinstance(m, LayoutType) else EMPTY for m in tile.modes]
    return LLVMStructType(tuple(forms))


HELD_SINGLY: frozenset[Type] = frozenset({builtin_types.f32, builtin_types.f64, builtin_types.i32})
"""The element types of matrix fragments that take one register for each element."""
PAIR = builtin_types.VectorType((2,), builtin_types.f16)


def fragment_registers(type: builtin_types.VectorType) -> tuple[Type, ...] | None:
    """Return the types of a thread's registers for a fragment of a matrix, a vector of rank 2: the operand
    registers of ``mma.sync``, row by row. Return None for a vector of another rank.

    Elements in `HELD_SINGLY` take a register each. Otherwise a row is a 32-bit register: two f16 elements are
    a vector, elements of other short types are packed in an i32.
    """
    if len(type.shape) != 2:
        return None
    rows, columns = type.shape
    if type.element_type in HELD_SINGLY:
        return (type.element_type,) * (rows * columns)
    return (PAIR if type.element_type is builtin_types.f16 else builtin_types.i32,) * rows


def is_atom(type: Type) -> bool:
    """Return whether a type is an atom: a copy, matrix or prefetch instruction of `cute`."""
    return concept(type, AtomTypeInterface) is not None


def atom_form(type_class: type[Type]) -> LLVMStructType:
    """Return the LLVM type of the run-time state of an atom of the class `type_class`: an empty struct if it
    has no state.
    """
    return next((ATOM_STATE[base] for base in type_class.__mro__ if base in ATOM_STATE), EMPTY)
