"""Small kernels of `nv_tileaa` on the CPU: build them with the op classes, compile, run on NumPy arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any

import llvmlite.binding as llvm
import ml_dtypes
import numpy as np

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.builtin.dialect import ModuleOp
from tilewright.dialects.nv_tileaa.attributes import KernelSpecAttr, PaddingValue
from tilewright.dialects.nv_tileaa.ops import (
    memory as ops_memory,
    pointer as ops_pointer,
    program as ops_program,
    shape as ops_shape,
    structure as ops_structure,
)
from tilewright.dialects.nv_tileaa.types import MEM_TOKEN, PtrType, TiledViewType, TileMemRefType
from tilewright.driver.startup import context
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import IntegerAttr, dense
from tilewright.ir.builtin_types import (
    FunctionType,
    RankedTensorType,
    bf16,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.value import Value
from tilewright.ir.verifier import verify
from tilewright.lowering.tileaa_to_tileas.bodies import ConvertTileAABodies
from tilewright.passes.manager import PassManager
from tilewright.runtime.context import CALLBACK, CONTEXT_BYTES, REPORT, REPORT_BLOCK
from tilewright.targets.cpu.kernel.kernel import EmittedKernel as Compiled, emit_module
from tilewright.targets.cpu.machine.target import CpuTarget
from tilewright.targets.llvm import translate

ELEMENTS: dict[Any, Type] = {
    np.dtype(np.bool_): i1,
    np.dtype(np.int8): i8,
    np.dtype(np.int16): i16,
    np.dtype(np.int32): i32,
    np.dtype(np.int64): i64,
    np.dtype(np.float16): f16,
    np.dtype(ml_dtypes.bfloat16): bf16,
    np.dtype(np.float32): f32,
    np.dtype(np.float64): f64,
}
"""Element types of NumPy arrays."""
CALLBACK_TYPE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)


def tensor(shape: Sequence[int], element: Type) -> RankedTensorType:
    return RankedTensorType(tuple(shape), element)


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    return tuple(int(np.prod(shape[at + 1 :])) for at in range(len(shape)))


class Kernel:
    """A kernel under construction, over arrays that are given at once."""

    def __init__(self, *arrays: np.ndarray | int, **more: Any) -> None:
        self.arrays = arrays
        types: list[Type] = [
            i32 if isinstance(array, int) else PtrType(ELEMENTS[array.dtype], 1) for array in arrays
        ]
        self.block = Block(types)
        self.blocks = [self.block]
        self.globals: list[Operation] = more.get("globals_", [])
        self.arguments: list[Any] = list(self.block.arguments)
        self.token = self.add(ops_memory.CreateMemTokenOp(result_types=[MEM_TOKEN]))

    def add(self, op: Operation) -> Any:
        """Append; answers the only result, or the operation."""
        self.blocks[-1].append(op)
        return op.results[0] if len(op.results) == 1 else op

    def number(self, value: int, element: Type = i32) -> Value:
        return self.add(ConstantOp(IntegerAttr(element, value), result_types=[element]))

    def constant(self, array: np.ndarray, element: Type | None = None) -> Value:
        type = tensor(array.shape, element or ELEMENTS[array.dtype])
        return self.add(ConstantOp(dense(type, array.ravel().tolist()), result_types=[type]))

    def view(self, at: int, tile: Sequence[int] | None = None) -> Value:
        array: Any = self.arrays[at]
        memory = TileMemRefType(array.shape, ELEMENTS[array.dtype], row_major(array.shape))
        made = self.add(ops_structure.MakeMemrefOp(self.arguments[at], result_types=[memory]))
        sizes = tuple(tile or array.shape)
        groups = tuple((axis,) for axis in range(len(sizes)))
        return self.add(
            ops_structure.BlockTileOp(made, sizes, groups, result_types=[TiledViewType(memory, sizes)])
        )

    def load(
        self, at: int, tile: Sequence[int] | None = None, coords: Sequence[Value] | None = None
    ) -> Value:
        """A tile of an array, the whole of it unless said otherwise."""
        array: Any = self.arrays[at]
        shape = tuple(tile or array.shape)
        type = tensor(shape, ELEMENTS[array.dtype])
        places = coords or [self.number(0) for _ in shape]
        inside = shape == array.shape
        op = ops_memory.TiledLoadOp(
            self.view(at, shape),
            places,
            self.token,
            in_bounds=None if inside else (False,) * len(shape),
            padding_value=None if inside else PaddingValue.ZERO,
            result_types=[type, MEM_TOKEN],
        )
        return self.add(op).results[0]

    def store(self, at: int, value: Value, coords: Sequence[Value] | None = None) -> None:
        """Store a tile; its shape divides that of the array."""
        shape: Any = value.type.shape
        places = coords or [self.number(0) for _ in shape]
        self.add(
            ops_memory.TiledStoreOp(self.view(at, shape), value, places, self.token, result_types=[MEM_TOKEN])
        )

    def range(self, count: int, element: Type = i32) -> Value:
        lower, upper = self.number(0, element), self.number(count, element)
        return self.add(ops_structure.MakeRangeOp(lower, upper, result_types=[tensor((count,), element)]))

    def splat(self, scalar: Value, *shape: int) -> Value:
        return self.add(ops_structure.SplatOp(scalar, result_types=[tensor(shape, scalar.type)]))

    def pointers(self, at: int, offsets: Value) -> Value:
        base = self.splat(self.arguments[at], *offsets.type.shape)
        return self.add(ops_pointer.AddPtrOp(base, offsets))

    def read(self, pointers: Value, mask: Any = None, other: Any = None, **more: Any) -> Value:
        """A load through pointers."""
        type: Any = pointers.type
        element = getattr(type, "element_type", type).pointee
        result = tensor(type.shape, element) if hasattr(type, "shape") else element
        op = ops_memory.LoadOp(
            pointers, mask=mask, other=other, token=self.token, result_types=[result, MEM_TOKEN], **more
        )
        return self.add(op).results[0]

    def write(self, pointers: Value, value: Value, mask: Any = None, **more: Any) -> None:
        """A store through pointers."""
        self.add(
            ops_memory.StoreOp(pointers, value, mask=mask, token=self.token, result_types=[MEM_TOKEN], **more)
        )

    def region(self, types: Sequence[Type], make: Any) -> Region:
        """A body: ``make`` gets its arguments and answers what it yields."""
        block = Block(list(types))
        self.blocks.append(block)
        self.add(ops_shape.YieldOp(make(*block.arguments)))
        return Region([self.blocks.pop()])

    def module(self) -> ModuleOp:
        self.add(ops_program.ReturnOp())
        types = [value.type for value in self.block.arguments]
        function = ops_program.FuncOp(
            sym_name="kernel",
            function_type=FunctionType(tuple(types), ()),
            kernel_spec=KernelSpecAttr(4, (1, 1, 1)),
            body=Region([self.block]),
        )
        module = ModuleOp(bodyRegion=Region([Block()]))
        for op in (*self.globals, function):
            module.regions[0].block.append(op)
        return module

    def run(self, grid: tuple[int, int, int] = (1, 1, 1), **options: Any) -> Launched:
        """Print, read back, compile, launch."""
        return self.load_module(**options).launch(grid, *self.arrays)

    def load_module(self, **options: Any) -> Loaded:
        """Print, read back, compile."""
        return Loaded(str(self.module()), **options)


class Launched:
    """What a launch left in its context."""

    def __init__(self, words: np.ndarray, compiled: Compiled) -> None:
        self.report, self.report_block = int(words[REPORT // 8]), int(words[REPORT_BLOCK // 8])
        self.compiled = compiled


class Loaded:
    """A module in memory."""

    def __init__(self, text: str, target: CpuTarget | None = None) -> None:
        known = context()
        module = parse_module(known, text, implicit_module=True)
        assert [str(error) for error in verify(module)] == []
        PassManager(known).add(ConvertTileAABodies()).run(module)
        emitted = emit_module(module, target or CpuTarget())
        assert [error.message for error in verify(emitted.module)] == []
        self.text = translate(emitted.module, triple=llvm.get_process_triple())
        self.engine = _engine(self.text)
        self.compiled = emitted.kernels[0]
        address = self.engine.get_function_address(self.compiled.name)
        pointer = ctypes.c_void_p
        self.function = ctypes.CFUNCTYPE(None, pointer, pointer, pointer, ctypes.c_int64, pointer)(address)
        self.prints: list[tuple[int, int, int]] = []

    def launch(self, grid: tuple[int, int, int], *arguments: Any, on_print: Any = None) -> Launched:
        slots = np.zeros(max(1, len(arguments)), np.int64)
        for at, argument in enumerate(arguments):
            slots[at] = argument if isinstance(argument, int) else argument.ctypes.data
        room = np.zeros(CONTEXT_BYTES + 64, np.uint8)
        start = -room.ctypes.data % 64
        words = room[start : start + CONTEXT_BYTES].view(np.int64)
        callback = CALLBACK_TYPE(lambda _, site, block, values: on_print(site, block, values))
        words[CALLBACK // 8] = ctypes.cast(callback, ctypes.c_void_p).value or 0
        scratch = np.zeros(self.compiled.scratch_bytes + 64, np.uint8)
        extents = np.array(grid, np.int32)
        place = scratch.ctypes.data + -scratch.ctypes.data % 64
        count = int(np.prod(grid))
        self.function(slots.ctypes.data, extents.ctypes.data, words.ctypes.data, count, place)
        return Launched(words.copy(), self.compiled)


@cache
def _setup() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def _engine(text: str) -> Any:
    _setup()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=1
    )
    module = llvm.parse_assembly(text)
    module.verify()
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine
