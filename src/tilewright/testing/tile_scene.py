"""The scene of Tile IR samplers: a module with one entry, and a pool of values that later operations use.

Values come from the pool, from entry parameters, from constants, or from a small chain of operations that produces
the type asked for.  Pointers handed out are *safe*: at least `BUFFER_ELEMENTS` - 64 elements stand behind them
provided that many stand behind each pointer parameter; and constants asked for with bounds keep them.  What
samplers make of them may therefore be executed.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, TypeVar

from tilewright.dialects.cuda_tile import types as cuda_tile_types, version as cuda_tile_version
from tilewright.dialects.cuda_tile.availability import CLASS_SINCE
from tilewright.dialects.cuda_tile.constraints import PointerTile, TileOf
from tilewright.dialects.cuda_tile.ops import memory as memory_ops, view as view_ops
from tilewright.dialects.cuda_tile.ops.control import EntryOp, GetGlobalOp, ModuleOp, ReturnOp
from tilewright.dialects.cuda_tile.ops.conversion import IntToPtrOp, PtrToPtrOp, TruncIOp
from tilewright.dialects.cuda_tile.ops.tile import BroadcastOp, ConstantOp, OffsetOp, ReshapeOp
from tilewright.dialects.cuda_tile.syntax.value_names import compressed
from tilewright.ir import block as ir_block, builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import DenseElementsAttr, TypeAttr, dense
from tilewright.ir.declaration.constraint import AnyTypeConstraint, Constraint, IsClass, OneOf
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.testing import attributes as testing_attributes, tile_producers, tile_types
from tilewright.testing.drawing import RandomChoices
from tilewright.testing.scene import Scene, TypeSampler
from tilewright.testing.tile_types import MAXIMUM_ELEMENTS, MAXIMUM_EXTENT, MAXIMUM_STRIDE

_Op = TypeVar("_Op", bound=Operation)
MAXIMUM_OFFSET = 63
UNSAFE_POINTERS = (OffsetOp, IntToPtrOp, PtrToPtrOp, memory_ops.AllocaOp, GetGlobalOp)
"""Operations whose resulting pointers may point outside of a buffer, and are not used for accesses."""
VIEW_MAKERS: dict[type[Type], type[Operation]] = {
    cuda_tile_types.PartitionViewType: view_ops.MakePartitionViewOp,
    cuda_tile_types.StridedViewType: view_ops.MakeStridedViewOp,
    cuda_tile_types.GatherScatterViewType: view_ops.MakeGatherScatterViewOp,
}
_Pool = dict[Type, list[Value]]


class TileScene(Scene):
    """A module under construction; `block` is the block that the next operation is appended to."""

    type_samplers: ClassVar[Mapping[type[Constraint], TypeSampler]] = {
        TileOf: tile_types.sample_tile_of,
        PointerTile: tile_types.sample_pointer_tile,
        OneOf: tile_types.sample_one_of,
        IsClass: tile_types.sample_class,
        AnyTypeConstraint: tile_types.sample_any,
    }

    def __init__(
        self,
        drawing: RandomChoices,
        version: cuda_tile_version.Version = cuda_tile_version.LATEST,
        *,
        name: str = "kernels",
        largest: int = MAXIMUM_ELEMENTS,
        past_edges: bool = False,
    ) -> None:
        self.entry_block = ir_block.Block()
        super().__init__(drawing, self.entry_block, version)
        self.largest = largest
        """The maximum number of elements of a tile."""
        self.past_edges = past_edges
        """Whether indices of tiles may be past the end of their dimension, or depend on the tile block's
        index in the grid.
        """
        self.pools: list[_Pool] = [{}]
        self.pure = False
        """Whether the current block is in the body of a `reduce` or `scan`, where only operations without
        memory effects are valid.
        """
        self.returnable = True
        """Whether a `return` is valid in the current block: it must not leave a `for`."""
        self.module_block = ir_block.Block()
        self.module = construct(ModuleOp, name, body=ir_block.Region([self.module_block]))
        self.entry_count = 0
        self.entry = self._start_entry()

    def _start_entry(self) -> EntryOp:
        region = ir_block.Region([self.entry_block])
        entry = construct(EntryOp, f"k{self.entry_count}", builtin_types.FunctionType(), body=region)
        self.module_block.append(entry)
        return entry

    def next_entry(self) -> None:
        """Finish the entry and start another one."""
        self.finish_entry()
        self.entry_count += 1
        self.entry_block = self.block = ir_block.Block()
        self.pools = [{}]
        self.entry = self._start_entry()

    def finish_entry(self) -> EntryOp:
        """End the entry's block with a `return` unless it has a terminator, give the entry the type of its
        parameters, and return it.
        """
        if self.entry_block.terminator is None:
            self.entry_block.append(construct(ReturnOp))
        inputs = tuple(argument.type for argument in self.entry_block.arguments)
        self.entry.attributes["function_type"] = TypeAttr(builtin_types.FunctionType(inputs, ()))
        return self.entry

    def supports_class(self, type_class: type[Type]) -> bool:
        """Return whether a type class exists in this version."""
        return self.has(CLASS_SINCE.get(type_class))

    # the pool -----------------------------------------------------------------------------------------------------

    @property
    def depth(self) -> int:
        """Return the number of regions around the current block, inside of the kernel."""
        return len(self.pools) - 1

    def add(self, op: _Op) -> _Op:
        self.block.append(op)
        unsafe = isinstance(op, UNSAFE_POINTERS)
        for result in op.results:
            if not (unsafe and _is_pointer(result.type)):
                self.remember(result)
        return op

    def remember(self, value: Value) -> None:
        """Add a value to the pool of values that later operations may use."""
        self.pools[-1].setdefault(value.type, []).append(value)

    def known(self, type: Type) -> list[Value]:
        """Return the values of a type in the pool."""
        return [value for pool in self.pools for value in pool.get(type, ())]

    def known_types(self, constraint: Constraint, shape: tuple[int, ...] | None = None) -> list[Type]:
        """Return the types of values in the pool that satisfy a constraint, and have the shape `shape` if it
        is given.
        """
        seen = dict.fromkeys(type for pool in self.pools for type in pool)
        return [
            type
            for type in seen
            if constraint.matches(type) and (shape is None or getattr(type, "shape", None) == shape)
        ]

    @contextmanager
    def nested(self, argument_types: Sequence[Type] = ()) -> Generator[ir_block.Block]:
        """Add operations to a new block within the ``with`` block, which is given the new block; its values
        leave the pool afterwards. The block has arguments of the given types.
        """
        outer, block = self.block, ir_block.Block(argument_types)
        self.block = block
        self.pools.append({})
        for argument in block.arguments:
            self.remember(argument)
        yield block
        self.pools.pop()
        self.block = outer

    # values -------------------------------------------------------------------------------------------------------

    def value(self, type: Type) -> Value:
        known = self.known(type)
        if known and not self.drawing.chance(3):
            return self.choose(known)
        return self.fresh(type)

    def fresh(self, type_: Type) -> Value:
        """Return a value of the type `type_` that need not be in the pool: a tile, a token or a view.
        Operations that produce it are added to the block, or it is a parameter of the entry. Raises
        `TypeError` for any other type.
        """
        if isinstance(type_, cuda_tile_types.TileType):
            made = tile_producers.produced(self, type_) if not self.pure and self.drawing.chance(3) else None
            return made or self._fresh_tile(type_)
        if isinstance(type_, cuda_tile_types.TokenType):
            return self.create(memory_ops.MakeTokenOp).result
        if isinstance(type_, cuda_tile_types.TensorViewType):
            return self.tensor_view(type_)
        if isinstance(type_, cuda_tile_types.TileViewType):
            maker = self.create(VIEW_MAKERS[type(type_)], self.value(type_.tensor), result_types=[type_])
            return maker.results[0]
        raise TypeError(f"no values of type {type_} can be made")

    def _fresh_tile(self, type: cuda_tile_types.TileType) -> Value:
        if isinstance(type.element_type, cuda_tile_types.PointerType):
            return self.parameter(type) if not type.shape else self._pointers(type)
        if type.element_type is builtin_types.i4:
            wide = self.constant(type.with_element_type(builtin_types.i8))
            return self.create(TruncIOp, wide, result_types=[type]).to
        if not self.drawing.chance(4) or type.element_type is builtin_types.f4E2M1FN:
            return self.constant(type)
        return self.stretched(self.parameter(cuda_tile_types.TileType((), type.element_type)), type)

    def _pointers(self, type: cuda_tile_types.TileType) -> Value:
        base = self.stretched(self.value(cuda_tile_types.TileType((), type.element_type)), type)
        offsets = self.offsets(
            cuda_tile_types.TileType(
                type.shape, self.choose((builtin_types.i32, builtin_types.i64, builtin_types.i8))
            ),
            type.element_type,
        )
        moved = self.create(OffsetOp, base, offsets).result
        self.remember(moved)
        return moved

    def stretched(self, scalar: Value, type: cuda_tile_types.TileType) -> Value:
        """Return a tile of type `type` whose elements are all the rank-0 value `scalar`."""
        if not type.shape:
            return scalar
        ones = cuda_tile_types.TileType((1,) * len(type.shape), type.element_type)
        thin = self.create(ReshapeOp, scalar, result_types=[ones]).result
        return thin if thin.type is type else self.create(BroadcastOp, thin, result_types=[type]).result

    def parameter(self, type: cuda_tile_types.TileType) -> Value:
        """Return an entry parameter of the type: an existing one, or a new one."""
        known = [argument for argument in self.entry_block.arguments if argument.type is type]
        if known and not self.drawing.chance(3):
            return self.choose(known)
        argument = self.entry_block.add_argument(type)
        self.pools[0].setdefault(type, []).append(argument)
        return argument

    def constant(self, type: cuda_tile_types.TileType, data: DenseElementsAttr | None = None) -> Value:
        """Add a constant tile of the type `type`, with the elements `data`, or arbitrary bits if None, and
        return its value.
        """
        elements = compressed(data or testing_attributes.draw_elements(self, type))
        return self.create(ConstantOp, elements, result_types=[type]).result

    def bounded(self, type: cuda_tile_types.TileType, low: int, high: int) -> Value:
        """Return a constant tile of integers (or integral floats) from ``low`` to ``high``, both included:
        one number for all elements, or one for each.
        """
        count = type.element_count if self.boolean() else 1
        values = [self.integer(low, high) for _ in range(count)]
        return self.constant(type, dense(type, values))

    def offsets(self, type: cuda_tile_types.TileType, pointer: Type) -> Value:
        """Return a constant tile of element offsets, from 0 to `MAXIMUM_OFFSET` (0 for i1), for pointers of
        the type `pointer`. They are even for f4: two f4 share a byte, and only the first has an address.
        """
        step = (
            2
            if isinstance(pointer, cuda_tile_types.PointerType) and pointer.pointee is builtin_types.f4E2M1FN
            else 1
        )
        high = 0 if type.element_type is builtin_types.i1 else MAXIMUM_OFFSET // step
        count = type.element_count if self.boolean() else 1
        return self.constant(type, dense(type, [step * self.integer(0, high) for _ in range(count)]))

    def scalar(self, element: Type, low: int, high: int) -> Value:
        """Add a rank-0 constant of the type `element`, drawn from `low` to `high`, both included, and return
        its value.
        """
        return self.bounded(cuda_tile_types.TileType((), element), low, high)

    def tensor_view(self, type: cuda_tile_types.TensorViewType) -> Value:
        """Return a tensor view over a safe pointer; dynamic extents and strides keep it inside the buffer."""
        base = self.value(
            cuda_tile_types.TileType((), cuda_tile_types.PointerType(type.element_type, type.attribute))
        )
        element = self.choose(cuda_tile_types.INTEGERS)
        longest, widest = (1, 1) if element is builtin_types.i1 else (MAXIMUM_EXTENT, MAXIMUM_STRIDE)
        shape = [self.scalar(element, 1, longest) for extent in type.shape if extent == builtin_types.DYNAMIC]
        strides = [
            self.scalar(element, 1, widest) for stride in type.strides if stride == builtin_types.DYNAMIC
        ]
        return self.create(view_ops.MakeTensorViewOp, base, shape, strides, result_types=[type]).result


def construct(op_class: Callable[..., _Op], *arguments: Any, **named: Any) -> _Op:
    """Return a new operation that is in no block."""
    return op_class(*arguments, **named)


def _is_pointer(type: Type) -> bool:
    return isinstance(type, cuda_tile_types.TileType) and isinstance(
        type.element_type, cuda_tile_types.PointerType
    )


def extents(view: Value) -> tuple[int, ...]:
    """Return the extents of the tensor of a view or tensor view of a scene. A dynamic extent has the value of
    the constant that was passed for it.
    """
    maker: Any = view.owner
    while not isinstance(maker, view_ops.MakeTensorViewOp):
        maker = maker.operands[0].owner
    dynamic = iter(maker.dynamic_shape)
    view_type: Any = maker.result.type
    shape: tuple[int, ...] = view_type.shape
    return tuple(
        _known_integer(next(dynamic)) if extent == builtin_types.DYNAMIC else extent for extent in shape
    )


def _known_integer(value: Value) -> int:
    constant: Any = value.owner
    return constant.value.patterns()[0]
