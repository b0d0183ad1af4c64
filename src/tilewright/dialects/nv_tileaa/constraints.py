"""Type constraints of the tile dialects. A tile is a ranked tensor with static extents, or a scalar."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from tilewright.dialects.common import constraints
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.dialects.nv_tileaa import attributes as tileaa_attributes, types as tileaa_types
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.declaration import attribute_kind
from tilewright.ir.declaration.constraint import IsClass, OneOf, Satisfies
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import hints_follow_from
from tilewright.ir.value import Value


def is_tile(type: Type) -> bool:
    """Return whether a type is a tile: a ranked tensor without unknown extents."""
    return isinstance(type, builtin_types.RankedTensorType) and builtin_types.DYNAMIC not in type.shape


def element_of(type: Type) -> Type:
    """Return the element type of a tile; any other type is returned unchanged."""
    return type.element_type if isinstance(type, builtin_types.RankedTensorType) else type


def shape_of(type: Type) -> tuple[int, ...]:
    """Return the extents of a tile; an empty tuple for a scalar."""
    return type.shape if isinstance(type, builtin_types.RankedTensorType) else ()


def is_pointer(type: Type) -> bool:
    """Return whether a type is a pointer, an `nv_tileaa.ptr` or an `llvm.ptr`. Tiles of pointers are not
    pointers.
    """
    return isinstance(type, tileaa_types.PtrType | LLVMPointerType)


def is_number(type: Type) -> bool:
    """Return whether a type is a signless integer, an index or a float."""
    return constraints.is_signless_integer_or_index(type) or constraints.is_float(type)


class TileLike(Satisfies):
    """The constraint for a scalar that passes the test `scalar`, or a tile of static extents of such
    elements. `description` names the scalars in messages.
    """

    def __init__(self, scalar: Callable[[Type], bool], description: str) -> None:
        def matches(type: Type) -> bool:
            return scalar(
                type.element_type if isinstance(type, builtin_types.RankedTensorType) else type
            ) and (not isinstance(type, builtin_types.RankedTensorType) or is_tile(type))

        super().__init__(matches, f"{description} or tile of {description} values")


TILE = Satisfies(is_tile, "ranked tensor of static shape")
POINTER = Satisfies(is_pointer, "pointer")
POINTER_LIKE = TileLike(is_pointer, "pointer")
INTEGER_LIKE = TileLike(constraints.is_signless_integer_or_index, "signless integer or index")
FIXED_INTEGER_LIKE = TileLike(constraints.is_signless_integer, "signless integer")
FLOAT_LIKE = TileLike(constraints.is_float, "floating-point")
NUMBER_LIKE = TileLike(is_number, "number")
ELEMENT_LIKE = TileLike(lambda type: is_number(type) or is_pointer(type), "number or pointer")
ELEMENT = Satisfies(lambda type: is_number(type) or is_pointer(type), "number or pointer")
MASK = TileLike(lambda type: type is builtin_types.i1, "1-bit signless integer")
INDEX = Satisfies(constraints.is_signless_integer_or_index, "signless integer or index")
I1 = OneOf((builtin_types.i1,), "1-bit signless integer")
I32 = OneOf((builtin_types.i32,), "32-bit signless integer")
MEMREF = IsClass(tileaa_types.TileMemRefType, "memory object")
VIEW = IsClass(tileaa_types.TiledViewType, "tiled view")
BASE = Satisfies(
    lambda type: isinstance(type, tileaa_types.TileMemRefType) or is_pointer(element_of(type)),
    "memory object, pointer or tile of pointers",
)
TOKEN = IsClass(tileaa_types.MemTokenType, "memory token")
PROGRAM_ID = IsClass(tileaa_types.ProgramIdType, "program id")
QUEUE = IsClass(tileaa_types.QueueType, "queue")

CACHE_MODIFIER = attribute_kind.EnumKind(tileaa_attributes.CacheModifierAttr)
EVICTION_POLICY = attribute_kind.EnumKind(tileaa_attributes.EvictionPolicyAttr)
MEM_SEMANTIC = attribute_kind.EnumKind(tileaa_attributes.MemSemanticAttr)
MEM_SCOPE = attribute_kind.EnumKind(tileaa_attributes.MemScopeAttr)
RMW_MODE = attribute_kind.EnumKind(tileaa_attributes.RmwModeAttr)
ROUNDING_MODE = attribute_kind.EnumKind(tileaa_attributes.RoundingModeAttr)
PROPAGATE_NAN = attribute_kind.EnumKind(tileaa_attributes.PropagateNanAttr)
SIGNEDNESS = attribute_kind.EnumKind(tileaa_attributes.SignednessAttr)
PADDING_VALUE = attribute_kind.EnumKind(tileaa_attributes.PaddingValueAttr)
EXTENTS = attribute_kind.DenseArrayKind(builtin_types.i64)
DIMENSION_GROUPS = attribute_kind.ArrayKind(EXTENTS)
FLAGS = attribute_kind.DenseArrayKind(builtin_types.i1)
AXIS = attribute_kind.IntegerKind(builtin_types.i32, minimum=0)
COUNT = attribute_kind.IntegerKind(builtin_types.i32, minimum=0)
TRAFFIC_LEVEL = attribute_kind.IntegerKind(builtin_types.i32, minimum=1)
TEXT = attribute_kind.StringKind()
CHECKS_OF_ACCESSES = ("memcheck", "racecheck")
"""Run-time checks of single memory accesses, which back ends compile into the access."""
ACCESS_CHECKS = attribute_kind.ArrayKind(attribute_kind.NameKind(*CHECKS_OF_ACCESSES))


def bits_in_memory(type: Type) -> int:
    """Return the bits that an element of `type` takes in memory: 32 for a tf32, whose low bits are zero, and
    `bits_of(type)` for other types.
    """
    return builtin_types.f32.width if element_of(type) is builtin_types.tf32 else bits_of(type)


def have_same_bits_in_memory(source: Type, target: Type) -> bool:
    """Return whether elements of both types take the same number of bits in memory, and more than 0."""
    return bits_in_memory(source) == bits_in_memory(target) > 0


def bits_of(type: Type) -> int:
    """Return the bits of an integer or a float, or of an element of a tile of these; 0 for other types, such
    as index and pointers.
    """
    element = element_of(type)
    return element.width if isinstance(element, builtin_types.IntegerType | builtin_types.FloatType) else 0


class TileDialectOp(Operation):
    """The base of the operations of `nv_tileaa` and `nv_tileas`."""

    concepts: ClassVar[tuple[type[Any], ...]] = ()
    """The classes that implement the operation's interfaces."""
    result_names: ClassVar[tuple[str, ...]] = ()
    """The names of the results in text, in order; without them results are numbered."""

    @hints_follow_from("fields")
    def result_name_hints(self) -> Sequence[str | None]:
        """Return the names in `result_names` for the results that exist; none for further results."""
        return self.result_names[: len(self.results)]


class SameTypeResultOp(TileDialectOp):
    """The base of operations of the tile dialects whose results have the type of the first operand."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [operands[0].type] * len(cls.op_kind.results)
