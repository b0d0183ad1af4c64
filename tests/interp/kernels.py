"""Small kernels made with the op classes: build, verify, interpret."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile.enums import (
    MemoryOrderingSemantics,
    MemoryScope,
    RoundingMode,
)
from tilewright.dialects.cuda_tile.ops import (
    control as ops_control,
    integer as ops_integer,
    memory as ops_memory,
    tile as ops_tile,
    view as ops_view,
)
from tilewright.dialects.cuda_tile.types import (
    PartitionViewType,
    PointerType,
    TensorViewType,
    TileType,
    tile,
)
from tilewright.interp.launch import LaunchReport, LoadedModule
from tilewright.interp.values import InterpretOptions
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import dense
from tilewright.ir.builtin_types import FunctionType, i32
from tilewright.ir.location import FileLineColLocation
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ir.verifier import verify_or_raise

WEAK = MemoryOrderingSemantics.WEAK
RELAXED = MemoryOrderingSemantics.RELAXED
ACQUIRE = MemoryOrderingSemantics.ACQUIRE
RELEASE = MemoryOrderingSemantics.RELEASE
DEVICE = MemoryScope.DEVICE
EVEN = RoundingMode.NEAREST_EVEN
SIGNED, UNSIGNED = ops_integer.Signedness.SIGNED, ops_integer.Signedness.UNSIGNED


def pointer(element: Type) -> TileType:
    """The type of a pointer parameter."""
    return tile(PointerType(element))


class Kernel:
    """A kernel under construction; ``add`` puts an operation at the end of the innermost open block."""

    def __init__(self, *parameters: Type, globals_: Sequence[Operation] = ()) -> None:
        self.entry_block = Block(parameters)
        self.blocks = [self.entry_block]
        self.globals = list(globals_)
        self.arguments: list[Value] = list(self.entry_block.arguments)
        self.output = ""
        self.loaded: LoadedModule | None = None

    def add(self, op: Operation) -> Any:
        """Append; answers the only result, or the operation."""
        op.location = FileLineColLocation.at("kernel.py", sum(1 for _ in self.entry_block.ops) + 1, 1)
        self.blocks[-1].append(op)
        return op.results[0] if len(op.results) == 1 else op

    def open(self, block: Block) -> Block:
        self.blocks.append(block)
        return block

    def close(self) -> Region:
        return Region([self.blocks.pop()])

    def constant(self, values: Any, type_: TileType) -> Value:
        given = list(values) if isinstance(values, list | tuple) else [values]
        return self.add(ops_tile.ConstantOp(value=dense(type_, given), result_types=[type_]))

    def i32(self, value: int) -> Value:
        return self.constant(value, tile(i32))

    def iota(self, count: int) -> Value:
        return self.add(ops_tile.IotaOp(result_types=[tile(count, i32)]))

    def block_id(self) -> Value:
        return self.add(ops_control.GetTileBlockIdOp()).results[0]

    def splat(self, scalar: Value, *shape: int) -> Value:
        element = scalar.type.element_type
        ones = tile(*[1] * len(shape), element)
        shaped = self.add(ops_tile.ReshapeOp(scalar, result_types=[ones]))
        return self.add(ops_tile.BroadcastOp(shaped, result_types=[tile(*shape, element)]))

    def pointers(self, base: Value, offsets: Value) -> Value:
        return self.add(ops_tile.OffsetOp(self.splat(base, *offsets.type.shape), offsets))

    def load(
        self, pointers: Value, mask: Any = None, padding: Any = None, token: Any = None, **order: Any
    ) -> Any:
        given = {"memory_ordering_semantics": WEAK, **order}
        element = pointers.type.element_type.pointee
        result = tile(*pointers.type.shape, element)
        return self.add(
            ops_memory.LoadPtrTkoOp(
                source=pointers,
                mask=mask,
                padding_value=padding,
                token=token,
                result_types=[result, ops_memory.TOKEN_TYPE.types[0]],
                **given,
            )
        )

    def store(
        self, pointers: Value, value: Value, mask: Any = None, token: Any = None, **order: Any
    ) -> Value:
        given = {"memory_ordering_semantics": WEAK, **order}
        return self.add(
            ops_memory.StorePtrTkoOp(destination=pointers, value=value, mask=mask, token=token, **given)
        )

    def store_all(self, base: Value, value: Value, token: Any = None) -> Value:
        """Store a rank-1 tile to consecutive elements."""
        return self.store(self.pointers(base, self.iota(value.type.shape[0])), value, token=token)

    def load_all(self, base: Value, count: int) -> Value:
        return self.load(self.pointers(base, self.iota(count))).results[0]

    def partition(
        self,
        base: Value,
        shape: Sequence[int],
        tile_shape: Sequence[int],
        *,
        strides: Any = None,
        **more: Any,
    ) -> Value:
        """A partition view over a static tensor."""
        return self.view(
            base,
            shape,
            lambda tensor: PartitionViewType(
                tuple(tile_shape), tensor, more.get("dim_map", tuple(range(len(shape)))), more.get("padding")
            ),
            ops_view.MakePartitionViewOp,
            strides,
        )

    def view(self, base: Value, shape: Sequence[int], make: Any, op_class: Any, strides: Any = None) -> Value:
        element = base.type.element_type.pointee
        tensor_type = TensorViewType(tuple(shape), element, tuple(strides or contiguous(shape)))
        tensor = self.add(ops_view.MakeTensorViewOp(base, result_types=[tensor_type]))
        return self.add(op_class(tensor, result_types=[make(tensor_type)]))

    def load_view(self, view: Value, *index: Value, token: Any = None, **more: Any) -> Any:
        given = {"memory_ordering_semantics": WEAK, **more}
        result = [view.type.tile_type, ops_memory.TOKEN_TYPE.types[0]]
        op = ops_memory.LoadViewTkoOp(view=view, index=index, token=token, result_types=result, **given)
        return self.add(with_inbounds(op, len(index)))

    def store_view(self, view: Value, value: Value, *index: Value, token: Any = None, **more: Any) -> Value:
        given = {"memory_ordering_semantics": WEAK, **more}
        op = ops_memory.StoreViewTkoOp(tile=value, view=view, index=index, token=token, **given)
        return self.add(with_inbounds(op, len(index)))

    def for_loop(self, lower: Value, upper: Value, step: Value, *init: Value, unsigned: bool = False) -> Any:
        """Open the body; close it with `end_for`."""
        self.pending = lower, upper, step, init, unsigned
        return self.open(Block([lower.type, *(value.type for value in init)]))

    def end_for(self, header: Any, *carried: Value) -> Operation:
        lower, upper, step, init, unsigned = header
        self.add(ops_control.ContinueOp(operands_=carried))
        body = self.close()
        op = ops_control.ForOp(
            lower,
            upper,
            step,
            init_values=init,
            unsigned_cmp=unsigned,
            body=body,
            result_types=[value.type for value in init],
        )
        self.add(op)
        return op

    def module(self) -> Operation:
        """Finish and verify."""
        self.add(ops_control.ReturnOp(operands_=()))
        signature = FunctionType(tuple(a.type for a in self.entry_block.arguments), ())
        entry = ops_control.EntryOp(sym_name="k", function_type=signature, body=Region([self.entry_block]))
        top = Block()
        for op in (*self.globals, entry):
            top.append(op)
        module = ops_control.ModuleOp(sym_name="m", body=Region([top]))
        verify_or_raise(module)
        return module

    def run(self, *args: Any, grid: tuple[int, int, int] = (1, 1, 1), **options: Any) -> LaunchReport:
        """Interpret; what is printed goes to ``output``."""
        if self.loaded is None:
            self.loaded = LoadedModule(self.module())
        sink = io.StringIO()
        try:
            return self.loaded.begin("k", grid, args, InterpretOptions(**options), sink).run()
        finally:
            self.output = sink.getvalue()


def contiguous(shape: Sequence[int]) -> tuple[int, ...]:
    strides = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * shape[axis + 1]
    return tuple(strides)


def with_inbounds(op: Any, rank: int) -> Any:
    if op.inbounds is None:
        op.inbounds = (False,) * rank
    return op
