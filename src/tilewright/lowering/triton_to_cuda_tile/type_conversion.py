"""The one type converter of the conversion from `tt` to `cuda_tile`.

| type | what becomes of it |
|---|---|
| number | tile of rank 0 |
| tensor | tile of the same extents |
| pointer | `ptr` to the same element; to `i8` for `i1` |
| tensor descriptor | a pointer, the extents, the strides (64 bits each) and the bit that asks for NaN outside |
"""

from __future__ import annotations

from tilewright.dialects.cuda_tile.types import ELEMENTS, POINTEES, PointerType, TileType
from tilewright.dialects.tt.types import PtrType, TensorDescType
from tilewright.ir import builtin_types, context as ir_context, uniquer
from tilewright.ir.attribute import Type
from tilewright.rewrite.conversion.bridges import cast_materialization
from tilewright.rewrite.conversion.type_converter import REFUSED, Converted, TypeConverter, claim


class TritonTypeConverter(TypeConverter):
    """Converts types of Triton to `cuda_tile`: numbers and pointers to tiles of rank 0, tensors to tiles of
    the same extents, a tensor descriptor to several tiles (pointer, extents, strides and a flag), and
    function types by their parts. Types of `cuda_tile` stay, and all others are refused. Constructing it
    claims it for the pass that runs: a second converter in the same pass is an error.
    """

    def __init__(self, context: ir_context.Context) -> None:
        super().__init__()
        claim(self)
        self.add_conversion(builtin_types.RankedTensorType, tensor_form)
        self.add_conversion(builtin_types.IntegerType, number_form)
        self.add_conversion(builtin_types.FloatType, number_form)
        self.add_conversion(PtrType, lambda type: TileType((), pointer_form(type)))
        self.add_conversion(TensorDescType, descriptor_form)
        self.add_conversion(builtin_types.FunctionType, self.function_form)
        self.add_conversion(Type, lambda type: type if type.name.startswith("cuda_tile.") else REFUSED)
        bridge = cast_materialization(context)
        self.add_source_materialization(bridge)
        self.add_target_materialization(bridge)


def pointee_form(pointee: Type) -> Type:
    """Return the type of an element in memory: i8 for i1, and a signless integer for every other integer.
    Other types are unchanged.
    """
    if isinstance(pointee, builtin_types.IntegerType):
        return builtin_types.i8 if pointee.width == 1 else builtin_types.IntegerType(pointee.width)
    return pointee


def pointer_form(type: PtrType) -> PointerType:
    """Return the converted pointer type, which always points to global memory.

    Raises `InvalidParameters` for a pointee that no tile can contain.
    """
    return PointerType(pointee_form(type.pointee))


def element_form(element: Type) -> Type:
    """Return the element type of a tile for a tensor's element type: pointers are converted, other types are
    kept. Raises `InvalidParameters` for a pointer whose pointee no tile can contain.
    """
    return pointer_form(element) if isinstance(element, PtrType) else element


def number_form(type: Type) -> Converted:
    """Return the tile of rank 0 that represents a number; `REFUSED` if tiles have no such element type."""
    return TileType((), type) if type in ELEMENTS else REFUSED


def tensor_form(type: builtin_types.RankedTensorType) -> Converted:
    """Return the tile type with the extents of a tensor; `REFUSED` for extents or elements that tiles cannot
    have.
    """
    try:
        return TileType(tuple(type.shape), element_form(type.element_type))
    except uniquer.InvalidParameters:
        return REFUSED


def descriptor_form(type: TensorDescType) -> Converted:
    """Return the types of the values that represent a descriptor, in the order of `DescriptorParts`;
    `REFUSED` if no pointer of Tile IR can point to its elements.
    """
    element = pointee_form(type.element_type)
    if element not in POINTEES:
        return REFUSED
    base = TileType((), PointerType(element))
    return (base, *[TileType((), builtin_types.i64)] * (2 * len(type.shape)), TileType((), builtin_types.i1))


def refusal(type: Type) -> str | None:
    """Return the reason why a type has no counterpart in Tile IR, for a message; None if it has one."""
    if isinstance(type, TensorDescType):
        is_known = descriptor_form(type) is not REFUSED
        return None if is_known else f"Tile IR has no pointer to {type.element_type}"
    element = type.element_type if isinstance(type, builtin_types.RankedTensorType) else type
    try:
        plain = element_form(element)
        if plain not in ELEMENTS and not isinstance(plain, PointerType):
            return f"Tile IR has no element type {element}"
        if isinstance(type, builtin_types.RankedTensorType):
            TileType(tuple(type.shape), plain)
    except uniquer.InvalidParameters as error:
        return str(error)
    return None
